"""Same, different or unknown: one rule for each pair of kinds.

`kind_rules` holds the table over pairs; a module `*_rules` has the rules of its kinds; `rules` what they share. Each
outcome names the convention or the proof that made it.

Entry point: `compare`.
"""
