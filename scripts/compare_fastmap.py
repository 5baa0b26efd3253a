#!/usr/bin/env python3
"""Compares the maximal matches that gsx finds with those of bwa fastmap.

    scripts/compare_fastmap.py build/gsx genome.fa.gz [reads.fq.gz ...] [--bwa /usr/bin/bwa] [--drawn 100000] [--length 31]
                               [--seed 1]

Joins what a genome has between its unknown bases to one record, so that bwa, which indexes random bases for N and
matches across the borders of records, sees the same text. Searches the reads of the files, and reads that it cuts
from the genome with errors from both strands, for their maximal matches with `gsx mem --fastmap`, by an index with all
and one with some of the suffix array, and with `bwa fastmap -w 1000000`. Both must find the same intervals, with the
same counts and the same sets of places. Then it compares on the genome as it is: what differs there must be a match
that bwa finds across the border of a record, or in random bases.

Prints one line per comparison, with the CPU time of both on one thread; exits with 1 if one differs. Without --bwa, it
prints "not compared".
"""
import argparse
import gzip
import os
import random
import re
import sys
import tempfile

from check_genome import COMPLEMENT, read_fasta
from compare_mismatches import draw_reads, run

MOST_PLACES = 1000000


def read_fastq(path):
    """The sequences of a FASTQ file of four lines per record, plain or gzip."""
    with open(path, "rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if compressed else open)(path, "rb") as file:
        return [line.strip() for number, line in enumerate(file) if number % 4 == 1]


def blocks_of(output):
    """The blocks of fastmap: per query, its {(begin, end): (count, places)}."""
    blocks = []
    for row in (line.split(b"\t") for line in output.splitlines()):
        if row[0] == b"SQ":
            blocks.append({})
        elif row[0] == b"EM":
            blocks[-1][int(row[1]), int(row[2])] = int(row[3]), sorted(row[4:])
    return blocks


def say(what, ours, our_time, theirs, their_time):
    """Prints a comparison; whether the blocks are the same."""
    same = ours == theirs
    intervals = [sum(map(len, blocks)) for blocks in (ours, theirs)]
    places = sum(len(places) for block in ours for _, places in block.values())
    print(f"{'same' if same else 'DIFFERENT'}  {what}: {len(ours)} reads, {intervals[0]} intervals, {places} places "
          f"({our_time:.2f} s), bwa {intervals[1]} intervals ({their_time:.2f} s)", flush=True)
    return same


def is_explained(place, length, records):
    """Whether bwa's place is across the border of a record, or holds an unknown base."""
    name, strand_and_start = place.rsplit(b":", 1)
    begin = int(strand_and_start[1:]) - 1
    found = records[name][begin:begin + length] if begin >= 0 else b""
    return len(found) < length or re.search(rb"[^ACGT]", found) is not None


def unexplained(read_blocks, records):
    """Reads whose blocks differ for another reason than bwa's random bases and borders."""
    wrong = 0
    for ours, theirs in zip(*read_blocks):
        odd = [interval for interval, (_, places) in theirs.items()
               if any(is_explained(place, interval[1] - interval[0], records) for place in places)]
        for interval in set(ours) | set(theirs):
            if ours.get(interval) == theirs.get(interval) or interval in odd:
                continue
            # Ours may lie in a longer one of bwa's that has such a place.
            wrong += not any(begin <= interval[0] and interval[1] <= end for begin, end in odd)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx")
    parser.add_argument("genome", help="FASTA, plain or gzip")
    parser.add_argument("reads", nargs="*", help="FASTQ, plain or gzip")
    parser.add_argument("--bwa", help="the program bwa")
    parser.add_argument("--drawn", type=int, default=100000, help="reads that are cut from the genome")
    parser.add_argument("--length", type=int, default=31, help="the least length of matches")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.bwa is None:
        print("bwa: not compared")
        return 0
    random.seed(options.seed)
    records = [(f"r{i}", sequence) for i, (_, sequence) in enumerate(read_fasta(options.genome))]
    joined = [("joined", b"".join(re.sub(rb"[^ACGT]", b"", sequence) for _, sequence in records))]
    different = False
    with tempfile.TemporaryDirectory() as folder:
        fasta, index, fastq = (os.path.join(folder, name) for name in ("g.fa", "g.gsx", "reads.fq"))
        sequences = [sequence for path in options.reads for sequence in read_fastq(path)]
        with open(fastq, "wb") as file:
            for i, sequence in enumerate(sequences):
                file.write(b"@f%d\n%s\n+\n%s\n" % (i, sequence, b"I" * len(sequence)))
            file.write(draw_reads(joined, options.drawn, 150))
            # A read of many records' parts, of the reverse complement, of one base, and of none that match.
            head = joined[0][1][:400]
            for sequence in (head, head.translate(COMPLEMENT)[::-1], b"A" * 200, b"N" * 100, b"AC" * 100):
                file.write(b"@odd\n%s\n+\n%s\n" % (sequence, b"I" * len(sequence)))
        for what, genome in (("one record without N", joined), ("the genome", records)):
            with open(fasta, "wb") as file:
                for name, sequence in genome:
                    file.write(b">%s\n%s\n" % (name.encode(), sequence))
            run([options.bwa, "index", fasta])
            theirs, their_time = run([options.bwa, "fastmap", "-l", str(options.length), "-w", str(MOST_PLACES), fasta,
                                      fastq])
            theirs = blocks_of(theirs)
            for rate in (1, 8):
                run([options.gsx, "index", "-q", "--force", "--sa-rate", str(rate), "-o", index, fasta])
                ours, our_time = run([options.gsx, "mem", "-q", "-t", "1", "--fastmap", "-L", str(options.length),
                                      "--max-occ", str(MOST_PLACES), "-x", index, fastq])
                ours = blocks_of(ours)
                if genome is joined:
                    different |= not say(f"{what}, --sa-rate {rate}", ours, our_time, theirs, their_time)
            if genome is not joined:
                by_name = {name.encode(): sequence for name, sequence in records}
                wrong = unexplained((ours, theirs), by_name)
                unlike = sum(ours != theirs for ours, theirs in zip(ours, theirs))
                print(f"{'same' if wrong == 0 else 'DIFFERENT'}  {what}: {unlike} reads differ by bwa's random bases "
                      f"and borders, {wrong} intervals for another reason", flush=True)
                different |= wrong != 0
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
