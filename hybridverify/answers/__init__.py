"""Responses: which text is the answer, and what overrules it.

In: a response, and the question where it lists options. Out: the final answer with what is known of it (marked, stated,
denied, followed by another). The way through: hidden text, comments and thinking are cut (`hidden`, `comments`,
`thinking`); marks, statements and closing sentences are found (`marks`, `boxes`, `fenced`, `stated`, `conclusion`,
`choice_letter`); what stands around, above and after them is weighed (`frame`, `box_context`, `rival_lines`,
`later_answer`, `retraction`).
References are read by `references`, a question's options by `options`.

Entry points: `extract`, `references`, `options`. Values are read and compared by `hybridverify.maths`.
"""
