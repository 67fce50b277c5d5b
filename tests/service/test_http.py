"""The endpoints of a real service process: what a trainer gets, and what bad clients get."""

from __future__ import annotations

import base64
import gzip
import json
import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import hybridverify as hv
from hybridverify import Sample
from hybridverify.errors import Fault, InputError, ServiceUnavailable
from hybridverify.service import Client
from tests.service.service_process import Running, running

SETTINGS: dict[str, Any] = {
    "policy": "addon",
    "judges": [
        {
            "preset": "generic",
            "backend": {
                "name": "scripted",
                "replies": {"in Ulm": "ACCEPT", "in Bonn": "REJECT", "in Kiel": "no label"},
            },
        }
    ],
    "routes": {"known*": {}},
    "unknown_source": "error",
    "serve": {"max_body_mb": 0.25, "body_timeout_s": 1.0, "max_rows": 500},
}
ROWS: list[dict[str, Any]] = [
    {"response": "3 + 4 = 7. #### 7", "reference": "7"},
    {"response": "#### 8", "reference": 7, "question": "3 + 4?", "data_source": "known one"},
    {"response": r"\boxed{\frac{3}{4}}", "reference": ["1", "0.75"]},
    {
        "response": "It lies in Ulm",
        "reference": "Ulm on the Danube",
        "meta": {"form": "free", "any": [1, {"a": None}]},
    },
    {"response": "It lies in Bonn", "reference": "Ulm on the Danube"},
    {"response": "It lies in Kiel", "reference": "Ulm on the Danube"},
    {"response": r"\boxed{\arctan(x)+\arctan\frac{1}{x}}", "reference": r"\frac{\pi}{2}"},
    {"response": "", "reference": "7"},
    {"response": "7", "reference": ""},
    {"response": "\ud800 \x00 \u202e 7", "reference": "7"},
    {"response": "(" * 5000 + "7", "reference": "7"},
]
SAMPLES = [
    Sample(
        row["response"],
        row["reference"],
        row.get("question", ""),
        row.get("data_source", "known"),
        row.get("meta"),
    )
    for row in ROWS
]
ROWS = [{"data_source": "known", **row} for row in ROWS]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("service"), SETTINGS) as found:
        yield found


@pytest.fixture(scope="module")
def expected() -> list[dict[str, Any]]:
    settings = {name: value for name, value in SETTINGS.items() if name != "serve"}
    with hv.Verifier.from_config({**settings, "cache": None}) as verifier:
        return [grade.to_dict() for grade in verifier.grade(SAMPLES)]


def test_a_batch_gets_the_grades_of_the_verifier(service: Running, expected: list[dict[str, Any]]) -> None:
    assert service.ask("/grade", {"rows": ROWS}) == (200, {"grades": expected})
    outcomes = {grade["outcome"] for grade in expected}
    assert {"correct", "incorrect", "unparseable", "bad_reference"} <= outcomes


def test_one_row_gets_one_grade(service: Running, expected: list[dict[str, Any]]) -> None:
    for row, grade in zip(ROWS, expected, strict=True):
        assert service.ask("/grade", row) == (200, grade)


def test_lines_come_back_as_lines(service: Running, expected: list[dict[str, Any]]) -> None:
    body = "\n".join(json.dumps(row) for row in ROWS).encode() + b"\n\n"
    status, text = service.ask_text("/grade", body, {"Content-Type": "application/x-ndjson"})
    lines = sorted((json.loads(line) for line in text.splitlines()), key=lambda line: line["row"])
    assert (status, lines) == (200, [{"row": row, **grade} for row, grade in enumerate(expected)])


def test_the_client_gets_equal_grades(service: Running) -> None:
    settings = {name: value for name, value in SETTINGS.items() if name != "serve"}
    with hv.Verifier.from_config({**settings, "cache": None}) as verifier, Client(service.base_url) as client:
        own = verifier.grade(SAMPLES * 40)
        assert [grade.to_dict() for grade in client.grade(SAMPLES * 40)] == [grade.to_dict() for grade in own]
        (asked,), (told,) = verifier.grade(SAMPLES[5:6]), client.grade(SAMPLES[5:6])
        assert [vote.outcome for vote in told.votes] == [vote.outcome for vote in asked.votes]
        assert client.grade([]) == []


def test_openrlhf_gets_its_form(service: Running) -> None:
    body = {
        "query": ["6*7?#### 42<|im_end|>", "6*7?#### 41"],
        "prompts": ["6*7?"] * 2,
        "labels": ["42", "42"],
    }
    paid = {"rewards": [1.0, 0.0], "scores": [1.0, 0.0], "extra_logs": {"hv_graded": [1.0, 1.0]}}
    assert service.ask("/get_reward?data_source=known", body) == (200, paid)


def test_a_row_without_a_label_has_no_grade_and_the_others_have(service: Running) -> None:
    row = {"response": "#### 42", "data_source": "known"}
    rows = [{**row, "reference": "42"}, {**row, "reference": None}]
    status, told = service.ask("/grade", {"rows": rows})
    assert status == 200
    assert [grade["outcome"] for grade in told["grades"]] == ["correct", "bad_reference"]
    body = {"query": ["#### 42"] * 3, "prompts": [""] * 3, "labels": ["42", None, [None, "42"]]}
    paid = {
        "rewards": [1.0, 0.5, 1.0],
        "scores": [1.0, 0.5, 1.0],
        "extra_logs": {"hv_graded": [1.0, 0.0, 1.0]},
    }
    assert service.ask("/get_reward?data_source=known&ungraded=0.5", body) == (200, paid)
    status, told = service.ask("/get_reward?data_source=known", body)
    assert status == 503
    assert told["error"].startswith("row 1 has no grade (bad_reference: ")
    assert (
        service.ask("/get_reward?data_source=known", {"prompt": "", "response": "7", "label": None})[0] == 503
    )


def test_slime_gets_a_number(service: Running) -> None:
    body = {"prompt": "6*7?", "response": "#### 42", "label": "42"}
    assert service.ask("/get_reward?data_source=known", body) == (200, 1.0)


def test_a_row_without_a_grade_is_no_zero_for_a_trainer(service: Running) -> None:
    body = {"prompt": "", "response": "It lies in Kiel", "label": "Ulm on the Danube"}
    status, told = service.ask("/get_reward?data_source=known", body)
    assert status == 503
    assert told["error"].startswith("row 0 has no grade (unparseable: ")
    assert service.ask("/get_reward?data_source=known&ungraded=-0.25", body) == (200, -0.25)
    status, told = service.ask("/get_reward?data_source=known&ungraded=x", body)
    assert (status, told["error"]) == (422, "?ungraded: expected a number, or error, got text")
    assert service.ask("/get_reward?data_source=known&ungraded=--1", body)[0] == 422


def test_nemo_gym_gets_its_form(service: Running) -> None:
    message = {"type": "message", "content": [{"type": "output_text", "text": "#### 42"}]}
    row = {
        "responses_create_params": {"input": "6*7?"},
        "response": {"output": [message]},
        "expected_answer": "42",
        "data_source": "known",
        "id": 5,
    }
    status, told = service.ask("/verify", row)
    assert (status, told["reward"], told["mask_sample"], told["id"]) == (200, 1.0, False, 5)
    assert service.ask("/seed_session", {}) == (200, {})


def test_a_row_that_can_be_read_can_be_written_again_or_is_refused(service: Running) -> None:
    """NeMo Gym gets its row back. A value may be nested so deeply that only reading it succeeds."""
    row = json.dumps({"response": {"output": []}, "expected_answer": "42", "question": "6*7?"})[:-1]
    for depth in range(800, 1000, 8):
        body = f'{row}, "data_source": "known", "extra": {"[" * depth}{"]" * depth}}}'.encode()
        status, told = service.ask("/verify", body)
        assert status == 200 or (status, "nested too deeply" in told["error"]) == (400, True), depth


def test_a_compressed_body_is_refused_and_a_plain_one_may_say_so(service: Running) -> None:
    status, told = service.ask(
        "/grade", gzip.compress(json.dumps(ROWS[0]).encode()), {"Content-Encoding": "gzip"}
    )
    assert (status, told["error"]) == (
        415,
        "content-encoding: expected none, got 'gzip'; send the body as it is",
    )
    assert service.ask("/grade", ROWS[0], {"Content-Encoding": "identity"})[0] == 200


def test_health_and_metrics_are_told(service: Running) -> None:
    status, told = service.ask("/health")
    assert (status, told["status"], told["version"]) == (200, "ok", hv.__version__)
    service.ask("/grade", {"rows": [ROWS[0], ROWS[3]]})  # a row for the rules and one for the judge
    service.ask("/no/such/path")
    status, text = service.ask_text("/metrics")
    assert status == 200
    for line in (
        'hybridverify_requests_total{path="/grade",status="200"}',
        'hybridverify_requests_total{path="other",status="404"}',
        'hybridverify_rows_total{outcome="correct"}',
        'hybridverify_request_seconds_count{path="/grade"}',
        "hybridverify_rows_held 0.0",
        "hybridverify_judge_asked_total",
    ):
        assert line in text, line


BAD = [
    (b"{", 400, "body: not JSON"),
    (b"\xff{}", 400, "body: not UTF-8, at byte 0"),
    (b"[" * 100_000, 400, "body: not JSON that is read here: nested too deeply"),
    (b'{"rows": [], "deadline_s": NaN}', 400, "NaN"),
    (b'{"rows": [], "deadline_s": ' + b"9" * 5000 + b"}", 400, "body: not JSON"),
    (b'{"response": "7", "reference": 1e999}', 400, "body: not JSON: 1e999 is too large a number"),
    (b'{"response": "7", "reference": "7", "meta": {"a": [-1e999]}}', 400, "-1e999 is too large a number"),
    (b"\xef\xbb\xbf{}", 400, "body: not JSON"),
    (b'{"response": "\xed\xa0\x80", "reference": "7"}', 400, "body: not UTF-8, at byte 14"),
    (
        b'{"rows": [], "deadline_s": ' + b"9" * 400 + b"}",
        422,
        "body, deadline_s: expected a number from 0, got 99999",
    ),
    (b'{"rows": [], "\\ud800": 1}', 422, "body, '\\ud800': no such field"),
    (b"[]", 422, "body: expected an object, got a list"),
    (b"7", 422, "body: expected an object, got a number"),
    (b'{"rows": {}}', 422, "body, rows: expected a list, got an object"),
    (b'{"rows": [], "row": 1}', 422, "body, 'row': no such field; did you mean 'rows'?"),
    (b'{"rows": [], "full": 1}', 422, "body, full: expected true or false, got a number"),
    (b'{"rows": [], "deadline_s": -1}', 422, "body, deadline_s: expected a number from 0, got -1"),
    (b'{"rows": [{"response": "7", "reference": "7"}, 5]}', 422, "row 1: expected an object, got a number"),
    (b'{"rows": [{"response": "7"}]}', 422, "row 0, reference: missing"),
    (b'{"rows": [{"response": null, "reference": "7"}]}', 422, "row 0, response: expected text, got null"),
    (b'{"rows": [{"response": "7", "reference": true}]}', 422, "row 0, reference: expected text, a number"),
    (b'{"rows": [{"response": "7", "reference": ["7", {}]}]}', 422, "row 0, reference[1]: expected text"),
    (b'{"rows": [{"response": "7", "reference": "7", "meta": []}]}', 422, "row 0, meta: expected an object"),
    (
        b'{"rows": [{"response": "7", "reference": "7", "data_source": 1}]}',
        422,
        "row 0, data_source: expected text",
    ),
    (b'{"response": "7", "reference": "7", "answer": "7"}', 422, "body, 'answer': no such field"),
    (b'{"response": "7", "reference": "7", "data_source": "other"}', 422, "data_source 'other' has no route"),
    (json.dumps({"rows": ROWS[:1] * 501}).encode(), 413, "501 rows, and a request may have 500"),
    (b'{"rows": [' + b" " * 300_000 + b"]}", 413, "body: more than 0.25 MiB"),
]


@pytest.mark.parametrize(("body", "status", "fault"), BAD, ids=[fault[:30] for _, _, fault in BAD])
def test_a_bad_body_gets_one_line(service: Running, body: bytes, status: int, fault: str) -> None:
    got, told = service.ask("/grade", body)
    assert (got, list(told)) == (status, ["error"])
    assert fault in told["error"]
    assert "\n" not in told["error"]
    assert service.ask("/grade", ROWS[0])[0] == 200


def test_a_bad_line_names_its_row(service: Running) -> None:
    lines = {"Content-Type": "application/x-ndjson"}
    body = json.dumps(ROWS[0]).encode() + b"\n{\n"
    assert service.ask("/grade", body, lines) == (
        400,
        {"error": "row 1: not JSON: Expecting property name enclosed in double quotes, at character 1"},
    )


def test_lines_are_refused_before_the_answer_begins(service: Running) -> None:
    lines = {"Content-Type": "application/x-ndjson"}
    body = b"\n".join([json.dumps(ROWS[0]).encode()] * 501)
    assert service.ask("/grade", body, lines)[0] == 413
    body = json.dumps({**ROWS[0], "data_source": "other"}).encode()
    assert service.ask("/grade", body, lines)[0] == 422


def test_a_name_of_a_client_is_shown_on_one_line(service: Running) -> None:
    status, told = service.ask("/grade", {"response": "7", "reference": "7", "a\nb\x1b[2J" + "c" * 500: 1})
    assert status == 422
    assert "\\n" in told["error"]
    assert len(told["error"]) < 250


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/grade", {}, 405),
        ("POST", "/nothing", {}, 404),
        ("POST", "/grade", {"Content-Type": "text/plain"}, 415),
        ("POST", "/grade", {"Content-Encoding": "gzip"}, 415),
        ("POST", "/grade?deadline=5", {}, 422),
        ("POST", "/grade", {"X-Deadline-S": "soon"}, 422),
        ("POST", "/grade?deadline_s=nan", {}, 422),
        ("POST", "/grade?deadline_s=1_0", {}, 422),
        ("POST", "/grade?deadline_s=%D9%A3", {}, 422),
        ("POST", "/grade?deadline_s=" + "0" * 50 + "9", {}, 422),
        ("POST", "/grade/", {}, 404),
        ("TRACE", "/grade", {}, 405),
    ],
)
def test_a_bad_address_or_header_gets_one_line(
    service: Running, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    got, told = service.ask(path, ROWS[0], headers, method)
    assert (got, list(told)) == (status, ["error"])


def status_of(connection: socket.socket) -> int:
    return int(connection.makefile("rb").readline().split()[1])


def test_slow_clients_are_told_and_the_others_go_on(service: Running) -> None:
    head = b"POST /grade HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n"
    slow = [service.socket() for _ in range(40)]
    for number, connection in enumerate(slow):
        connection.sendall(head + b"{" if number % 2 else head[:30])
    assert service.ask("/grade", ROWS[0])[0] == 200
    assert {status_of(connection) for connection in slow} == {408}
    for connection in slow:
        connection.close()


def test_a_body_of_a_hundred_megabytes_is_not_read(service: Running) -> None:
    with service.socket() as connection:
        connection.sendall(
            b"POST /grade HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 104857600\r\n\r\n{"
        )
        assert status_of(connection) == 413
    with service.socket() as connection:  # a body that does not tell its length
        connection.sendall(
            b"POST /grade HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        try:
            for _ in range(100):
                connection.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
        except OSError:
            pass  # it has hung up
        else:
            assert status_of(connection) == 413
    assert service.ask("/grade", ROWS[0])[0] == 200


def test_clients_that_hang_up_are_forgotten(service: Running) -> None:
    body = json.dumps({"rows": ROWS[:1] * 400}).encode()
    head = f"POST /grade HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    for _ in range(10):
        with service.socket() as connection:
            connection.sendall(head.encode() + body)
    assert service.ask("/grade", ROWS[0])[0] == 200
    assert service.ask_text("/metrics")[0] == 200


def test_a_wrong_address_is_told_the_right_ones(service: Running) -> None:
    paths = (
        "/aggregate_metrics, /close_session, /get_reward, /grade, /health, /metrics, /seed_session, /verify"
    )
    assert service.ask("/grades", ROWS[0]) == (404, {"error": f"'/grades': not found; there are {paths}"})
    assert service.ask("/grade") == (405, {"error": "'/grade': ask by POST"})
    assert service.ask("/health", {}) == (405, {"error": "'/health': ask by GET"})
    told = {"error": "content-type: expected application/json or application/x-ndjson, got 'text/plain'"}
    assert service.ask("/grade", ROWS[0], {"Content-Type": "text/plain"}) == (415, told)


POST = b"POST /grade HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
NO_HTTP = {
    "another protocol": b"\x16\x03\x01 hello\r\n\r\n",
    "no host": b"GET /health HTTP/1.1\r\n\r\n",
    "a negative length": POST + b"content-length: -5\r\n\r\n{}",
    "a length in words": POST + b"content-length: two\r\n\r\n{}",
    "two lengths": POST + b"content-length: 2\r\ncontent-length: 3\r\n\r\n{}",
    "a coding that nobody knows": POST + b"transfer-encoding: gzip\r\n\r\n{}",
    "a negative chunk": POST + b"transfer-encoding: chunked\r\n\r\n-5\r\n{}\r\n0\r\n\r\n",
    "a chunk without a length": POST + b"transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a control character": POST + b"x: a\x00b\r\n\r\n{}",
    "an address in bytes": b"GET /\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n",
}


@pytest.mark.parametrize("sent", NO_HTTP.values(), ids=NO_HTTP.keys())
def test_what_is_no_http_gets_one_line(service: Running, sent: bytes) -> None:
    with service.socket() as connection:
        connection.sendall(sent)
        head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
    told = json.loads(body)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert list(told) == ["error"]
    assert told["error"].startswith("not HTTP that is read here: ")
    assert service.ask("/grade", ROWS[0])[0] == 200


def test_a_body_in_the_smallest_chunks_is_read(service: Running) -> None:
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in json.dumps(ROWS[0]).encode())
    with service.socket() as connection:
        connection.sendall(POST + b"transfer-encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n")
        assert status_of(connection) == 200


def test_many_clients_at_once_get_their_own_answers(service: Running, expected: list[dict[str, Any]]) -> None:
    picked = [0, 1, 2, 3, 4, 7]

    def ask(number: int) -> bool:
        at = picked[number % len(picked)]
        return bool(service.ask("/grade", ROWS[at]) == (200, expected[at]))

    with ThreadPoolExecutor(30) as threads:
        assert all(threads.map(ask, range(300)))


def test_the_client_names_the_row_of_the_whole_call(service: Running) -> None:
    samples = [SAMPLES[0]] * 300 + [Sample("7", "7", "", "no such source")]
    with Client(service.base_url) as client, pytest.raises(InputError, match="has no route"):
        client.grade(samples)


def test_a_deadline_leaves_rows_ungraded_and_never_wrong(tmp_path: Path) -> None:
    judge = {"preset": "generic", "backend": {"name": "scripted", "replies": "ACCEPT", "delay_s": 600}}
    with running(tmp_path, {"policy": "addon", "judges": [judge], "serve": {"stop_grace_s": 0.1}}) as service:
        rows = [
            {"response": "#### 7", "reference": "7"},
            {"response": "in Ulm", "reference": "Ulm on the Danube"},
        ]
        late = {
            "score": 0.0,
            "graded": False,
            "outcome": "timed_out",
            "reason": "the request's deadline passed",
        }
        answers = [
            service.ask("/grade", {"rows": rows, "deadline_s": 0.2}),
            service.ask("/grade", {"rows": rows}, {"X-Deadline-S": "0.2"}),
            service.ask("/grade?deadline_s=0.2", {"rows": rows}),
        ]
        for status, told in answers:
            assert status == 200
            sure, open_row = told["grades"]
            assert (sure["score"], sure["graded"]) == (1.0, True)
            assert {name: open_row[name] for name in late} == late
        lines = "\n".join(map(json.dumps, rows)).encode()
        _, text = service.ask_text("/grade?deadline_s=0.2", lines, {"Content-Type": "application/x-ndjson"})
        assert [json.loads(line)["outcome"] for line in text.splitlines()] == ["correct", "timed_out"]
        slime = {"prompt": "", "response": "in Ulm", "label": "Ulm on the Danube"}
        assert service.ask("/get_reward?deadline_s=0.2", slime)[0] == 503
        with Client(service.base_url, deadline_s=0.2) as client:
            grades = client.grade([Sample(row["response"], row["reference"]) for row in rows])
            assert [grade.graded for grade in grades] == [True, False]
        assert service.ask("/get_reward?deadline_s=0.2", slime)[0] == 503
    assert (tmp_path / "errors").read_text().count("?ungraded=NUMBER in the address pays such rows") == 1


def test_a_token_is_asked_for(tmp_path: Path) -> None:
    secret = "correct horse"
    variables = {"HV_TOKEN": secret}
    with running(
        tmp_path, {}, "--token-env", "HV_TOKEN", "--host", "0.0.0.0", variables=variables
    ) as service:
        service.base_url = service.base_url.replace("0.0.0.0", "127.0.0.1")
        row = {"response": "#### 7", "reference": "7"}

        def basic(password: str) -> dict[str, str]:
            return {"Authorization": "Basic " + base64.b64encode(f"hv:{password}".encode()).decode()}

        for headers in (
            {},
            {"Authorization": secret},
            {"Authorization": "Bearer correct"},
            {"Authorization": "Bearer caf\xe9"},
            {"Authorization": "Basic ???"},
            basic("wrong"),
        ):
            assert service.ask("/grade", row, headers)[0] == 401
            assert service.ask_text("/metrics", None, headers)[0] == 401
        assert service.ask("/grade", row, {"Authorization": f"Bearer {secret}"})[0] == 200
        assert service.ask("/grade", row, basic(secret))[0] == 200
        assert service.ask("/health")[0] == 200
        sample = Sample("#### 7", "7")
        with Client(service.base_url, secret) as client:
            assert client.grade([sample])[0].score == 1.0
        inside = service.base_url.replace("//", "//any:correct%20horse@")
        with Client(inside) as client:
            assert client.grade([sample])[0].score == 1.0
            assert "horse" not in client.base_url
        with Client(service.base_url) as client, pytest.raises(ServiceUnavailable, match="token") as refused:
            client.grade([sample])
        assert refused.value.fault is Fault.SETTINGS


def test_a_full_service_answers_429(tmp_path: Path) -> None:
    judge = {"preset": "generic", "backend": {"name": "scripted", "replies": "ACCEPT", "delay_s": 600}}
    settings = {"policy": "addon", "judges": [judge], "serve": {"queue_rows": 4, "stop_grace_s": 0.1}}
    with running(tmp_path, settings) as service:
        rows = [{"response": f"in Ulm {number}", "reference": "Ulm on the Danube"} for number in range(4)]
        waiting = threading.Thread(target=service.ask, args=("/grade", {"rows": rows, "deadline_s": 30}))
        waiting.start()
        while "hybridverify_rows_held 4.0" not in service.ask_text("/metrics")[1]:
            pass
        with service.socket() as connection:
            body = json.dumps(rows[0]).encode()
            head = f"POST /grade HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
            connection.sendall(head.encode() + b"\r\n\r\n" + body)
            answer = connection.recv(65536).decode()
        assert answer.startswith("HTTP/1.1 429 ")
        assert "retry-after: 1\r\n" in answer.lower()
        service.process.terminate()
        waiting.join()


def test_clients_of_a_full_service_come_again_until_they_are_answered(tmp_path: Path) -> None:
    judge = {"preset": "generic", "backend": {"name": "scripted", "replies": "ACCEPT", "delay_s": 0.2}}
    settings = {"policy": "addon", "judges": [judge], "serve": {"queue_rows": 4}}
    asked = [
        [Sample(f"in Ulm {turn} {number}", "Ulm on the Danube") for number in range(4)] for turn in range(8)
    ]
    with running(tmp_path, settings) as service:

        def ask(rows: list[Sample]) -> list[float]:
            with Client(service.base_url, retry_for_s=180) as client:
                return [grade.score for grade in client.grade(rows)]

        with ThreadPoolExecutor(len(asked)) as threads:  # each has as many rows as the queue
            assert list(threads.map(ask, asked)) == [[1.0] * 4] * len(asked)
        told = service.ask_text("/metrics")[1]
    assert re.search(r'hybridverify_requests_total\{path="/grade",status="429"\} [1-9]', told)
    assert 'hybridverify_rows_total{outcome="correct"} 32.0' in told


def test_sigterm_answers_what_is_open(tmp_path: Path) -> None:
    judge = {"preset": "generic", "backend": {"name": "scripted", "replies": "ACCEPT", "delay_s": 1.5}}
    with running(tmp_path, {"policy": "addon", "judges": [judge]}) as service:
        row = {"response": "in Ulm", "reference": "Ulm on the Danube"}
        with ThreadPoolExecutor(20) as threads:
            answers = [threads.submit(service.ask, "/grade", row) for _ in range(20)]
            while "hybridverify_rows_held 20.0" not in service.ask_text("/metrics")[1]:
                pass
            service.process.terminate()
            assert [(answer.result()[0], answer.result()[1]["score"]) for answer in answers] == [
                (200, 1.0)
            ] * 20
        assert service.process.wait(200) == 0
    assert (tmp_path / "errors").read_text() == "stopped\n"
