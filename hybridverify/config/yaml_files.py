"""YAML of a configuration file. Apart from settings.py, because PyYAML is loaded only where such a file is read."""

from __future__ import annotations

from typing import Any

import yaml

from hybridverify.errors import ConfigError


def parsed_yaml(text: str) -> Any:
    """The values of a YAML text. Raises ConfigError, one line, also for a key that stands twice in one mapping: PyYAML
    would drop the first value in silence.

    >>> parsed_yaml("policy: rule_only")
    {'policy': 'rule_only'}
    """
    try:
        return yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise ConfigError(" ".join(str(error).split())) from error


class _Loader(yaml.SafeLoader):
    """The safe loader, which refuses doubled keys."""

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)  # before merges (`<<`), which may override keys
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise ConfigError(
                    f"line {key.start_mark.line + 1}: {key.value!r} stands twice; keep one of them"
                )
            seen.add(key.value if isinstance(key, yaml.ScalarNode) else None)
        return node
