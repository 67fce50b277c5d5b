"""Texts and words, before anything is known of answers or values.

In: a text of a response, a reference or a question. Out: the same text in a safe normal form (`text`, `wrapping`,
`braces`), number words as numbers (`number_words`), what a question asks for (`asked`, `tolerance`), the words by which
many languages announce or deny an answer (`languages`, `denials`), and which words of a sentence deny, doubt or change
its value (`claims`). The words themselves are data in `lexicon`. Imports nothing of the library but errors.
"""
