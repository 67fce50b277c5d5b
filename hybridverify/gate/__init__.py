"""The content gate finds texts that answer nothing. No judge is asked about them.

In: the text that a judge would see, the references and the question. Out: a reason, or "" where a judge may see the
text. `content` asks the questions in order; `signs`, `claims` and `refusals` each answer one of them; `fold` brings
words to the form in which the tables (`words`, `refusal_words`) hold them.

Entry points: `content.gate_reason`; `content.reason_against` for a response that was read already.
"""
