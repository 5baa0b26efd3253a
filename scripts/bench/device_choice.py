#!/usr/bin/env python3
"""Measures how well `--device auto` chooses: each command with the CPU, with a GPU, and with auto.

A cell of the grid is a command, the length of its text, and the number of its queries. Whole commands are measured, from
the start of the program to its end. What takes more than 20 s is left out. The texts are generated genomes; the queries are
reads of 150 bases cut from them, 1 % of whose bases are changed, random guides and pairs of primers, and random 16-mers.
README.md explains the options.
"""

import sys
from argparse import ArgumentTypeError

from benchmark import make_parser, run_table
from files import timed
from gpu_commands import CUT, DRAWN, PARTS, READS, of_random
from tables import DEVICES, LONGEST

SIZES = (5 * 10**6, 5 * 10**7, 5 * 10**8, 3 * 10**9)
NUMBERS = (1, 1000, 10**6)
KINDS = ("texts", "reads", "lists", "sets")  # of commands: by what they work on

# {x} is the index, {fasta} the text, {bwt} its BWT, and {queries} a file. Those of many guides or primers take too long.
OF_READS = (("count", "count -x {x} {queries}"),
            ("count -k 3", "count -k 3 -x {x} {queries}"),
            ("locate -k 3 --max-hits 1", "locate -k 3 --max-hits 1 -x {x} {queries}"),
            ("mem -L 31", "mem -L 31 -x {x} {queries}"),
            ("ms", "ms --format u16 -x {x} {queries}"),
            ("filter --drop", "filter --drop -x {x} {queries}"),
            ("mem --pairs -L 50", "mem --pairs -L 50 {fasta} {queries}"))
OF_LISTS = (("offtarget -k 3", "guides.tsv", "offtarget -k 3 -x {x} {queries}", 1000),
            ("offtarget -k 3, both bulges", "guides.tsv", "offtarget -k 3 --dna-bulge 1 --rna-bulge 1 -x {x} {queries}", 1000),
            ("locate -k 3, 20-mers", "kmers.txt", "locate -k 3 --max-hits 1 -x {x} -f {queries}", 1000),
            ("amplicon -k 2", "pairs.tsv", "amplicon -k 2 -x {x} {queries}", 1000))
OF_TEXTS = (("index", "index {fasta} --force -o made.gsx"), ("sa", "sa {fasta}"), ("bwt", "bwt {fasta}"),
            ("bwt --inverse", "bwt --inverse {bwt}"), ("verify --full", "verify --full {x}"),
            ("mappability -K 50", "mappability -K 50 --bedgraph {fasta}"),
            ("mappability -K 50 -E 1", "mappability -K 50 -E 1 --bedgraph {fasta}"),
            ("repeats -L 100", "repeats -L 100 {fasta}"), ("lz77 --tsv", "lz77 --tsv {fasta}"))
OF_SETS = (("neighbors -d 1", "neighbors -d 1 {queries}"), ("neighbors -d 2", "neighbors -d 2 {queries}"),
           ("prefix", "prefix --set {queries} reads.fq"))


def measure(plan, work, command, amount, unit, text):
    """A row for each device. A run that takes too long is ended, and has rows, so that it is not taken for an error."""
    for device in plan.options.devices:
        plan.options.device = device
        timed(plan, f"{work}, {device}",
              f"timeout {LONGEST + 1} \"$GSX\" {command} -q --device {device} -t {plan.options.threads} > /dev/null || [ $? = 124 ]",
              amount, unit, text=text, runs=plan.options.rounds * plan.options.runs)


def head(plan, name, number, lines, source):
    """The file of the first queries of another one."""
    plan.prepare(name, f"head -n {number * lines} {source} > {name}")
    plan.prepare(name + ".count", f"echo {number} > {name}.count")


def fill_text(plan, length):
    options = plan.options
    text = plan.texts.generated("genome", length)
    files = {"fasta": text.fasta, "x": text.name + ".gsx", "bwt": text.name + ".bwt"}
    build = f"-q --device auto -t {options.threads}"
    plan.prepare(text.fasta, text.fasta_command)
    plan.prepare(text.fasta + ".count", f"grep -v '^>' {text.fasta} | tr -d '\\n' | wc -c > {text.fasta}.count")
    plan.prepare(files["x"], f"gsx index {build} {text.fasta} -o {files['x']}")
    if "texts" in options.kinds:
        plan.prepare(files["bwt"], f"gsx bwt {build} {text.fasta} -o {files['bwt']}")
    all_reads = f"{text.name}.reads.fq"
    plan.prepare(all_reads, READS.format(fasta=text.fasta, parts=PARTS, last=PARTS - 1, reads=options.numbers[-1],
                                         program=f"{DRAWN}\n{CUT}") + f"; mv reads.fq {all_reads}")
    for work, command in OF_TEXTS if "texts" in options.kinds else ():
        measure(plan, work, command.format(**files), text.fasta, "symbols/s", text.name)
    for number in options.numbers:
        reads = f"{text.name}.reads.{number}.fq"
        head(plan, reads, number, 4, all_reads)
        for work, command in OF_READS if "reads" in options.kinds else ():
            measure(plan, f"{work}, {number:,} reads", command.format(queries=reads, **files), reads, "reads/s", text.name)
        for work, source, command, most in OF_LISTS if "lists" in options.kinds else ():
            if number > most:
                continue
            queries = f"{number}.{source}"
            head(plan, queries, number, 1, source)
            measure(plan, f"{work}, {number:,}", command.format(queries=queries, **files), queries, "queries/s", text.name)


def fill_sets(plan):
    options = plan.options
    plan.prepare("set.txt", of_random(4, max(options.numbers), "bases(16)") + " | sort -u > set.txt")
    last = plan.texts.generated("genome", options.sizes[-1]).name
    plan.prepare("reads.fq", f"ln -f {last}.reads.fq reads.fq")
    for number in options.numbers:
        head(plan, f"{number}.set.txt", number, 1, "set.txt")
        for work, command in OF_SETS:
            measure(plan, f"{work}, {number:,}", command.format(queries=f"{number}.set.txt"), f"{number}.set.txt",
                    "sequences/s", "no text")


def fill(plan):
    options = plan.options
    most = min(max(options.numbers), 1000)
    for name, state, line in (("guides.tsv", 1, '"guide" i "\\t" bases(20)'), ("kmers.txt", 2, "bases(20)"),
                              ("pairs.tsv", 3, '"pair" i "\\t" bases(20) "\\t" bases(20)')):
        plan.prepare(name, of_random(state, most, line) + f" > {name}")
    for length in options.sizes:
        fill_text(plan, length)
    if "sets" in options.kinds:
        fill_sets(plan)


def some_of(names):
    """Reads names that are separated by commas, each one of `names`."""
    def read(text):
        chosen = text.split(",")
        for name in chosen:
            if name not in names:
                raise ArgumentTypeError(f"'{name}' is none of {', '.join(names)}")
        return chosen
    return read


def numbers(text):
    return sorted(int(part) for part in text.split(","))


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--sizes", type=numbers, default=list(SIZES), help="lengths of the texts, separated by commas")
    parser.add_argument("--devices", type=some_of(DEVICES), default=list(DEVICES),
                        help="those to measure (default: cpu,cuda,auto)")
    parser.add_argument("--kinds", type=some_of(KINDS), default=list(KINDS),
                        help="what the commands to measure work on (default: texts,reads,lists,sets)")
    parser.add_argument("--numbers", type=numbers, default=list(NUMBERS), help="numbers of queries, separated by commas")
    return run_table("device_choice", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
