"""Chats that differ in their last text are filled into one rendering only where the template cannot tell them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybridverify.judges.backends import chat_rendering
from hybridverify.judges.backends.prompt_ids import prompt_ids
from hybridverify.judges.backends.render import FastTokenizer, TemplateRefusal
from hybridverify.judges.base import Message, Prompt
from tests.judges.test_openai_render import NO_SYSTEM_TEMPLATE, PLAIN_TEMPLATE, THINKING_TEMPLATE, folder

pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")

EACH = "{% for message in messages %}[{{ message.role }}]"
END = "{% endfor %}{% if add_generation_prompt %}>{% endif %}"
LAST = "{% set last = messages[-1].content %}"
SHARED = {
    "concatenated": PLAIN_TEMPLATE,
    "options": THINKING_TEMPLATE,
    "asked whether it is a string": EACH
    + "{% if message.content is string and message.content is not mapping %}"
    "{{ message.content }}{% else %}{% for part in message.content %}{{ part.text }}{% endfor %}{% endif %}"
    + END,
    "kept in a namespace": "{% set ns = namespace(last='') %}"
    "{% for message in messages %}{% set ns.last = message.content %}{% endfor %}{{ 'a' + ns.last + 'b' + ns.last }}",
    "trimmed": EACH + "{{ message['content'] | trim }}" + END,
    "stripped": EACH + "{{ message.content.strip() + '.' }}" + END,
    "asked for a beginning": EACH + "{% if message.content.startswith('<tool>') %}tool{% else %}"
    "{{ message.content }}{% endif %}" + END,
    "asked for a tag": LAST + "{% if '</think>' in last %}thought{% else %}{{ last }}{% endif %}",
    "asked for an end": LAST + "{{ last if not last.endswith('.') else 'done' }}",
    "asked whether it is empty": LAST + "{{ last or 'nothing' }}",
    "compared": LAST + "{% if last == 'two' %}2{% else %}{{ last }}{% endif %}",
}
OWN = {
    "measured": LAST + "{{ last | length }}{{ last }}",
    "cut": LAST + "{{ last[:3] }}",
    "split": LAST + "{{ last.split('</think>')[-1] }}",
    "replaced": LAST + "{{ last | replace('a', 'b') }}{{ last.replace('a', 'c') }}",
    "written large": LAST + "{{ last | upper }}{{ last.title() }}",
    "joined by a tilde": LAST + "{{ 'a' ~ last ~ 'b' }}",
    "joined by a filter": "{{ messages | map(attribute='content') | join('-') }}",
    "formatted": LAST + "{{ '%s!' % last }}{{ '{}'.format(last) }}",
    "written as JSON": "{{ messages | tojson }}",
    "looked up": LAST + "{{ {'two': 2}[last] | default('other') }}",
    "ordered": LAST + "{% if last < 'm' %}first{% endif %}{{ last }}",
    "found in a text": LAST + "{% if last in 'one two three' %}number{% endif %}{{ last }}",
    "walked through": LAST + "{% for char in last %}{{ char }}-{% endfor %}",
    "repeated": LAST + "{{ last * 2 }}",
    "counted": LAST + "{{ last.count('a') }}",
    "escaped": LAST + "{% autoescape true %}{{ last }}{% endautoescape %}{{ last | e }}",
    "given to a macro": "{% macro said(text) %}{{ text }}{% endmacro %}"
    "{{ said(messages[-1].content) | trim | length }}",
    "caught in a block": LAST + "{% set kept %}{{ last }}{% endset %}{{ kept | upper }}",
    "filtered in a block": LAST + "{% filter upper %}{{ last }}{% endfilter %}",
    "looped over recursively": "{% for m in messages recursive %}{{ m.content }}{{ loop([]) | length }}{% endfor %}",
    "looked at before a question": LAST + "{% if ('a' + last).startswith('ab') %}b{% endif %}{{ last }}",
}
TEXTS = (
    "one",
    "two",
    "  three ",
    "",
    "<tool>4",
    "</think> a.",
    "b\n",
    "&amp <|im_end|> {{ 7 }}",
    "ab%s{}",
    "\ud83d?",
    "5",
)


class Counting(FastTokenizer):
    """Counts how often a chat is rendered by itself."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.alone = 0

    def render(self, messages: Sequence[Message], options: Mapping[str, Any]) -> str:
        self.alone += 1
        return super().render(messages, options)


def told(tokenizer: FastTokenizer, chats: Sequence[Sequence[Message]]) -> list[str]:
    return [str(one) for one in chat_rendering.rendered(tokenizer, chats, {})]


def one_by_one(tokenizer: FastTokenizer, chats: Sequence[Sequence[Message]]) -> list[str]:
    return [text for chat in chats for text in told(tokenizer, [chat])]


def chats_of(texts: Sequence[str], *before: Message) -> list[tuple[Message, ...]]:
    return [(*before, Message("user", text)) for text in texts]


@pytest.mark.parametrize("name", [*SHARED, *OWN])
@pytest.mark.parametrize("system", [False, True])
def test_all_at_once_is_what_each_gives_alone(tmp_path: Path, name: str, system: bool) -> None:
    tokenizer = FastTokenizer(folder(tmp_path, {**SHARED, **OWN}[name]))
    before = (Message("system", "Be fair."),) if system else ()
    for texts in (TEXTS, TEXTS[::-1]):
        chats = chats_of(texts, *before)
        assert told(tokenizer, chats) == one_by_one(tokenizer, chats)


@pytest.mark.parametrize("name", SHARED)
def test_what_chats_share_is_rendered_once(tmp_path: Path, name: str) -> None:
    tokenizer = Counting(folder(tmp_path, SHARED[name]))
    told(tokenizer, chats_of([f"answer {number}" for number in range(100)]))
    assert tokenizer.alone == 1  # to hold the shape against


@pytest.mark.parametrize("name", OWN)
def test_a_template_that_reads_a_text_renders_each(tmp_path: Path, name: str) -> None:
    tokenizer = Counting(folder(tmp_path, OWN[name]))
    told(tokenizer, chats_of([f"answer {number}" for number in range(20)]))
    assert tokenizer.alone == 20


def test_a_text_that_answers_otherwise_is_rendered_by_itself(tmp_path: Path) -> None:
    tokenizer = Counting(folder(tmp_path, SHARED["trimmed"]))
    assert told(tokenizer, chats_of(["a", "b", " c ", "d", "e", "f"]))[2] == "[user]c>"
    assert tokenizer.alone == 2


def test_chats_with_other_beginnings_do_not_share_one(tmp_path: Path) -> None:
    tokenizer = FastTokenizer(folder(tmp_path))
    chats = [(Message("system", f"Rule {n % 20}."), Message("user", f"{n}")) for n in range(60)]
    assert told(tokenizer, chats) == one_by_one(tokenizer, chats)


def test_a_refusal_stays_with_its_chat(tmp_path: Path) -> None:
    tokenizer = FastTokenizer(folder(tmp_path, NO_SYSTEM_TEMPLATE))
    plain, refused = chats_of(["a"] * 6), chats_of(["b"] * 6, Message("system", "Be fair."))
    found = chat_rendering.rendered(tokenizer, [*plain, *refused], {})
    assert [isinstance(one, TemplateRefusal) for one in found] == [False] * 6 + [True] * 6


def test_ids_are_those_of_the_rendered_chats(tmp_path: Path) -> None:
    tokenizer = FastTokenizer(folder(tmp_path))
    prompts = [Prompt(chat) for chat in chats_of(TEXTS)] + [Prompt(text="raw")]
    wanted = [tokenizer.encode(one_by_one(tokenizer, [p.messages]), False)[0] for p in prompts[:-1]]
    assert prompt_ids(tokenizer, prompts, {}) == [*wanted, tokenizer.encode(["raw"], True)[0]]


PIECES = """{{ last }}
{{ last | trim }}
{{ 'x' + last }}
{{ last + last }}
{{ last.strip() }}
{{ last | length }}
{{ last ~ 1 }}
{{ last | default('d') }}
{{ last or 'e' }}
{{ last and 'f' }}
{{ [last, 'g'][0] }}
{{ last[-1:] }}
{{ [last] | first }}
{{ [last] | join }}
{% if last %}y{% endif %}
{% if last.startswith('a') %}a{% endif %}
{% if 'b' in last %}b{% endif %}
{% if last is string %}s{% endif %}
{% if last is number %}n{% endif %}
{% if last != 'a' %}o{% endif %}
{% if last == '' %}{% set last = 'h' %}{% endif %}
{% set last = last | trim %}
{% set last = last + '.' %}
{% set last = last.rstrip() %}""".splitlines()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=5),
    st.lists(st.text("ab .<\n", max_size=3), min_size=5, max_size=9),
)
def test_whatever_a_template_does_the_result_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], texts: list[str]
) -> None:
    tokenizer = FastTokenizer(folder(tmp_path_factory.mktemp("model"), LAST + "".join(pieces)))
    chats = chats_of(texts)
    assert told(tokenizer, chats) == one_by_one(tokenizer, chats)
