"""A rule of your own: here for answers that are colours, on a last line such as `Colour: #ff8800`.

A rule is a function of a sample. True: surely right. False: surely wrong. None: cannot tell, the next rule is asked.
In a configuration file the function is named by its import path, `rules: ["own_rule:same_colour", default]`; it then
runs in a worker process that can be stopped, because the library cannot know what it does.
"""

from __future__ import annotations

import re

import hybridverify as hv

COLOUR = re.compile(r"(?:colour: ?)?#([0-9a-f]{6}|[0-9a-f]{3})", re.IGNORECASE)


def same_colour(sample: hv.Sample) -> bool | None:
    """Both colours were read to the end, and are equal or different; anything else proves nothing."""
    lines = sample.response.strip().splitlines()
    answer = colour(lines[-1]) if lines else None
    references = [colour(reference) for reference in sample.references]
    if answer is None or None in references:
        return None
    return answer in references


def colour(text: str) -> str | None:
    """Six digits; #f80 is short for #ff8800. A model wrote this text: match it, never run it."""
    match = COLOUR.fullmatch(text.strip())
    if match is None:
        return None
    digits = match[1].lower()
    return digits if len(digits) == 6 else "".join(2 * digit for digit in digits)


if __name__ == "__main__":
    with hv.Verifier(rules=[same_colour, "default"]) as verifier:
        for response in ("Warm and bright.\nColour: #F80", "Colour: #ff0000", "It is not #ff8800."):
            (grade,) = verifier.grade([hv.Sample(response, "#ff8800")])
            print(f"{response!r:<34} {grade.outcome.value:<9} {grade.rule.source}")
