"""The way of a batch from samples to grades, in order.

`routes` finds the settings of a row. `rule_stage` runs the `chain` of rules and finds the rows that they leave open.
`judge_stage` asks the judges about these through `judge_client`, which drops equal requests, uses the cache and keeps
to the budget. `holding` keeps accepts back where the monitor acts. `grading` makes one decision of rules and judges,
and the grade. Around this: `batcher` gathers single rows, `streaming` keeps both halves busy, `stats` counts,
`fingerprint` names a set of settings, `explain` tells a grade in words.

`hybridverify.verifier` puts the parts together.
"""
