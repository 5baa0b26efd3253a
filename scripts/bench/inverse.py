#!/usr/bin/env python3
"""Measures how fast the BWT of several texts is inverted, beside peers. README.md explains the options."""

import sys

from benchmark import make_parser, run_table

REAL = ["chr20", "chr21", "human"]
GENERATED = {"cuda": [("genome", 10**9), ("protein", 5 * 10**8), ("prose", 5 * 10**8), ("copies", 10**8)],
             "cpu": [("genome", 5 * 10**7), ("protein", 5 * 10**7), ("prose", 5 * 10**7), ("copies", 5 * 10**7)]}


def fill(plan):
    device = plan.options.device
    texts = plan.wanted(REAL, GENERATED[device])
    for text in texts[:1]:
        plan.bench(text, device, "ceilings", 1, "--reads 0")
    for text in texts:
        plan.compare(text, device, "inverse", "inverse BWT", "--reads 0")


def main():
    parser = make_parser(__doc__, peers=True)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cpu")
    options = parser.parse_args()
    return run_table("gpu_inverse" if options.device == "cuda" else "cpu_inverse", options, fill)


if __name__ == "__main__":
    sys.exit(main())
