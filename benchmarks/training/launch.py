"""One training run: verl's own trainer (GRPO, vLLM rollout) on one card, its reward given by one of several arms.

    python benchmarks/training/task.py DATA --seed 7
    python benchmarks/training/launch.py RUN --arm embedded --data DATA --model POLICY --steps 30

writes to RUN: `log.txt` (the trainer's output), `metrics.jsonl` (verl's numbers, a line a step), `rollouts/STEP.jsonl`
(every response with its reward and our columns) and `meta.json` (card, versions, command). `--dry-run` takes a policy
of random weights, and a rollout that answers at random, on two processor cores (dry_run.py): all else is real. What
comes after `--` goes to verl as it stands.

Arms: `verl` (verl's own reward for boxed answers), `rules` (ours, without a judge), `embedded` (rules, then the
embedded judge where they cannot tell), `server` (the same with a generative judge at --judge-url), `server-guarded`
(that judge asked in both orders, and for half of its accepts beside a foreign reference), `failing` and
`failing-masked` (`embedded`, with a judge that fails for every tenth answer: zeros for those, or left out of the
group's statistics).
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
OURS = "pkg://training.recorded", "RecordedHybrid"
FAILING = "pkg://training.failing", "FailingHybrid"
ADDON = {"policy": "addon", "on_judge_error": "mask"}
EMBEDDED = {**ADDON, "judges": "[{preset: embedded, threads: 2}]"}
TENTH_FAILS = {**EMBEDDED, "outage_wait_s": 0, "max_ungraded": 1.0}
GUARDS = {"guards": "{swap_check: true, canary: 0.5}"}
ARMS = ("verl", "rules", "embedded", "server", "server-guarded", "failing", "failing-masked")
PACKAGES = ("verl", "vllm", "torch", "transformers", "ray", "hybridverify")


def arm_settings(arm: str, judge_url: str, judge_model: str) -> list[str]:
    """verl's arguments for the reward, and for the advantages where they belong to the arm."""
    served = {**ADDON, "judge": "generic_small", "base_url": judge_url, "model": judge_model}
    arms: dict[str, tuple[tuple[str, str], Mapping[str, object]]] = {
        "verl": (("pkg://training.recorded", "RecordedNaive"), {}),
        "rules": (OURS, {"policy": "rule_only"}),
        "embedded": (OURS, EMBEDDED),
        "server": (OURS, served),
        "server-guarded": (OURS, {**served, **GUARDS}),
        "failing": (FAILING, TENTH_FAILS),
        "failing-masked": (FAILING, TENTH_FAILS),
    }
    (module, manager), options = arms[arm]
    settings = [
        "reward.reward_manager.source=importlib",
        f"reward.reward_manager.name={manager}",
        f"reward.reward_manager.module.path={module}",
        *(f"+reward.reward_kwargs.{name}={value}" for name, value in options.items()),
    ]
    if arm == "failing-masked":
        settings.append("algorithm.adv_estimator=hv_grpo")
    return settings


def trainer_settings(options: argparse.Namespace, run: Path) -> list[str]:
    """verl's arguments for everything but the reward."""
    rollouts, length = options.prompts * options.answers, options.prompt_tokens + options.answer_tokens
    settings = {
        "algorithm.adv_estimator": "grpo",
        "data.train_files": options.data / "train.parquet",
        "data.val_files": options.data / "test.parquet",
        "data.train_batch_size": options.prompts,
        "data.val_batch_size": 256,
        "data.max_prompt_length": options.prompt_tokens,
        "data.max_response_length": options.answer_tokens,
        "data.seed": options.seed,
        "data.filter_overlong_prompts": False,
        "actor_rollout_ref.model.path": options.model,
        "actor_rollout_ref.model.use_remove_padding": False,
        "+actor_rollout_ref.model.override_config.attn_implementation": "sdpa",
        "actor_rollout_ref.model.enable_gradient_checkpointing": False,
        "actor_rollout_ref.actor.strategy": "fsdp2",
        "actor_rollout_ref.actor.optim.lr": options.learning_rate,
        "actor_rollout_ref.actor.ppo_mini_batch_size": options.prompts // 2,
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": min(rollouts // 2, options.micro_batch),
        "actor_rollout_ref.actor.use_kl_loss": False,
        "actor_rollout_ref.actor.entropy_coeff": 0,
        "actor_rollout_ref.actor.use_torch_compile": False,
        "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": min(rollouts, options.micro_batch),
        "actor_rollout_ref.rollout.name": "vllm",
        "actor_rollout_ref.rollout.n": options.answers,
        "actor_rollout_ref.rollout.tensor_model_parallel_size": 1,
        "actor_rollout_ref.rollout.gpu_memory_utilization": options.memory_share,
        "actor_rollout_ref.rollout.max_model_len": length,
        "actor_rollout_ref.rollout.seed": options.seed,
        "actor_rollout_ref.rollout.agent.num_workers": options.workers,
        "reward.num_workers": options.workers,
        "algorithm.use_kl_in_reward": False,
        "transfer_queue.backend.SimpleStorage.num_data_storage_units": 2,  # each is a process that imports verl
        "trainer.logger": '["console","file"]',
        "trainer.rollout_data_dir": run / "rollouts",
        "trainer.validation_data_dir": run / "validation",
        "trainer.n_gpus_per_node": 1,
        "trainer.nnodes": 1,
        "trainer.save_freq": -1,
        "trainer.test_freq": options.test_every,
        "trainer.val_before_train": options.test_every > 0,
        "trainer.total_training_steps": options.steps,
        "trainer.total_epochs": 1000,
        "trainer.resume_mode": "disable",
        "trainer.default_local_dir": run / "checkpoints",
        "+ray_kwargs.ray_init.include_dashboard": False,
        "+ray_kwargs.ray_init._temp_dir": f"/tmp/ray-{os.getpid()}",  # sockets need a short path
    }
    return [f"{name}={value}" for name, value in settings.items()]


def dry_settings(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Arguments and environment that replace policy, card and rollout by stand-ins."""
    sys.path.insert(0, str(BENCHMARKS))
    from training.dry_run import PLATFORM, ROLLOUT, tiny_policy

    tiny_policy(folder)
    arguments = [
        f"actor_rollout_ref.model.path={folder}",
        f"actor_rollout_ref.rollout.name={ROLLOUT}",
        "trainer.device=cpu",
        "+ray_kwargs.ray_init.num_gpus=1",
        "ray_kwargs.ray_init.num_cpus=64",  # places, not cores: most actors wait most of the time
    ]
    environment = {
        "VERL_USE_EXTERNAL_MODULES": "training.dry_run",
        "VERL_PLATFORM": PLATFORM,
        "VERL_ENGINE_DEVICE": "cuda",  # the name under which verl knows its engine
    }
    return arguments, environment


def main() -> None:
    options = parse()
    run = options.run.resolve()
    run.mkdir(parents=True, exist_ok=True)
    options.data, environment = options.data.resolve(), dict(os.environ)
    command = [sys.executable, "-m", "verl.trainer.main_ppo", *trainer_settings(options, run)]
    command += [*arm_settings(options.arm, options.judge_url, options.judge_model), *options.more]
    environment |= {
        "VERL_FILE_LOGGER_PATH": str(run / "metrics.jsonl"),
        "TRAINING_REWARDS": str(run / "rewards"),
        "HYDRA_FULL_ERROR": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(BENCHMARKS), os.environ.get("PYTHONPATH", "")])),
    }
    if options.dry_run:
        arguments, extra = dry_settings(run / "tiny_policy")
        command, environment = command + arguments, environment | extra
    (run / "meta.json").write_text(json.dumps(meta(options.arm, command), indent=1), encoding="utf-8")
    raise SystemExit(execute(command, environment, run, options.minutes * 60))


def execute(command: list[str], environment: dict[str, str], run: Path, limit_s: float) -> int:
    """Run the trainer in a process group of its own, which is ended when its time is up. Returns its exit status."""
    start = time.monotonic()
    with (run / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, env=environment, cwd=run, start_new_session=True
        )
        try:
            status = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            status = 124
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    print(f"{run.name}: exit status {status} after {time.monotonic() - start:.0f} s", flush=True)
    return status


def meta(arm: str, command: list[str]) -> dict[str, object]:
    """What a table must say about a run."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "none"
    return {"arm": arm, "card": card(), "python": platform.python_version(), **versions, "command": command}


def card() -> str:
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "none"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, help="folder of this run")
    parser.add_argument("--arm", required=True, choices=ARMS)
    parser.add_argument("--data", type=Path, required=True, help="folder with train.parquet and test.parquet")
    parser.add_argument("--model", default="", help="folder of the policy")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=9, help="the run is ended after so long")
    parser.add_argument("--prompts", type=int, default=32, help="questions a step")
    parser.add_argument("--answers", type=int, default=8, help="responses a question")
    parser.add_argument("--prompt-tokens", type=int, default=128)
    parser.add_argument("--answer-tokens", type=int, default=144)
    parser.add_argument("--micro-batch", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=3e-6)
    parser.add_argument(
        "--memory-share", type=float, default=0.3, help="of the card, for the rollout's engine"
    )
    parser.add_argument("--workers", type=int, default=2, help="reward and agent workers")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--test-every", type=int, default=-1, help="steps between validations; -1: never")
    parser.add_argument("--judge-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--judge-model", default="judge")
    parser.add_argument("--dry-run", action="store_true")
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:end])
    options.more = given[end + 1 :]
    return options


if __name__ == "__main__":
    main()
