#!/usr/bin/env python3
"""Measures how fast the CPU makes suffix arrays, beside peers. README.md explains the options."""

import sys

from benchmark import make_parser, run_table

REAL = ["chr20", "chr21", "human"]
GENERATED = [("genome", 5 * 10**7), ("protein", 5 * 10**7), ("prose", 5 * 10**7), ("copies", 5 * 10**7),
             ("fibonacci", 5 * 10**7), ("run", 5 * 10**7)]


def fill(plan):
    texts = plan.wanted(REAL, GENERATED)
    for text in texts[:1]:
        plan.bench(text, "cpu", "ceilings", 1, "--reads 0")
    for text in texts:
        plan.compare(text, "cpu", "sa", "suffix array", "--reads 0")


def main():
    return run_table("cpu_build", make_parser(__doc__, peers=True).parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
