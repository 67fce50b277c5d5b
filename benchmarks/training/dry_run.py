"""Stand-ins that let verl's trainer run without a GPU: a processor "platform", and a rollout that answers at random.

Loaded by verl itself (`VERL_USE_EXTERNAL_MODULES`), by `launch.py --dry-run`. Everything but the rollout is real: the
configuration, Ray, the queue, the reward loop with its manager, the advantages, and the update of the policy's weights.

    tiny_policy(folder)     a policy of 100,000 weights with a tokenizer of bytes
"""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

PLATFORM, ROLLOUT = "processor", "random_answers"
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tiny_policy(folder: Path) -> None:
    """Write a random Llama and its tokenizer, one token a byte, to `folder`."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        bos_token="<|im_start|>",
    )
    wrapped.chat_template = CHAT_TEMPLATE
    config = LlamaConfig(
        vocab_size=len(wrapped),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        eos_token_id=wrapped.eos_token_id,
        pad_token_id=wrapped.pad_token_id,
        bos_token_id=wrapped.bos_token_id,
    )
    folder.mkdir(parents=True, exist_ok=True)
    LlamaForCausalLM(config).save_pretrained(folder)
    wrapped.save_pretrained(folder)


class _NoDevice(ModuleType):
    """torch.cuda's functions where there is no card: `torch.cpu` where it has them, else nothing happens."""

    def __getattr__(self, name: str) -> Any:
        import torch

        if name.startswith("__"):
            raise AttributeError(name)
        answers = {"mem_get_info": (0, 0), "get_device_name": "processor"}
        if name in answers:
            return lambda *_, **__: answers[name]
        return getattr(torch.cpu, name, lambda *_, **__: 0)


def _register_platform() -> None:
    from verl.plugin.platform.platform_manager import PlatformBase, PlatformRegistry, set_platform

    class Processor(PlatformBase):
        device_name = "cpu"
        vendor_name = "processor"
        device_module = _NoDevice("no_device")

        def is_available(self) -> bool:
            return True

        def is_platform_available(self, use_smi_check: bool = False) -> bool:
            return True

        def current_device(self) -> Any:
            return "cpu"  # torch's name of it: a number would mean a card

        def device_count(self) -> int:
            return 1

        def set_device(self, device_index: int) -> None: ...

        def synchronize(self, device_index: int | None = None) -> None: ...

        def manual_seed(self, seed: int) -> None: ...

        def manual_seed_all(self, seed: int) -> None: ...

        def set_allocator_settings(self, settings: str) -> None: ...

        def empty_cache(self) -> None: ...

        def get_device_capability(self, device_index: int = 0) -> tuple[int | None, int | None]:
            return None, None

        def communication_backend_name(self) -> str:
            return "gloo"

        def visible_devices_envvar(self) -> str:
            return "CUDA_VISIBLE_DEVICES"

        @contextmanager
        def nvtx_range(self, msg: str) -> Iterator[None]:
            yield

        def profiler_start(self) -> None: ...

        def profiler_stop(self) -> None: ...

        def ray_resource_name(self) -> str:
            return "GPU"  # Ray is told that there is one

        def ray_resource_options(self, num_gpus: float) -> dict[str, Any]:
            return {"num_gpus": num_gpus}

        def ray_noset_envvars(self) -> list[str]:
            return ["RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES"]

        def is_ipc_supported(self) -> bool:
            return False

        def cudart(self) -> Any:
            return None

    PlatformRegistry.register(PLATFORM)(Processor)
    set_platform(Processor())  # verl has looked for a card already


def _one_backend() -> None:
    """verl asks for a backend for processors and one for its device: here they are the same."""
    import torch.distributed as distributed

    original = distributed.init_process_group

    def init_process_group(backend: str | None = None, **arguments: Any) -> Any:
        return original(backend="gloo", **arguments)

    distributed.init_process_group = init_process_group


class RandomAnswers:
    """The rollout's server (a Ray actor): every prompt gets a random number in a box."""

    def __init__(self, tokenizer_path: str) -> None:
        from transformers import AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(tokenizer_path)
        self.random = random.Random(7)

    async def generate(self, prompt_ids: list[int], **_: Any) -> Any:
        from verl.workers.rollout.replica import TokenOutput

        text = f"I take \\boxed{{{self.random.randint(1, 60)}}}"
        tokens = [*self.tokenizer.encode(text, add_special_tokens=False), self.tokenizer.eos_token_id]
        return TokenOutput(
            token_ids=tokens,
            log_probs=[-1.0] * len(tokens),
            stop_reason="completed",
            extra_fields={"global_steps": 0},
        )

    async def nothing(self, *_: Any, **__: Any) -> None: ...

    sleep = wake_up = clear_kv_cache = abort_all_requests = resume_generation = set_global_steps = nothing


def _register_rollout() -> None:
    import verl.workers.rollout.base as base
    from verl.workers.rollout.replica import RolloutReplica, RolloutReplicaRegistry

    class Replica(RolloutReplica):
        async def launch_servers(self) -> None:
            import ray

            path = self.model_config.get("path") or self.model_config.local_path
            server = ray.remote(RandomAnswers).options(num_cpus=0, max_concurrency=256)
            self.servers = [server.remote(str(path))]
            self._server_handle, self._server_address = self.servers[0], "127.0.0.1:0"

    class Adapter(base.BaseRollout):
        """The weights that the trainer sends end here."""

        async def resume(self, tags: list[str]) -> None: ...

        async def release(self) -> None: ...

        async def update_weights(self, weights: Any, **_: Any) -> None:
            if isinstance(weights, AsyncIterator):
                async for _ in weights:
                    ...
            else:
                for _ in weights:
                    ...

        def generate_sequences(self, prompts: Any) -> Any:
            raise NotImplementedError

    globals()["Adapter"] = Adapter
    base._ROLLOUT_REGISTRY[ROLLOUT, "async"] = f"{__name__}.Adapter"
    RolloutReplicaRegistry.register(ROLLOUT, lambda: Replica)


if os.environ.get("VERL_PLATFORM") == PLATFORM:
    _register_platform()
    _one_backend()
    _register_rollout()
