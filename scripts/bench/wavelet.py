#!/usr/bin/env python3
"""Measures access, rank and select over integers of several alphabets. README.md explains the options.

An adapter of a peer is called as COMMAND FILE RUNS. FILE has the size of the alphabet, the number of
elements, that of the queries, and what is asked, as in "255 1000000000 67108864 rank". The adapter makes
uniform random elements, and queries of them. Only ranks are asked.
"""

import sys

from benchmark import make_parser, run_table

ELEMENTS = {"cpu": 5 * 10**7, "cuda": 10**9}
QUERIES = 2**26
ALPHABETS = [25, 255, 65_536]


def fill(plan):
    options = plan.options
    elements = max(20_000, ELEMENTS[options.device] // options.shrink)
    plan.trial = "echo 4 10000 1000 rank"
    # The text is not measured: the sequences have as many elements as it has symbols.
    text = plan.texts.generated("random", ELEMENTS[options.device])
    for _ in range(options.rounds):
        plan.bench(text, options.device, "ceilings,wavelet", options.runs, "--reads 0")
        for sigma in ALPHABETS:
            queries = min(QUERIES, elements)
            plan.peers_of_queries(text, f"rank-{sigma}", f"echo {sigma} {elements} {queries} rank", queries,
                                  f"sigma {sigma}: rank, random")


def main():
    parser = make_parser(__doc__, several_texts=False, peers=True)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cpu")
    options = parser.parse_args()
    return run_table("gpu_wavelet" if options.device == "cuda" else "wavelet", options, fill)


if __name__ == "__main__":
    sys.exit(main())
