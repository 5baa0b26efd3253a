#!/usr/bin/env python3
"""Measures searches on a GPU: on the device, over the bus, and from FASTQ to TSV and BED.

README.md explains the options.
"""

import sys

from benchmark import make_parser, run_table

REAL = ["human"]
GENERATED = [("genome", 10**9), ("genome", 31 * 10**8)]


def fill(plan):
    for text in plan.wanted(REAL, GENERATED):
        plan.bench(text, plan.options.device, "ceilings,device,sequence,count,locate,pipeline",
                   plan.options.rounds * plan.options.runs, f"--reads {plan.options.reads} --sa-rates 1,8")


def main():
    parser = make_parser(__doc__)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--reads", type=int, default=3_000_000)
    return run_table("gpu_search", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
