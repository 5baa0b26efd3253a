#!/usr/bin/env python3
"""Measures what a chromosome says of itself, from FASTA to a file: wall seconds.

The tasks are the suffix array with the LCP array; k-mers on both strands as bigWig, with and without mismatches; the k-mers of
one k beside jellyfish; the shortest unique k-mers and the spectrum of all k; pairs of maximal repeats beside GenomeTools; and
LZ77 phrases. A program that is not installed is left out, and named. jellyfish has as many threads as gsx, GenomeTools one.
README.md explains the other options.
"""

import shutil
import sys

from benchmark import make_parser, run_table
from files import timed

TRACK = "gsx mappability -q -t {t} {options} {fa} --bigwig track.bw"
# The index for gt repfind is a part of its work, as the suffix array is of that of gsx.
REPFIND = ("gt suffixerator -db {fa} -indexname gt -dna -suf -lcp -tis -des no -sds no -ssp && "
           "gt repfind -l 100 -f -p -ii gt > /dev/null")
TASKS = {
    "suffix array and LCP array": {"gsx": "gsx sa -q -t {t} {fa} -o text.sa --lcp text.lcp"},
    "mappability, K = 100": {"gsx": TRACK.replace("{options}", "-K 100")},
    "mappability, K = 100, E = 1": {"gsx": TRACK.replace("{options}", "-K 100 -E 1")},
    "mappability, K = 100, E = 2": {"gsx": TRACK.replace("{options}", "-K 100 -E 2")},
    "mappability, K = 50, E = 2": {"gsx": TRACK.replace("{options}", "-K 50 -E 2")},
    "k-mers, K = 31": {
        "gsx": "gsx mappability -q -t {t} -K 31 --frequency {fa} > /dev/null",
        "jellyfish": "jellyfish count -C -m 31 -s 100M -t {t} -o counts.jf {fa}"},
    "shortest unique k-mers": {"gsx": TRACK.replace("{options}", "--shortest-unique")},
    "spectrum of all k": {"gsx": "gsx mappability -q -t {t} --spectrum {fa} > /dev/null"},
    "pairs of repeats, L = 100": {"gsx": "gsx repeats -q -t {t} -L 100 --pairs {fa} > /dev/null", "gt": REPFIND},
    "LZ77 phrases": {"gsx": "gsx lz77 -q -t {t} {fa} -o text.lz77"},
}


def fill(plan):
    options = plan.options
    options.device = "cpu"
    text = plan.texts.real(options.text) or plan.texts.generated("genome", 4 * 10**7)
    programs = ["gsx"]
    for name in ("jellyfish", "gt"):
        if shutil.which(name):
            programs.append(name)
        else:
            print(f"{name} is left out: it is not installed", file=sys.stderr)
    plan.need_fasta(text)
    plan.prepare(f"{text.fasta}.count", f"grep -v '^>' {text.fasta} | tr -d '\\n' | wc -c > {text.fasta}.count")
    for work, commands in TASKS.items():
        for program in programs:
            if program in commands:
                command = commands[program].replace("{t}", str(options.threads)).replace("{fa}", str(text.fasta))
                timed(plan, work, command, text.fasta, "symbols/s", program=program, text=text.name)


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--text", default="chr21", help="the name of a text of --dna (default: %(default)s)")
    return run_table("repeats", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
