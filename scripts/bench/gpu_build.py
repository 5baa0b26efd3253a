#!/usr/bin/env python3
"""Measures how fast a GPU makes the BWT of several texts, beside peers. README.md explains the options."""

import sys

from benchmark import make_parser, run_table

REAL = ["chr20", "human", "xy", "chr20-copy", "chr20-diploid", "chr21-8", "chr21-100"]
GENERATED = [("genome", 10**9), ("protein", 5 * 10**8), ("prose", 5 * 10**8), ("copies", 10**8),
             ("random", 10**8), ("halves", 5 * 10**7), ("fibonacci", 5 * 10**7), ("run", 5 * 10**7),
             ("period-2", 5 * 10**7)]


def fill(plan):
    texts = plan.wanted(REAL, GENERATED)
    for text in texts[:1]:
        plan.bench(text, plan.options.device, "ceilings", 1, "--reads 0")
    for text in texts:
        plan.compare(text, plan.options.device, "bwt", "BWT", "--reads 0")


def main():
    parser = make_parser(__doc__, peers=True)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    return run_table("gpu_build", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
