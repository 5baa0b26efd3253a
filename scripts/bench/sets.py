#!/usr/bin/env python3
"""Measures neighbours in sets of short sequences, and longest prefixes. README.md explains the options."""

import sys

from benchmark import make_parser, run_table

SEQUENCES = {"cpu": 10**7, "cuda": 10**8}


def fill(plan):
    # The text is not measured: there are as many sequences as it has symbols.
    device = plan.options.device
    plan.bench(plan.texts.generated("random", SEQUENCES[device]), device, "ceilings,neighbors,prefix",
               plan.options.rounds * plan.options.runs, "--reads 0")


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cpu")
    options = parser.parse_args()
    return run_table("gpu_sets" if options.device == "cuda" else "sets", options, fill)


if __name__ == "__main__":
    sys.exit(main())
