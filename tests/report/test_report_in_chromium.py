"""The page in a real browser: filters, search, addresses, keys, hostile rows, and not one request."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.report import report_rows
from tests.report.chromium import browser, run_page

PHONE = {"deviceMetrics": {"width": 390, "height": 844, "pixelRatio": 2.0}}


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_page(tmp_path_factory.mktemp("page"), report_rows.pairs())


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [report_rows.hostile(), *report_rows.pairs(4)]
    return run_page(tmp_path_factory.mktemp("hostile"), rows)


@pytest.fixture
def opened(driver: Any, page: Path) -> Any:
    show(driver, page)
    return driver


def show(driver: Any, page: Path, state: str = "") -> None:
    driver.get("about:blank")
    driver.get(page.as_uri() + (f"#{state}" if state else ""))


def ask(driver: Any, expression: str) -> Any:
    return driver.execute_script(f"return {expression}")


def text(driver: Any, selector: str) -> str:
    return str(driver.execute_script("return document.querySelector(arguments[0]).innerText", selector))


def until(driver: Any, expression: str, expected: object) -> None:
    """Wait, as long as a loaded machine may take, until an expression has this value."""
    end = time.monotonic() + 60
    while ask(driver, expression) != expected and time.monotonic() < end:
        time.sleep(0.02)
    assert ask(driver, expression) == expected


def press(driver: Any, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(driver).send_keys(*keys).perform()


def choose(driver: Any, name: str, value: str) -> None:
    driver.execute_script(
        "const s = document.getElementById(arguments[0]); s.value = arguments[1];"
        " s.dispatchEvent(new Event('change', {bubbles: true}))",
        name,
        value,
    )


def numbers(driver: Any) -> list[int]:
    """The rows that the list shows on the screen, from above."""
    found = "[...document.querySelectorAll('.item')].sort((a, b) => a.offsetTop - b.offsetTop).map(i => +i.id.slice(4))"
    return list(ask(driver, found))


def serious(driver: Any) -> list[str]:
    return [
        entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
    ]


LENGTHS = {n: len(report_rows.sample(n).response) for n in range(1, 61)}


@pytest.mark.parametrize(
    ("name", "value", "keeps"),
    [
        ("outcome", "incorrect", lambda n: n % 5 in (2, 3)),
        ("tier", "rule:exact", lambda n: n % 5 in (1, 2)),
        ("tier", "judge", lambda n: n % 5 in (0, 3)),
        ("judge", "failed", lambda n: n % 5 == 4),
        ("differ", "rule and judge", lambda n: n % 5 == 0),
        ("differ", "any", lambda n: n % 5 == 0),
        ("differ", "none", lambda n: n % 5 != 0),
        ("source", "proofs", lambda n: n % 2 == 0),
        ("length", "0-500", lambda n: LENGTHS[n] < 500),
        ("length", "2000-8000", lambda n: 2000 <= LENGTHS[n] < 8000),
    ],
)
def test_a_filter_keeps_its_rows(opened: Any, name: str, value: str, keeps: Callable[[int], bool]) -> None:
    choose(opened, name, value)
    assert text(opened, "#count") == f"{sum(map(keeps, LENGTHS))} of 60 rows"
    shown = numbers(opened)
    assert shown
    assert all(map(keeps, shown))
    assert f"{name}=" in ask(opened, "location.hash")


def test_filters_join_and_are_cleared(opened: Any) -> None:
    choose(opened, "outcome", "correct")
    choose(opened, "source", "sums")
    assert text(opened, "#count") == "12 of 60 rows"
    press(opened, "x")
    assert text(opened, "#count") == "60 rows"
    assert ask(opened, "document.getElementById('outcome').value") == ""


def test_search_finds_words_and_phrases_in_every_text(opened: Any) -> None:
    for query, count in (
        ("WORD17", "1 of 60 rows"),
        ('"question 1 about"', "1 of 60 rows"),
        ("garden differ", "24 of 60 rows"),
        ("server gone", "12 of 60 rows"),
        ('"12 it is"', "12 of 60 rows"),
        ("nowhere", "0 of 60 rows"),
    ):
        opened.execute_script("document.getElementById('q').value = ''")
        press(opened, "/")
        press(opened, query)
        until(opened, "document.getElementById('count').textContent", count)
        press(opened, "\ue00c")
    assert "No row is like this" in text(opened, "#list")


def test_rows_are_sorted(opened: Any) -> None:
    assert numbers(opened)[:4] == [5, 10, 15, 20]  # those that disagree first
    choose(opened, "sort", "number")
    assert numbers(opened)[:4] == [1, 2, 3, 4]
    choose(opened, "sort", "longest")
    assert len(report_rows.sample(numbers(opened)[0]).response) == max(
        len(report_rows.sample(n).response) for n in range(1, 61)
    )


def test_an_address_brings_back_filters_sort_and_row(driver: Any, page: Path) -> None:
    show(driver, page, "q=garden&outcome=incorrect&source=sums&sort=number&row=13")
    assert text(driver, "#count") == "12 of 60 rows"
    assert text(driver, "#detail h2") == "Row 13"
    assert ask(driver, "document.getElementById('q').value") == "garden"
    driver.execute_script("document.querySelectorAll('.item')[0].click()")
    address = ask(driver, "location.href")
    chosen = text(driver, "#detail h2")
    assert chosen != "Row 13"
    driver.get("about:blank")
    driver.get(address)
    assert text(driver, "#detail h2") == chosen
    assert text(driver, "#count") == "12 of 60 rows"
    until(driver, "document.getElementById('rows').getBoundingClientRect().top < innerHeight / 2", True)
    assert ask(driver, "document.querySelectorAll('[aria-selected=true]').length") == 1


def test_the_browsers_way_back_leads_to_the_row_before(opened: Any) -> None:
    opened.execute_script("document.querySelectorAll('.item')[2].click()")
    first = text(opened, "#detail h2")
    opened.execute_script("document.querySelectorAll('.item')[4].click()")
    opened.back()
    until(opened, "document.querySelector('#detail h2').innerText", first)


def test_an_address_with_values_that_no_row_has_shows_no_row(driver: Any, page: Path) -> None:
    show(driver, page, "outcome=%3Cb%3E&row=999&sort=constructor")
    assert text(driver, "#count") == "0 of 60 rows"
    assert serious(driver) == []


def test_figures_link_to_their_rows(opened: Any) -> None:
    opened.execute_script("document.querySelector('#figures a[href=\"#source=sums\"]').click()")
    until(opened, "document.getElementById('count').textContent", "30 of 60 rows")


def test_every_key_does_what_the_page_says(opened: Any) -> None:
    press(opened, "j", "j")
    second = numbers(opened)[1]
    assert text(opened, "#detail h2") == f"Row {second}"
    press(opened, "k")
    assert text(opened, "#detail h2") == f"Row {numbers(opened)[0]}"
    press(opened, "n")
    assert text(opened, "#detail h2") == f"Row {second}"
    press(opened, "p")
    opened.execute_script("document.getElementById('list').focus()")
    press(opened, "\ue010")  # End
    assert text(opened, "#detail h2") == "Row 59"
    press(opened, "\ue013", "\ue011")  # arrow up, Home
    assert text(opened, "#detail h2") == "Row 5"
    press(opened, "\ue007")  # Enter
    assert ask(opened, "document.activeElement.id") == "detail"
    press(opened, "\ue00c")  # Escape
    assert ask(opened, "document.activeElement.id") == "list"
    assert ask(opened, "document.querySelectorAll('#detail math').length") > 0
    press(opened, "m")
    assert ask(opened, "document.querySelectorAll('#detail math').length") == 0
    press(opened, "m")
    theme = ask(opened, "getComputedStyle(document.body).backgroundColor")
    press(opened, "t")
    assert ask(opened, "getComputedStyle(document.body).backgroundColor") != theme
    press(opened, "t", "?")
    assert ask(opened, "document.getElementById('help').open") is True
    press(opened, "\ue00c")
    assert ask(opened, "document.getElementById('help').open") is False


def test_the_answer_is_marked_in_the_response(driver: Any, page: Path) -> None:
    show(driver, page, "row=1")
    marks = "[...document.querySelectorAll('#detail mark')].map(m => m.textContent)"
    assert ask(driver, marks) == ["12"]
    press(driver, "m")
    assert ask(driver, marks) == ["12"]
    assert ask(
        driver, "document.querySelector('#detail mark').previousSibling.textContent.endsWith('boxed{')"
    )
    press(driver, "m")


def test_a_row_tells_what_every_tier_said_and_the_judges_reply(driver: Any, page: Path) -> None:
    show(driver, page, "row=5")
    detail = text(driver, "#detail")
    for part in ("rule:exact", "12 and 13 differ", "judge:tinyv", "the judge says True", "P(yes) 0.97",
                 "True, 12 it is", "≠ rule and judge", "decided by judge", "policy judge_only"):  # fmt: skip
        assert part in detail


def test_a_hostile_row_is_shown_and_does_nothing(driver: Any, hostile_page: Path) -> None:
    show(driver, hostile_page, "row=1")
    detail = text(driver, "#detail")
    for part in ("</script><script>window.pwned = 1</script>", "onerror='window.pwned = 2'", "U+202E", "U+0000",
                 "U+D800", "U+200B", "U+2028", r"\href{javascript:window.pwned=4}", "$5 and $6 is 11"):  # fmt: skip
        assert part in detail
    assert ask(driver, "window.pwned") is None
    assert ask(driver, "document.querySelectorAll('script').length") == 3
    assert ask(driver, "document.querySelectorAll('img, iframe, object, embed, link, base').length") == 0
    assert ask(driver, "document.querySelectorAll('#detail a, #detail [href], #detail [src]').length") == 0
    attributes = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes])"
    assert ask(driver, f"{attributes}.filter(a => /^on/i.test(a.name)).length") == 0
    assert ask(driver, "document.querySelectorAll('#detail *').length") < 5000
    widest = "Math.max(0, ...[...document.querySelectorAll('#detail math')].map(m => m.getBoundingClientRect().height))"
    assert ask(driver, widest) < 400
    press(driver, "j", "k")
    assert text(driver, "#detail h2").startswith("Row ")
    choose(driver, "source", ask(driver, "[...document.getElementById('source').options].at(-1).value"))
    driver.execute_script("document.getElementById('q').value = '<script>'")
    assert serious(driver) == []


def test_no_request_leaves_the_page(driver: Any, hostile_page: Path, page: Path) -> None:
    driver.get_log("performance")
    for each in (hostile_page, page):
        show(driver, each, "row=1")
        press(driver, "j", "j", "m", "m", "t", "t")
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if url.partition("#")[0] not in (hostile_page.as_uri(), page.as_uri())] == []
    refused = "fetch('https://127.0.0.1:9/').then(() => 'sent', () => 'refused')"
    assert driver.execute_async_script(f"const done = arguments[0]; {refused}.then(done)") == "refused"
    for injection in (
        "const s = document.createElement('script'); s.textContent = 'window.injected = 1'; document.body.append(s)",
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.injected = 1\">')",
        "document.getElementById('count').innerHTML = '<svg onload=\"window.injected = 1\">'",
    ):
        driver.execute_script(
            f"try {{ {injection} }} catch (error) {{ window.refused = (window.refused || 0) + 1 }}"
        )
    assert ask(driver, "window.injected") is None
    assert ask(driver, "window.refused") == 3


def test_ten_thousand_rows_are_few_elements(driver: Any, tmp_path: Path) -> None:
    show(driver, run_page(tmp_path, report_rows.pairs(9000)))
    assert text(driver, "#count") == "9,000 rows"
    choose(driver, "sort", "number")
    assert len(numbers(driver)) < 60
    driver.execute_script("document.getElementById('list').focus()")
    press(driver, "\ue010")
    assert text(driver, "#detail h2") == "Row 9000"
    until(driver, "document.getElementById('row-9000') !== null", True)
    assert len(numbers(driver)) < 60


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(opened: Any, theme: str) -> None:
    """WCAG AA: 4.5 to 1 for every colour of a text on every ground."""
    opened.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    style = "getComputedStyle(document.documentElement)"

    def luminance(name: str) -> float:
        value = ask(opened, f"{style}.getPropertyValue('--{name}').trim()").lstrip("#")
        parts = [int(value[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    texts = ("ink", "soft", "accent", "correct", "incorrect", "partial", "undecided", "ungraded")
    for ground in ("paper", "ground", "hover", "chosen"):
        for name in texts:
            light, dark = sorted((luminance(name), luminance(ground)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (name, ground)


def test_fields_have_names_and_the_list_tells_its_size(opened: Any) -> None:
    unnamed = (
        "[...document.querySelectorAll('input, select, button')].filter(e => "
        "!(e.labels && e.labels.length) && !e.textContent.trim() && !e.getAttribute('aria-label')).length"
    )
    assert ask(opened, unnamed) == 0
    press(opened, "j")
    assert ask(opened, "document.getElementById('list').getAttribute('role')") == "listbox"
    assert ask(opened, "document.getElementById('list').getAttribute('aria-activedescendant')") == "row-5"
    assert ask(opened, "document.getElementById('row-5').getAttribute('aria-setsize')") == "60"
    assert ask(opened, "document.documentElement.lang") == "en"


def test_print_leaves_out_what_is_for_the_screen(opened: Any) -> None:
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for name in ("filters", "list"):
            assert ask(opened, f"getComputedStyle(document.getElementById('{name}')).display") == "none"
        assert ask(opened, "getComputedStyle(document.getElementById('detail')).display") == "block"
    finally:
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_phone_shows_the_list_then_the_row(page: Path, hostile_page: Path) -> None:
    with browser(PHONE) as driver:
        show(driver, page)
        assert ask(driver, "document.scrollingElement.scrollWidth <= innerWidth") is True
        assert ask(driver, "getComputedStyle(document.getElementById('detail')).display") == "none"
        driver.execute_script("document.querySelectorAll('.item')[1].click()")
        assert ask(driver, "getComputedStyle(document.getElementById('detail')).display") == "block"
        driver.execute_script("document.getElementById('back').click()")
        assert ask(driver, "getComputedStyle(document.getElementById('detail')).display") == "none"
        show(driver, hostile_page, "row=1")
        assert ask(driver, "document.scrollingElement.scrollWidth <= innerWidth") is True
