"""Chat templates rendered here give what the server would have made; and which prompts travel in which form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from hybridverify.errors import ConfigError
from hybridverify.judges.backends.openai import OpenAIBackend
from hybridverify.judges.backends.render import (
    FastTokenizer,
    TemplateRefusal,
    estimate_tokens,
    load_tokenizer,
)
from hybridverify.judges.base import Failure, Message, Prompt, Reply, Sampling
from hybridverify.types import Outcome
from tests.judges.server import JudgeServer

tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("jinja2")

GREEDY = Sampling()
ADDED = {"__type": "AddedToken", "content": "<|im_end|>", "special": True}
"""How transformers writes down most special tokens."""
TURNS = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] "
    "+ '<|im_end|>' + '\n' }}{% endfor %}"
)
OPENING = "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
GOLDEN = "<|im_start|>system\nBe fair.<|im_end|>\n<|im_start|>user\nEqual?<|im_end|>\n<|im_start|>assistant\n"
PLAIN_TEMPLATE = TURNS + OPENING
BOS_TEMPLATE = "{{ bos_token }}" + TURNS + OPENING
THINKING_TEMPLATE = PLAIN_TEMPLATE + (
    "{% if enable_thinking is defined and enable_thinking is false %}{{ '<think>\n\n</think>\n\n' }}{% endif %}"
)
NO_SYSTEM_TEMPLATE = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    + PLAIN_TEMPLATE
)


def folder(path: Path, template: object = PLAIN_TEMPLATE, adds_bos: bool = False, **settings: Any) -> Path:
    """A tokenizer of bytes alone, as a model folder has it: every text goes in and comes out unchanged."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({letter: place for place, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<s>", "<|im_start|>", "<|im_end|>"])
    if adds_bos:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))]
        )
    path.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(path / "tokenizer.json"))
    config = {"bos_token": "<s>", "eos_token": ADDED, "pad_token": None, **settings}
    if template is not None:
        config["chat_template"] = template
    (path / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    return path


def reader(path: Path) -> Any:
    """What a model reads: the text behind token ids, special tokens included."""
    tokenizer = tokenizers.Tokenizer.from_file(str(path / "tokenizer.json"))
    return lambda prompt: (
        prompt if isinstance(prompt, str) else tokenizer.decode(prompt, skip_special_tokens=False)
    )


def chats(*texts: str, system: str = "") -> list[Prompt]:
    head = (Message("system", system),) if system else ()
    return [Prompt(messages=(*head, Message("user", text))) for text in texts]


def ask(server: JudgeServer, prompts: Sequence[Prompt], path: Path | str = "", **options: Any) -> list[Any]:
    backend = OpenAIBackend("m", server.url, tokenizer=str(path), backoff_s=0.01, **options)
    try:
        results = backend.complete(prompts, GREEDY)
    finally:
        backend.close()
    return [result.texts[0] if isinstance(result, Reply) else result for result in results]


@pytest.mark.parametrize("adds_bos", [False, True])
@pytest.mark.parametrize(
    ("template", "golden"),
    [
        (PLAIN_TEMPLATE, GOLDEN),
        (BOS_TEMPLATE, "<s>" + GOLDEN),
    ],
    ids=["plain", "bos"],
)
def test_the_judge_reads_the_golden_string_with_no_token_twice(
    tmp_path: Path, template: str, golden: str, adds_bos: bool
) -> None:
    path = folder(tmp_path / "judge", template, adds_bos)
    with JudgeServer(reply=reader(path)) as server:
        assert ask(server, chats("Equal?", system="Be fair."), path) == [golden]
        assert [asked.path for asked in server.asked] == ["/v1/completions"]


@pytest.mark.parametrize("adds_bos", [False, True])
def test_a_chat_sent_as_text_forbids_the_server_to_add_tokens(tmp_path: Path, adds_bos: bool) -> None:
    path = folder(tmp_path / "judge", BOS_TEMPLATE, adds_bos)
    with JudgeServer(reply=reader(path)) as server:
        golden = "<s><|im_start|>user\na<|im_end|>\n<|im_start|>assistant\n"
        assert ask(server, chats("a"), path, request="completions_text") == [golden]
        assert server.asked[0].body["add_special_tokens"] is False


def test_a_raw_prompt_goes_as_ids_only_where_the_tokenizer_adds_none(tmp_path: Path) -> None:
    prompt = [Prompt(text="User: equal? Assistant:")]
    adding, plain = folder(tmp_path / "adding", adds_bos=True), folder(tmp_path / "plain")
    with JudgeServer(reply=reader(plain)) as server:
        assert ask(server, prompt, plain) == ["User: equal? Assistant:"]
        assert isinstance(server.prompts()[0], list)
        assert ask(server, prompt, adding) == ["User: equal? Assistant:"]
        assert server.prompts()[1] == "User: equal? Assistant:"
        assert ask(server, prompt, adding, request="completions_ids") == ["<s>User: equal? Assistant:"]


def test_many_chats_share_a_body_and_keep_their_order(tmp_path: Path) -> None:
    path = folder(tmp_path / "judge")
    with JudgeServer(reply=reader(path)) as server:
        words = [f"pair {number} \\frac{{1}}{{2}} 答 🙂" for number in range(150)]
        replies = ask(server, chats(*words), path)
        assert replies == [f"<|im_start|>user\n{w}<|im_end|>\n<|im_start|>assistant\n" for w in words]
        assert len(server.asked) == 3


def test_without_a_tokenizer_a_chat_stays_a_chat() -> None:
    with JudgeServer(reply=str) as server:
        assert ask(server, [*chats("a", "b"), Prompt(text="raw")]) == ["a", "b", "raw"]
        paths = [asked.path for asked in server.asked]
    assert sorted(paths) == ["/v1/chat/completions", "/v1/chat/completions", "/v1/completions"]


def test_the_form_can_be_fixed(tmp_path: Path) -> None:
    path = folder(tmp_path / "judge")
    with JudgeServer(reply=reader(path)) as server:
        assert ask(server, [*chats("a"), Prompt(text="raw")], path, request="chat") == ["a", "raw"]
        assert {asked.path for asked in server.asked} == {"/v1/chat/completions"}


def test_a_chat_that_cannot_be_rendered_as_asked_is_a_failure(tmp_path: Path) -> None:
    path = folder(tmp_path / "judge", template=None)
    with JudgeServer(reply=str) as server:
        for options in ({"request": "completions_text"}, {"request": "completions_ids", "path": path}):
            (result,) = ask(server, chats("a"), **options)
            assert isinstance(result, Failure)
            assert "need a tokenizer with a chat template" in result.reason
        assert ask(server, chats("a"), path) == ["a"]  # auto: no template, so a chat request


def test_a_template_that_refuses_a_prompt_fails_it_alone(tmp_path: Path) -> None:
    path = folder(tmp_path / "judge", NO_SYSTEM_TEMPLATE)
    with JudgeServer(reply=lambda _: "True") as server:
        results = ask(server, [*chats("a"), *chats("b", system="no"), *chats("c")], path)
    assert results[0] == results[2] == "True"
    assert results[1] == Failure(Outcome.FAILED, "the chat template refuses the messages (TemplateError)")


def test_options_of_the_template_reach_it_and_not_the_completions_request(tmp_path: Path) -> None:
    path = folder(tmp_path / "judge", THINKING_TEMPLATE)
    options = {"chat_template_kwargs": {"enable_thinking": False}}
    with JudgeServer(reply=reader(path)) as server:
        (seen,) = ask(server, chats("a"), path, extra_body={**options, "top_k": 1})
        assert seen.endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n")
        assert "chat_template_kwargs" not in server.asked[0].body
        assert server.asked[0].body["top_k"] == 1
        assert not ask(server, chats("a"), path)[0].endswith("</think>\n\n")


def test_a_template_of_the_request_is_left_to_the_server(tmp_path: Path) -> None:
    path = folder(tmp_path / "judge")
    with JudgeServer(reply=str) as server:
        assert ask(server, chats("a"), path, extra_body={"chat_template": "{{ 1 }}"}) == ["a"]
        assert server.asked[0].path == "/v1/chat/completions"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (
            "{% for m in messages %}{% if loop.index0 == 1 %}{% break %}{% endif %}{{ m.content }}{% endfor %}",
            "<&>é",
        ),
        ("{{ messages[0].content | tojson }}", '"<&>é"'),
        ("{% generation %}{{ messages[0].content }}{% endgeneration %}!", "<&>é!"),
        ("{{ strftime_now('%Y') | length }}", "4"),
        ("{{ eos_token }}{{ pad_token }}{{ bos_token }}", "<|im_end|><s>"),
        ("  {% if true %}\n  x\n  {% endif %}", "  x\n"),
        ([{"name": "tool_use", "template": "no"}, {"name": "default", "template": "yes"}], "yes"),
    ],
)
def test_templates_are_rendered_in_the_environment_they_were_written_for(
    tmp_path: Path, template: object, text: str
) -> None:
    tokenizer = FastTokenizer(folder(tmp_path, template))
    assert tokenizer.render([Message("user", "<&>é"), Message("user", "b")], {}) == text


@pytest.mark.parametrize(
    "template",
    ["{{ ''.__class__.__mro__ }}", "{{ messages.append(1) }}", "{{ 1 + messages[0].content }}", "{{ x.y }}"],
)
def test_a_template_that_misbehaves_is_refused(tmp_path: Path, template: str) -> None:
    with pytest.raises(TemplateRefusal):
        FastTokenizer(folder(tmp_path, template)).render([Message("user", "a")], {})


def test_a_template_file_comes_before_the_settings(tmp_path: Path) -> None:
    path = folder(tmp_path, "old")
    (path / "chat_template.jinja").write_text("new", encoding="utf-8")
    assert FastTokenizer(path).render([Message("user", "a")], {}) == "new"


def test_braces_in_a_message_are_text(tmp_path: Path) -> None:
    rendered = FastTokenizer(folder(tmp_path)).render([Message("user", "{{ bos_token }}{% if %}")], {})
    assert "{{ bos_token }}{% if %}" in rendered


def test_a_model_in_the_local_cache_is_found_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("huggingface_hub")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    commit = "a" * 40
    cached = tmp_path / "models--org--judge"
    folder(cached / "snapshots" / commit)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text(commit)
    assert load_tokenizer("org/judge") is not None
    assert load_tokenizer("org/judge", revision=commit) is not None
    assert load_tokenizer("org/judge", revision="b" * 40) is None
    assert load_tokenizer("org/other") is None
    assert load_tokenizer("not a name / at all") is None


def test_a_broken_tokenizer_is_an_error_where_it_was_named_and_a_warning_elsewhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = folder(tmp_path / "judge")
    (path / "tokenizer.json").write_text("{", encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot be read"):
        OpenAIBackend("m", "localhost:1", tokenizer=str(path))
    backend = OpenAIBackend(str(path), "localhost:1")
    assert backend.count_tokens(["abcd"]) == [2]
    assert "cannot be read and is not used" in caplog.text


def test_tokens_are_counted_by_the_tokenizer_if_there_is_one(tmp_path: Path) -> None:
    with_one = OpenAIBackend("m", "localhost:1", tokenizer=str(folder(tmp_path, adds_bos=True)))
    assert with_one.count_tokens(["abc", "", "é\ud800"]) == [3, 0, 3]
    assert OpenAIBackend("m", "localhost:1").count_tokens(["abc", ""]) == [1, 0]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # The larger of the counts by the tokenizers of Qwen2.5 and SmolLM2.
        ("The quick brown fox jumps over the lazy dog. " * 20, 201),
        ("\\frac{x^{2}+1}{\\sqrt{2}}" * 20, 280),
        ("3.14159265358979323846", 22),
        ("因此最终答案是四十二。", 20),
        ("Ответ равен сорока двум.", 19),
    ],
)
def test_the_estimate_is_no_less_than_real_counts_and_no_more_than_twice(text: str, tokens: int) -> None:
    assert tokens <= estimate_tokens(text) <= 2 * tokens


def test_rendering_equals_that_of_transformers(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    messages: list[Mapping[str, str]] = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "<&> é\n"},
    ]
    chat = [Message(message["role"], message["content"]) for message in messages]
    for place, template in enumerate((PLAIN_TEMPLATE, BOS_TEMPLATE, THINKING_TEMPLATE)):
        for adds_bos in (False, True):
            path = folder(tmp_path / f"{place}{adds_bos}", template, adds_bos)
            ours, theirs = (
                FastTokenizer(path),
                transformers.PreTrainedTokenizerFast.from_pretrained(str(path)),
            )
            options: dict[str, Any] = {"enable_thinking": False}
            text = theirs.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **options)
            assert ours.render(chat, options) == text
            for adds in (False, True):
                assert ours.encode([text], adds) == [theirs(text, add_special_tokens=adds)["input_ids"]]
