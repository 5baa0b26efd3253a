#!/usr/bin/env python3
"""Measures packing and unpacking integers, beside copying them. README.md explains the options."""

import sys

from benchmark import make_parser, run_table

INTEGERS = {"cpu": 5 * 10**7, "cuda": 10**9}
WORK = {"cpu": "packing", "cuda": "ceilings,packing"}


def fill(plan):
    # The text is not measured: the integers are as many as its symbols.
    device = plan.options.device
    plan.bench(plan.texts.generated("random", INTEGERS[device]), device, WORK[device],
               plan.options.rounds * plan.options.runs, "--reads 0")


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cpu")
    options = parser.parse_args()
    return run_table("gpu_packing" if options.device == "cuda" else "packing", options, fill)


if __name__ == "__main__":
    sys.exit(main())
