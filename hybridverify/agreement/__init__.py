"""How well rules, judges and every policy agree with labels, from verdicts that were gathered once.

In: labelled rows. Out: accuracy, error rates, kappa and their intervals, by policy and threshold. `rows` reads the
labels, `cases` asks rules and judges, `members` and `figures` count, `sweep` tries thresholds and weights, `summary`
joins all results, `text` prints them. The HTML page is made by the package `report`.

Entry points: `agreement`, `Agreement`. The command is `hybridverify agree`.
"""

from hybridverify.agreement.summary import Agreement, agreement

__all__ = ["Agreement", "agreement"]
