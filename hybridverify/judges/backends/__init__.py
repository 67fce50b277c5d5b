"""Engines that run a judge's model: they complete prompts, or score conversations for a `classifier`.

In: prompts and sampling settings. Out: one reply or one failure for each prompt, in order. `openai` asks servers.
`vllm`, `sglang` and `transformers` run in this process. `scripted` answers from a script. The files `scorer*` read
reward models. The package of an engine is imported only in the file that needs it.

Entry points: the backends, by their names in `config.registry`.
"""
