"""Guards around the judges: what they are not asked about, and how their verdicts are watched.

In: answers on their way to a judge, and judged rows. Out: rows that no judge is asked about (`judge_guards`; its
checks are in `content_floor`, `hedge`, `candidates`, `alternation`, `rival_values`, `rival_parts`, `sole_value`,
`denial` and `other_date`), a second question about some accepted rows (`foreign`, the canary), figures and warnings
(`monitor`, `repeats`, `monitor_report`), and a JSONL file of judged rows for people to read (`audit`). `seen` and
`value_parts` cut answers for the checks.

Entry points: `judge_guards.Guards`, `monitor.Monitor`, `audit.AuditFile`.
"""
