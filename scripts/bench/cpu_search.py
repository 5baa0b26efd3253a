#!/usr/bin/env python3
"""Measures searches on the CPU beside what its memory can give. README.md explains the options."""

import sys

from benchmark import make_parser, run_table

REAL = ["human"]
GENERATED = [("genome", 186_500_000), ("genome", 10**9)]


def fill(plan):
    for text in plan.wanted(REAL, GENERATED):
        plan.bench(text, "cpu", "ceilings,sequence,count,locate", plan.options.rounds * plan.options.runs,
                   f"--reads {plan.options.reads} --sa-rates 1,8")


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--reads", type=int, default=2_000_000)
    return run_table("cpu_search", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
