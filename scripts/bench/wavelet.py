#!/usr/bin/env python3
"""Measures access, rank and select over integers of several alphabets. README.md explains the options."""

import sys

from benchmark import make_parser, run_table

ELEMENTS = {"cpu": 5 * 10**7, "cuda": 10**9}


def fill(plan):
    # The text is not measured: the sequences have as many elements as it has symbols.
    device = plan.options.device
    plan.bench(plan.texts.generated("random", ELEMENTS[device]), device, "ceilings,wavelet",
               plan.options.rounds * plan.options.runs, "--reads 0")


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cpu")
    options = parser.parse_args()
    return run_table("gpu_wavelet" if options.device == "cuda" else "wavelet", options, fill)


if __name__ == "__main__":
    sys.exit(main())
