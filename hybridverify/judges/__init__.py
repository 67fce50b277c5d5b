"""Judges: models that decide what rules cannot.

In: what was asked, the reference and the answer. Out: a verdict. `base` names the seams, `llm` joins a preset
(`presets`: a prompt and its parser) with an engine (`backends`), `classifier` reads a reward model's number,
`embedded` ships with the library. `hostile`, `folding` and `imitation` keep an answer from speaking in a judge's
place; `guards` says which accepts are asked again.

Entry points: `config.registry.make_judge`.
"""
