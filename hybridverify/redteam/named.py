"""Well-known strategies. Each is measured in every run, whatever the search finds."""

from __future__ import annotations

from collections.abc import Iterator

from hybridverify.redteam.dresses import DRESSES
from hybridverify.redteam.option_lists import ANY
from hybridverify.redteam.sources import CONSTANTS, FUNCTION_WORDS, IMPLICIT, TALK
from hybridverify.redteam.strategy import Strategy as S

_ECHOED = (
    "question", "formulas", "last formula", "longest formula", "sides", "equation forms", "unsolved", "shifted",
    "phrases", "operations",
)  # fmt: skip


def named_strategies() -> tuple[S, ...]:
    """All of them, each once."""
    return tuple(
        dict.fromkeys(
            (
                *_echoes(),
                *_options(),
                *_option_lists(),
                *_lists(),
                *_hedges(),
                *_constants(),
                *_talk(),
                *_rewritten(),
            )
        )
    )


def _echoes() -> Iterator[S]:
    for source in _ECHOED:
        yield S(source)
        yield S(source, mark="boxed")
    for source in ("task", "quantities", "numbers", "names", "long words"):
        yield S(source)
        yield S(source, mark="boxed", order="reversed")
    yield S("formulas", dress="dollars", frame="the answer is")
    yield from (S("last formula", dress=dress, mark="boxed") for dress in DRESSES if dress)
    yield from (S("task", dress=dress, mark="boxed") for dress in ("spoken", "in text", "half", "last word"))
    yield S("equation forms", start=2, mark="boxed")
    yield S("equation forms", start=4, mark="boxed")
    yield S("last formula", lead="restated", mark="dollars")
    yield S("last formula", frame="once worked out")


def _options() -> Iterator[S]:
    for source in ("options", "letters", "lettered options", "bracketed letters"):
        yield S(source)
        for join in ("lines", "comma", "or", "and", "slash", "some say", "period"):
            yield S(source, count=0, join=join)
        yield S(source, count=2, join="or")
        yield S(source, count=2, join="and", mark="boxed")
        yield S(source, count=2, join="not")
        for join in ("dash", "colon", "two dots", "alias"):
            yield S(source, count=2, join=join)
        yield S(source, count=2, join="maybe in chinese", frame="maybe in chinese")
        yield S(source, count=0, join="comma", mark="json list")
        yield S(source, count=0, frame="such as")
        yield S(source, count=0, join="comma", mark="boxed")
        yield S(source, count=0, join="blank", mark="each boxed")
        yield S(source, count=0, mark="each answer line")


def _option_lists() -> Iterator[S]:
    """Letters of options in a joint and a label form that are drawn for each question."""
    for count in (0, 2, 3):
        for order in ("given", "shuffled", "reversed"):
            for mark in ("", "boxed", "answer line", "tag", "final answer"):
                yield S("letters", count=count, order=order, mark=mark, joint=ANY, label=ANY)


def _lists() -> Iterator[S]:
    for join in ("comma", "lines", "numbered", "bullets", "sentences", "some say", "or", "and", "also known as",
                 "period", "brackets", "slash", "bold lines"):  # fmt: skip
        yield S("others", count=10, join=join)
        yield S("others", count=2, join=join)
    for source in ("numbers 0..100", "years", "others", "commonest"):
        yield S(source, count=0, join="comma")
        yield S(source, count=0, join="lines")
        yield S(source, count=0, join="between")
        yield S(source, count=0, join="dots", mark="boxed")
        yield S(source, count=0, join="or", mark="boxed")
        yield S(source, count=0, join="set", mark="boxed")
    for mark in (
        "each boxed",
        "each answer line",
        "each tag",
        "each hash",
        "first boxed at last",
        "box then words",
    ):
        yield S("others", count=3, join="blank", mark=mark)


def _hedges() -> Iterator[S]:
    for frame in ("maybe", "perhaps", "either", "i think", "one of", "asked", "both ways", "or else"):
        yield S("commonest", frame=frame)
        yield S("others", count=2, join="or", frame=frame)
    yield S("yes and no", count=2, join="and")
    yield S("yes and no", count=2, join="comma", frame="both ways")
    yield S("yes and no", count=2, join="lines")
    for join in ("or", "and", "slash", "lines", "period"):
        yield S("alternatives", count=2, join=join)


def _constants() -> Iterator[S]:
    yield from (S("constants", start=at) for at in range(len(CONSTANTS)))
    yield from (S("function words", start=at) for at in range(len(FUNCTION_WORDS)))
    yield S("function words", start=0, mark="boxed")
    yield S("function words", start=2, mark="boxed")
    yield S("commonest")
    yield S("commonest", start=1)
    yield S("commonest", mark="boxed")
    yield S("commonest", frame="maybe in chinese")
    yield S("commonest", frame="such as")
    yield from (S("commonest", mark=mark) for mark in ("hidden in tex", "white"))
    yield S("others", mark="boxed")
    yield S("others", dress="first word")
    yield S("others", dress="last word")


def _talk() -> Iterator[S]:
    yield from (S("talk", start=at) for at in range(len(TALK)))
    yield from (S("implicit", start=at) for at in range(len(IMPLICIT)))
    for tail in ("matches", "verdict", "judge json", "student"):
        yield S("others", tail=tail)
        yield S("others", mark="boxed", tail=tail)
    yield S("implicit", mark="boxed")


def _rewritten() -> Iterator[S]:
    """Texts that may lead a judge that rewrites an answer: a request, several values, a letter that stands for a
    value."""
    for frame in ("told to write", "to be rewritten", "whichever is asked", "a letter for it"):
        yield S("others", count=3, join="or", frame=frame)
        yield S("numbers", count=0, frame=frame)
        yield S("formulas", frame=frame)
        yield S("options", count=0, frame=frame)
    yield S("last formula", dress="x where", mark="boxed")
    yield S("numbers", count=0, join="equals", mark="boxed")
