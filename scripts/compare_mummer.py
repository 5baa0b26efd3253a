#!/usr/bin/env python3
"""Compares the pairs of matches that gsx finds with those of MUMmer 3.

    scripts/compare_mummer.py build/gsx target.fa.gz [query.fa.gz] [--mummer /usr/bin/mummer] [--length 50] [--seed 1]

Without a query, takes a copy of the target with 1 % of its bases changed and 0.1 % inserted or left out. Finds all
pairs of at least that length, those of strings that are unique in the target, and those that are unique in the query,
too, with `gsx mem --pairs --mummer` and with `mummer -b -n -c -F`. Both must print the same lines below the same
headers, in whatever order.

Prints one line per comparison, with the CPU time of both on one thread; exits with 1 if one differs. Without --mummer,
it prints "not compared".
"""
import argparse
import os
import random
import sys
import tempfile

from check_genome import read_fasta
from compare_mismatches import run

KINDS = (("all pairs", [], "-maxmatch"), ("unique in the target", ["--mum-ref"], "-mumreference"),
         ("unique in both", ["--mum"], "-mum"))


def changed_copy(sequence, rng):
    """The sequence with substitutions, insertions and deletions."""
    copy, begin = bytearray(), 0
    while True:
        end = begin + int(rng.expovariate(0.011))
        copy += sequence[begin:end]
        if end >= len(sequence):
            return bytes(copy)
        kind = rng.random() * 11
        if kind < 10.5:  # a base replaced, or one put in
            copy += rng.choice([base for base in (b"A", b"C", b"G", b"T") if base != sequence[end:end + 1].upper()])
        begin = end if 10 <= kind < 10.5 else end + 1


def write_fasta(path, records):
    with open(path, "wb") as file:
        for name, sequence in records:
            file.write(b">%s\n%s\n" % (name.encode(), sequence))


def blocks_of(output):
    """The headers, in order, each with its lines, sorted."""
    blocks = []
    for line in output.splitlines():
        if line.startswith(b">"):
            blocks.append((line.strip(), []))
        else:
            blocks[-1][1].append(line)
    for _, lines in blocks:
        lines.sort()
    return blocks


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gsx")
    parser.add_argument("target")
    parser.add_argument("query", nargs="?")
    parser.add_argument("--mummer")
    parser.add_argument("--length", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.mummer:
        print("not compared: --mummer names no program")
        return 0
    rng = random.Random(options.seed)
    targets = [(name.split()[0], sequence) for name, sequence in read_fasta(options.target)]
    if options.query:
        queries = [(name.split()[0], sequence) for name, sequence in read_fasta(options.query)]
    else:
        queries = [(name + "_copy", changed_copy(sequence, rng)) for name, sequence in targets]
    different = False
    with tempfile.TemporaryDirectory() as folder:
        target, query = os.path.join(folder, "target.fa"), os.path.join(folder, "query.fa")
        write_fasta(target, targets)
        write_fasta(query, queries)
        for what, flags, kind in KINDS:
            ours, our_time = run([options.gsx, "mem", "--pairs", "-q", "-t", "1", "--mummer", "-L", str(options.length),
                                  *flags, target, query])
            theirs, their_time = run([options.mummer, kind, "-l", str(options.length), "-b", "-n", "-c", "-F", target,
                                      query])
            ours, theirs = blocks_of(ours), blocks_of(theirs)
            counts = [sum(len(lines) for _, lines in blocks) for blocks in (ours, theirs)]
            same = ours == theirs
            different |= not same
            print(f"{'same' if same else 'DIFFERENT'}  {what}, at least {options.length} bases: {counts[0]} pairs "
                  f"({our_time:.2f} s), mummer {counts[1]} pairs ({their_time:.2f} s)", flush=True)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
