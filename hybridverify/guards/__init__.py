"""What may not pass a judge, and what watches judges.

In: answers on their way to a judge, and judged rows. Out: rows that no judge is asked about (`judge_guards`, with a
check each in `content_floor`, `hedge`, `candidates`, `denial`, `other_date`), accepts that are asked again (`foreign`:
the canary), warnings and figures (`monitor`, `repeats`, `monitor_report`), and a file with one JSON object a line
(`audit`).

Entry points: `judge_guards.Guards`, `monitor.Monitor`, `audit.AuditFile`.
"""
