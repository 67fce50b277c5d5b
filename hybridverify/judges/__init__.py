"""Judges: models that decide what the rules leave open.

In: the question, the reference and the answer. Out: a verdict. `base` holds the protocols. `llm` joins a preset
(`presets`: a prompt and its parser) with an engine (`backends`). `classifier` reads the number of a reward model.
`embedded` ships with the library. `translation` asks a model for standard forms and lets the rules compare.
`hostile`, `folding` and `imitation` prevent an answer from passing for a judge's reply. The guards
(`hybridverify.guards`) say which answers no judge is asked about.

Entry point: `config.registry.make_judge`.
"""
