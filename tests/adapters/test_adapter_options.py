"""Options from a trainer's command line: flat keys, files, nested keys, and the words of earlier systems."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from hybridverify.adapters.options import Options, parse_options, plain
from hybridverify.adapters.systems import from_reward_model, share_beside

from hybridverify.config.registry import backend_name, make_judge
from hybridverify.errors import ConfigError

SERVER = {"base_url": "http://judge:8000/v1", "model": "org/judge"}


def test_flat_keys_name_one_judge_and_its_server() -> None:
    settings = parse_options({"policy": "mixed", "judge": "tinyv", "timeout_s": 5, **SERVER}).settings
    backend = {"name": "openai", "timeout_s": 5, **SERVER}
    assert settings == {"policy": "mixed", "judges": [{"preset": "tinyv", "backend": backend}]}


def test_a_named_judge_is_asked_unless_a_policy_says_otherwise() -> None:
    assert parse_options({"judge": "tinyv", **SERVER}).settings["policy"] == "addon"
    assert parse_options({"judge": "tinyv", "policy": "veto", **SERVER}).settings["policy"] == "veto"
    assert "policy" not in parse_options({}).settings


def test_an_address_alone_means_the_generic_judge() -> None:
    (judge,) = parse_options(SERVER).settings["judges"]
    assert judge["preset"] == "generic"


def test_policy_weights_join_the_policy() -> None:
    given = {"policy": "addon", "judge_weight": 0.5, "trust_reject": False}
    assert parse_options(given).settings["policy"] == {
        "name": "addon",
        "judge_weight": 0.5,
        "trust_reject": False,
    }
    nested = parse_options({"policy": {"name": "mixed", "judge_weight": 0.2}, "judge_weight": 0.4}).settings
    assert nested["policy"] == {"name": "mixed", "judge_weight": 0.4}


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("polcy", "policy"),
        ("base_ulr", "base_url"),
        ("outage_wait", "outage_wait_s"),
        ("tinyv_setp", "tinyv_setup"),
    ],
)
def test_an_unknown_option_is_refused_with_the_nearest_name(name: str, near: str) -> None:
    with pytest.raises(ConfigError, match=f"'{name}': no such option; did you mean '{near}'"):
        parse_options({name: 1})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("outage_wait_s", -1),
        ("outage_wait_s", "600"),
        ("max_ungraded", None),
        ("max_ungraded", float("nan")),
        ("max_batch", 0),
        ("max_wait_s", True),
        ("drop_tool_tokens", "yes"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ConfigError, match=name):
        parse_options({name: value})


def test_a_file_is_read_and_flat_keys_go_before_it(tmp_path: Path) -> None:
    file = tmp_path / "verify.yaml"
    file.write_text(
        "policy: {name: mixed, judge_weight: 0.25}\n"
        "judges:\n  - {preset: tinyv, backend: {name: openai, base_url: 'http://old/v1', model: m}}\n"
    )
    plain_file = parse_options({"config": str(file)}).settings
    assert plain_file["policy"] == {"name": "mixed", "judge_weight": 0.25}
    moved = parse_options({"config": str(file), "base_url": "http://new/v1", "judge_weight": 0.5}).settings
    assert moved["judges"][0]["backend"] == {"name": "openai", "base_url": "http://new/v1", "model": "m"}
    assert moved["judges"][0]["preset"] == "tinyv"
    assert moved["policy"]["judge_weight"] == 0.5


def test_the_file_has_a_second_name_for_releases_whose_loader_takes_config_itself(tmp_path: Path) -> None:
    file = tmp_path / "verify.yaml"
    file.write_text("policy: veto\n")
    assert parse_options({"config_file": str(file)}).settings == parse_options({"config": str(file)}).settings
    with pytest.raises(ConfigError, match="are the same"):
        parse_options({"config": str(file), "config_file": str(file)})


def test_an_engine_that_gets_an_address_becomes_a_server(tmp_path: Path) -> None:
    file = tmp_path / "verify.yaml"
    file.write_text(
        "policy: judge_only\njudges:\n"
        "  - {preset: tinyv, backend: {name: vllm, model: m, gpu_memory_utilization: 0.4}}\n"
    )
    (judge,) = parse_options({"config": str(file), "base_url": "http://new/v1"}).settings["judges"]
    assert judge["backend"] == {"name": "openai", "model": "m", "base_url": "http://new/v1"}


def test_a_missing_file_is_an_error_that_names_it() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml"):
        parse_options({"config": "nowhere.yaml"})


def test_equal_options_have_equal_keys_and_survive_pickling() -> None:
    one = parse_options({"policy": "addon", "judge": "tinyv", **SERVER})
    other = parse_options({**dict(reversed(SERVER.items())), "judge": "tinyv", "policy": "addon"})
    assert one.key == other.key == pickle.loads(pickle.dumps(one)).key  # noqa: S301 - our own bytes
    assert one.key != parse_options({"policy": "mixed", "judge": "tinyv", **SERVER}).key
    assert Options().key != Options(max_ungraded=0.3).key


ROUTES: dict[str, Any] = {"polaris*": {"policy": "rule_only"}, "*_tinyv": {"policy": "judge_only"}}


@pytest.mark.parametrize("turned", [False, True])
def test_routes_keep_the_order_in_which_they_were_written(turned: bool) -> None:
    routes = dict(reversed(ROUTES.items())) if turned else ROUTES
    parsed = parse_options({"judge": "tinyv", "routes": routes, **SERVER}).settings["routes"]
    assert list(parsed) == list(routes)


def test_options_that_differ_in_the_order_of_routes_alone_have_different_keys() -> None:
    one, other = (parse_options({"routes": routes}) for routes in (ROUTES, dict(reversed(ROUTES.items()))))
    assert one.key != other.key
    assert one.key == parse_options({"routes": dict(ROUTES)}).key


def test_a_script_whose_parts_stand_in_another_order_is_another_judge() -> None:
    def key(*parts: str) -> str:
        backend = {"name": "scripted", "replies": dict.fromkeys(parts, "True")}
        return parse_options({"judges": [{"preset": "tinyv", "backend": backend}]}).key

    assert key("7", "17") != key("17", "7")


def test_the_description_names_policy_and_address_and_no_key() -> None:
    given = {"judge": "tinyv", "api_key_env": "SECRET_NAME", **SERVER}
    assert parse_options(given).describe() == "policy addon, judge tinyv (org/judge) at http://judge:8000/v1"
    assert parse_options({}).describe() == "policy rule_only, judge none"
    routed = parse_options({"tinyv_setup": "mixed"}).describe()
    assert routed.startswith("policy rule_only (*_tinyv*: mixed), judge tinyv")


def test_hydra_containers_become_plain_ones() -> None:
    class Odd(dict[str, Any]):
        pass

    assert plain(Odd(a=(1, Odd(b=2)))) == {"a": [1, {"b": 2}]}
    assert type(plain(Odd())) is dict


# ---- a judge hosted by verl


def test_a_judge_without_address_goes_through_the_router() -> None:
    (judge,) = parse_options({"judge": "tinyv"}, "10.0.0.1:4000", "/models/tinyv").settings["judges"]
    assert judge["backend"] == {
        "name": "openai",
        "base_url": "http://10.0.0.1:4000/v1",
        "model": "/models/tinyv",
    }


def test_an_explicit_address_goes_before_the_router() -> None:
    (judge,) = parse_options({"judge": "tinyv", **SERVER}, "10.0.0.1:4000", "/models/x").settings["judges"]
    assert judge["backend"]["base_url"] == SERVER["base_url"]


def test_the_router_takes_the_place_of_an_engine_in_this_process() -> None:
    entry = {
        "preset": "general_verifier",
        "backend": {"name": "vllm", "model": "x", "gpu_memory_utilization": 0.4},
    }
    (judge,) = parse_options({"judges": [entry]}, "[::1]:4000", "/models/gv").settings["judges"]
    assert judge["backend"] == {"name": "openai", "base_url": "http://[::1]:4000/v1", "model": "/models/gv"}


def test_a_router_brings_a_judge_only_where_the_policy_asks_one() -> None:
    (judge,) = parse_options({"policy": "addon"}, "10.0.0.1:4000", "/m").settings["judges"]
    assert judge["preset"] == "generic"
    assert parse_options({}, "10.0.0.1:4000", "/m").settings["judges"] == []


def test_a_scripted_judge_is_left_alone_by_the_router() -> None:
    entry = {"preset": "tinyv", "backend": {"name": "scripted", "replies": "True"}}
    assert parse_options({"judges": [entry]}, "10.0.0.1:4000", "/m").settings["judges"] == [entry]


@pytest.mark.parametrize("given", [{"judge": "embedded"}, {"judges": [{"preset": "embedded"}]}])
@pytest.mark.parametrize("router", ["", "10.0.0.1:4000"])
def test_the_embedded_judge_needs_no_server_and_no_router(given: dict[str, Any], router: str) -> None:
    options = parse_options({"policy": "addon", **given}, router, "/m")
    (judge,) = options.settings["judges"]
    assert backend_name(judge) == "embedded"
    assert make_judge(judge).name == "embedded"
    assert options.describe() == "policy addon, judge embedded (ships with the library)"


def test_the_embedded_judge_has_no_address() -> None:
    options = parse_options({"judge": "embedded", **SERVER})
    with pytest.raises(ConfigError, match=r"embedded: backend\.base_url: no such setting"):
        make_judge(options.settings["judges"][0])


# ---- settings of earlier systems


@pytest.mark.parametrize("setup", ["addon", "mixed", "tinyv_only"])
def test_tinyv_settings_judge_the_suffixed_sources_and_no_other(setup: str) -> None:
    settings = parse_options({"tinyv_setup": setup, "tinyv_weight": 0.7}).settings
    assert settings["policy"] == "rule_only"
    assert settings["routes"]["*_tinyv*"]["policy"] == {
        "name": setup,
        "judge_weight": 0.7,
        "trust_reject": False,
    }
    assert settings["routes"]["grade"] == {"rules": ["grade"]}
    assert settings["judges"][0]["backend"]["base_url"] == "http://localhost:8000/v1"


def test_tinyv_settings_take_another_server() -> None:
    (judge,) = parse_options({"tinyv_setup": "addon", **SERVER}).settings["judges"]
    assert judge == {"preset": "tinyv", "backend": {"name": "openai", **SERVER}}


def test_tinyv_settings_with_a_judge_hosted_by_verl_go_through_its_router() -> None:
    (judge,) = parse_options({"tinyv_setup": "addon"}, "10.0.0.1:4000", "/models/tinyv").settings["judges"]
    assert judge["backend"]["base_url"] == "http://10.0.0.1:4000/v1"
    assert judge["backend"]["model"] == "/models/tinyv"


def test_an_unknown_tinyv_setup_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean 'mixed'"):
        parse_options({"tinyv_setup": "mixd"})


SEVERAL: dict[str, Any] = {
    "reward_function": ["rider_reward", "consistency_reward"],
    "reward_weight": [0.3, 0.5],
    "reward_combine_func": ["add", "add"],
    "reward_model_type": "grm",
    "combine_reward": True,
    "model": {"path": ["/m/a", "/m/b"], "tensor_model_parallel_size": 4},
    "reward_vllm_rollout": {
        "temperature": [0.7, 0.2],
        "gpu_memory_utilization": [0.8, 0.6],
        "tensor_model_parallel_size": 4,
    },
}


def test_several_reward_models_become_a_panel_with_hooks_and_weights() -> None:
    settings = parse_options(SEVERAL).settings
    assert settings["policy"] == "sum"
    assert settings["panel"] == {"combine": ["add", "add"]}
    first, second = settings["judges"]
    assert first == {
        "name": "rider_reward",
        "hooks": {"preprocess": "rider_reward:rm_preprocess", "postprocess": "rider_reward:rm_postprocess"},
        "backend": {
            "name": "vllm",
            "model": "/m/a",
            "gpu_memory_utilization": 0.8,
            "tensor_parallel_size": 4,
            "sleep_level": 1,
        },
        "sampling": {"temperature": 0.7},
        "weight": 0.3,
    }
    assert second["weight"] == 0.5


def test_the_size_of_the_model_section_counts_where_the_engine_names_none() -> None:
    rollout = {**SEVERAL["reward_vllm_rollout"], "tensor_model_parallel_size": None}
    judges = parse_options({**SEVERAL, "reward_vllm_rollout": rollout}).settings["judges"]
    assert {judge["backend"]["tensor_parallel_size"] for judge in judges} == {4}


def test_one_model_that_is_not_offloaded_stays_awake() -> None:
    one = {"reward_function": "mine", "model": {"path": "/m/a"}}
    (judge,) = parse_options(one).settings["judges"]
    assert judge["backend"] == {"name": "vllm", "model": "/m/a"}
    offloaded = {**one, "model": {"path": "/m/a", "fsdp_config": {"param_offload": True}}}
    (judge,) = parse_options(offloaded).settings["judges"]
    assert judge["backend"]["sleep_level"] == 1


def test_without_the_rule_part_the_models_decide_alone() -> None:
    assert parse_options({**SEVERAL, "combine_reward": False}).settings["policy"] == "judge_only"


def test_lists_of_unequal_length_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="reward_weight: 3 entries for 2 reward functions"):
        parse_options({**SEVERAL, "reward_weight": [1, 2, 3]})


def test_a_reward_model_section_of_the_verifier_worker_is_read() -> None:
    section = {
        "enable": True,
        "strategy": "verifier",
        "model": {"path": "/m/general-verifier", "fsdp_config": {"param_offload": True}},
        "rollout": {"name": "vllm", "gpu_memory_utilization": 0.4},
        "reward_manager": "naive",
    }
    settings = parse_options(from_reward_model(section)).settings
    assert settings["policy"] == "judge_only"
    assert settings["judges"] == [
        {
            "preset": "general_verifier",
            "backend": {
                "name": "vllm",
                "model": "/m/general-verifier",
                "gpu_memory_utilization": 0.4,
                "sleep_level": 1,
            },
        }
    ]


TYPED: dict[str, Any] = {"enable": True, "strategy": "verifier", "model": {"path": "/m/general-verifier"}}


def engine_share(section: dict[str, Any], rollout_share: Any) -> Any:
    (judge,) = parse_options(from_reward_model(section, rollout_share)).settings["judges"]
    return judge["backend"].get("gpu_memory_utilization")


@pytest.mark.parametrize("rollout", [0.05, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.85])
def test_a_verifier_that_is_only_named_fits_beside_policy_and_rollout(rollout: float) -> None:
    share = engine_share(TYPED, rollout)
    assert share == share_beside(rollout)
    assert 0.05 <= share <= rollout
    assert rollout + share < 1.0


@pytest.mark.parametrize(
    "own",
    [{"rollout": {"gpu_memory_utilization": 0.8}}, {"reward_vllm_rollout": {"gpu_memory_utilization": 0.8}}],
)
def test_a_share_that_the_user_gave_the_judge_goes_before_the_rollouts(own: dict[str, Any]) -> None:
    assert engine_share({**TYPED, **own}, 0.5) == 0.8


def test_a_share_is_not_made_up_where_no_rollout_is_known() -> None:
    assert engine_share(TYPED, None) is None


def test_several_models_fit_beside_the_rollout_too_unless_they_say_otherwise() -> None:
    def shares(section: dict[str, Any]) -> list[Any]:
        judges = parse_options(from_reward_model(section, 0.5)).settings["judges"]
        return [judge["backend"]["gpu_memory_utilization"] for judge in judges]

    assert shares(SEVERAL) == [0.8, 0.6]
    unsaid = {
        name: value
        for name, value in SEVERAL["reward_vllm_rollout"].items()
        if name != "gpu_memory_utilization"
    }
    assert shares({**SEVERAL, "reward_vllm_rollout": unsaid}) == [0.33, 0.33]


def test_the_rollouts_share_is_no_business_of_a_judge_behind_a_server() -> None:
    given = {**from_reward_model(TYPED, 0.5), "base_url": "http://j/v1"}
    (judge,) = parse_options(given).settings["judges"]
    assert "gpu_memory_utilization" not in judge["backend"]
    assert from_reward_model({"tinyv_setup": "addon"}, 0.5) == {"tinyv_setup": "addon"}


def test_a_section_that_is_only_verls_own_is_not_ours_to_read() -> None:
    assert from_reward_model({"strategy": "fsdp", "model": {"path": "/m"}, "enable": False}) == {}


def test_several_models_share_one_server_or_have_one_each() -> None:
    each = ["http://a/v1", "http://b/v1"]
    judges = parse_options({**SEVERAL, "base_url": each, "timeout_s": 5}).settings["judges"]
    assert [judge["backend"] for judge in judges] == [
        {"name": "openai", "base_url": "http://a/v1", "model": "/m/a", "timeout_s": 5},
        {"name": "openai", "base_url": "http://b/v1", "model": "/m/b", "timeout_s": 5},
    ]
    shared = parse_options({**SEVERAL, "base_url": "http://a/v1"}).settings["judges"]
    assert [judge["backend"]["base_url"] for judge in shared] == ["http://a/v1"] * 2
    with pytest.raises(ConfigError, match="base_url: 3 entries for 2 reward functions"):
        parse_options({**SEVERAL, "base_url": [*each, "http://c/v1"]})


def test_the_servers_of_a_single_model_may_be_several() -> None:
    replicas = ["http://a/v1", "http://b/v1"]
    one = {"reward_function": "mine", "model": {"path": "/m/a"}, "base_url": replicas}
    (judge,) = parse_options(one).settings["judges"]
    assert judge["backend"] == {"name": "openai", "base_url": replicas, "model": "/m/a"}


@pytest.mark.parametrize("words", [{"strategy": "verifier"}, {"reward_function": ["mine", "yours"]}])
def test_a_model_that_verl_hosts_needs_no_folder_here(words: dict[str, Any]) -> None:
    for judge in parse_options(words, "10.0.0.1:4000", "/models/gv").settings["judges"]:
        assert judge["backend"] == {
            "name": "openai",
            "base_url": "http://10.0.0.1:4000/v1",
            "model": "/models/gv",
        }
    with pytest.raises(ConfigError, match="model is missing"):
        parse_options(words)


def test_one_hosted_model_does_not_stand_in_for_several() -> None:
    with pytest.raises(ConfigError, match="verl hosts one model"):
        parse_options(SEVERAL, "10.0.0.1:4000", "/models/x")
    same = {**SEVERAL, "model": {"path": "/m/a"}}
    assert len(parse_options(same, "10.0.0.1:4000", "/m/a").settings["judges"]) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tinyv_weight": 0.5}, "tinyv_weight: says nothing without tinyv_setup"),
        ({"reward_weight": [0.5]}, "reward_weight: says nothing without reward_function"),
        ({"combine_reward": True}, "combine_reward: says nothing without reward_function"),
        ({"reward_model_type": "grm"}, "reward_model_type: says nothing without reward_function"),
        ({"strategy": "fsdp"}, "strategy: only 'verifier'"),
    ],
)
def test_a_word_that_says_nothing_alone_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_options(given)


def test_a_lonely_word_in_verls_section_is_refused_as_well() -> None:
    section = {"strategy": "fsdp", "enable": False, "tinyv_weight": 0.5}
    with pytest.raises(ConfigError, match="tinyv_weight: says nothing without tinyv_setup"):
        parse_options(from_reward_model(section))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tinyv_setup": "addon", "tinyv_weight": "heavy"}, "tinyv_weight: expected a number, got 'heavy'"),
        ({**SEVERAL, "reward_weight": ["a", 1]}, "reward_weight: expected a number, got 'a'"),
        (
            {**SEVERAL, "reward_vllm_rollout": {"temperature": [[], 1]}},
            "temperature: expected a number, got \\[\\]",
        ),
    ],
)
def test_what_should_be_a_number_is_refused_by_name(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_options(given)


def test_numbers_may_come_as_text_or_be_left_null() -> None:
    def weight(value: Any) -> Any:
        settings = parse_options({"tinyv_setup": "mixed", "tinyv_weight": value}).settings
        return settings["routes"]["*_tinyv*"]["policy"]["judge_weight"]

    assert [weight("0.5"), weight(None)] == [0.5, 1.0]
