"""Proof that a value is absent: no reading of anything in a response can be the number that the reference is.

In: a sample whose references are plain numbers. Out: incorrect where every number that the response may state, in any
notation and under any convention, was made and none can be a reference; else undecided. Soundness comes from making too
many candidates (`candidates`) and from giving up at whatever might be a number unread (`screen`), never from a guess at
which number is the answer.

Entry point: `rule.Absent`, by its name in `config.registry`.
"""
