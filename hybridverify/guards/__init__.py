"""What watches the judges: whether their accepts stand out, and a sample of what they said for people to read.

In: judged rows. Out: warnings and figures (`monitor`, `monitor_report`), and a file with one JSON object a line
(`audit`).
"""
