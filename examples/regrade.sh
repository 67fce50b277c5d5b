#!/usr/bin/env bash
# Re-grade a file of old rollouts on the command line: rules first, then a judge for what they left open.
# Usage: bash regrade.sh rollouts.jsonl FOLDER-FOR-THE-RESULTS
set -euo pipefail
rows=$1 out=$2
mkdir -p "$out"

# Rules alone. --resume goes on where an interrupted run stopped; on a finished file it changes nothing.
hybridverify grade "$rows" -o "$out/rules.jsonl" --cache "$out/scores" --resume

# The same rows with the judge that ships with the library (extra [embedded]). A larger one:
#   --judge tinyv --backend openai --model NAME --base-url http://localhost:8000/v1
hybridverify grade "$rows" -o "$out/hybrid.jsonl" --cache "$out/scores" --judge embedded

# Rows whose judge failed have no grade: this asks again about those alone, and keeps the others as they are.
hybridverify grade "$rows" -o "$out/hybrid.jsonl" --cache "$out/scores" --judge embedded --failed-only

# Other settings over the same verdicts cost nothing: they come from the cache. Here a rescued answer is worth half.
printf 'policy: {name: addon, judge_weight: 0.5}\njudges: [{preset: embedded}]\n' >"$out/half.yaml"
hybridverify grade "$rows" -o "$out/half.jsonl" --cache "$out/scores" --config "$out/half.yaml"
hybridverify cache stats --cache "$out/scores"

# Why did one row come out as it did?
hybridverify explain 'It has \boxed{8} sides.' 7 --question 'How many sides does a heptagon have?'
