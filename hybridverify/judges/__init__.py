"""Judges: models that decide what rules cannot.

In: what was asked, the reference and the answer. Out: a verdict. `base` names the seams, `llm` joins a preset
(`presets`: a prompt and its parser) with an engine (`backends`), `classifier` reads a reward model's number,
`embedded` ships with the library. `hostile`, `folding` and `imitation` keep an answer from speaking in a judge's
place; which answers and accepts do not pass is said in `hybridverify.guards`.

Entry points: `config.registry.make_judge`.
"""
