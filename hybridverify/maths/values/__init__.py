"""What an answer can be: one frozen class for each kind, and sets of real numbers.

Entry points: `kinds`, which names them all; `real_sets`.
"""
