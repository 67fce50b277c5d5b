"""Rows in and out: files to samples, grades to files.

In: JSON lines, JSON, CSV, Parquet or a data set's folder, compressed or not, and the names of its columns. Out:
samples in the order of the file, and a file of the same rows with the columns of the grade. `reading` and `source`
open inputs, `columns` finds the columns, `output` writes, and `journal` keeps finished rows on disk during a run.

Entry points: `Records.open`, `open_output`.
"""

from hybridverify.records.cells import value_at as value_at
from hybridverify.records.columns import ColumnNames as ColumnNames
from hybridverify.records.columns import Layout as Layout
from hybridverify.records.output import open_output as open_output
from hybridverify.records.reading import Entry as Entry
from hybridverify.records.reading import Records as Records
