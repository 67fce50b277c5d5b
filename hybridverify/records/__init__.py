"""Rows in and out: files to samples, grades to files. See `Records.open` and `open_output`."""

from hybridverify.records.cells import value_at as value_at
from hybridverify.records.columns import ColumnNames as ColumnNames
from hybridverify.records.columns import Layout as Layout
from hybridverify.records.output import open_output as open_output
from hybridverify.records.reading import Entry as Entry
from hybridverify.records.reading import Records as Records
