"""Units of measure: the one table of them, and quantities with exact conversions.

Entry points: `measures`, and `table` for the units themselves.
"""
