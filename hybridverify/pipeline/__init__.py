"""The way of a batch from samples to grades, in order.

`routes` finds a row's settings, `rule_stage` runs its `chain` of rules and says what is left open, `judge_stage` asks
the judges through `judge_client` (deduplicated, cached, within the budget), `holding` keeps accepts back where the
monitor acts, and `grading` makes one decision of rules and judges, and the grades. Around it: `batcher` gathers
single rows, `streaming` keeps both halves busy, `stats` counts, `fingerprint` names a set of settings, `explain` tells
a grade in words.

`hybridverify.verifier` is the page that puts these together.
"""
