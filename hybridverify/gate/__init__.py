"""The content gate: texts that answer nothing, which no judge is asked about.

In: the text that a judge would see, the references and the question. Out: a reason, or "" where a judge may see it.
`content` asks in order; `signs`, `claims` and `refusals` answer one question each; `fold` brings words to the form
in which the tables (`words`, `refusal_words`) are held.

Entry point: `content.gate_reason`.
"""
