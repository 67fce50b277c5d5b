"""What the package's files of the same names become with the next weights: hints that count content words, and more of
them. They move to `hybridverify/judges/embedded` together with those weights; until then the shipped model reads the
hints that it was trained on."""
