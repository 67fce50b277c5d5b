"""Two ways to grade the same rows: which rows change, how often, and why.

In: rows and two sides, each a configuration or a column of scores. Out: counts of every change of outcome, the reasons
behind them, examples. `sides` gives what each side says of a row, `scores` reads the columns, `changes` counts, `text`
puts it in words.

Entry points: `Comparison`, `GradedSide`, `ScoredSide`; `hybridverify compare` is their command.
"""

from hybridverify.comparison.changes import Comparison as Comparison
from hybridverify.comparison.scores import ScoredSide as ScoredSide
from hybridverify.comparison.sides import GradedSide as GradedSide
from hybridverify.comparison.sides import Said as Said
from hybridverify.comparison.sides import Side as Side
