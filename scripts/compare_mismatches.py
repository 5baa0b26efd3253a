#!/usr/bin/env python3
"""Compares the places that gsx finds with mismatches with those of another program.

    scripts/compare_mismatches.py build/gsx genome.fa.gz --bowtie /usr/bin/bowtie [--reads 10000] [--seed 1]

Cuts reads from a genome, with errors and some N, from both strands, and searches them with `gsx locate -k` and with
Bowtie 1 (`bowtie -v K -a`; bowtie-build is taken from the same folder), for 0 to 3 mismatches. Both must find the
same set of places with the same numbers of mismatches. Prints one line per comparison, with the CPU time of both;
exits with 1 if one differs. Without --bowtie, it prints "not compared".
"""
import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile

from check_genome import COMPLEMENT, read_fasta

LENGTHS = [(150, 1.0), (36, 0.1), (20, 0.005)]  # of reads, and how many there are in proportion


def draw_reads(records, count, length):
    """FASTQ records of one length."""
    records = [record for record in records if len(record[1]) >= length]
    if not records:
        sys.exit(f"no record of the genome has {length} bases")
    weights = [len(sequence) for _, sequence in records]
    reads = []
    while len(reads) < count:
        sequence = random.choices(records, weights)[0][1]
        begin = random.randrange(len(sequence) - length + 1)
        read = bytearray(sequence[begin:begin + length])
        if read.count(b"N") > 2:
            continue
        for i in range(length):
            if random.random() < 0.01:
                read[i] = random.choice(b"ACGT" if random.random() < 0.9 else b"N")
        if random.random() < 0.5:
            read = read.translate(COMPLEMENT)[::-1]
        reads.append(b"@r%d\n%s\n+\n%s\n" % (len(reads), bytes(read), b"I" * length))
    return b"".join(reads)


def run(command):
    """The output of a program, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(command)}\n{done.stderr.decode()}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def places_of_gsx(output):
    """Sorted (query, record, start, strand, mismatches) of `gsx locate --no-header`."""
    rows = (line.split(b"\t") for line in output.splitlines())
    return sorted((row[0], row[1], int(row[2]), row[4], int(row[5])) for row in rows)


def places_of_bowtie(output):
    """The same of Bowtie's own format, whose eighth column lists the mismatches."""
    rows = (line.split(b"\t") for line in output.splitlines())
    return sorted((row[0], row[2].split()[0], int(row[3]), row[1], len(row[7].split(b",")) if row[7] else 0)
                  for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx")
    parser.add_argument("genome", help="FASTA, plain or gzip")
    parser.add_argument("--bowtie", help="the program Bowtie 1")
    parser.add_argument("--reads", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.bowtie is None:
        print("bowtie: not compared")
        return 0
    random.seed(options.seed)
    records = read_fasta(options.genome)
    different = False
    with tempfile.TemporaryDirectory() as folder:
        fasta, index, peer_index, fastq = (os.path.join(folder, name) for name in ("g.fa", "g.gsx", "g", "reads.fq"))
        with open(fasta, "wb") as file:
            for name, sequence in records:
                file.write(b">%s\n%s\n" % (name.encode(), sequence))
        run([options.gsx, "index", "-q", "-o", index, fasta])
        run([options.bowtie + "-build", "-q", fasta, peer_index])
        for length, share in LENGTHS:
            count = max(1, int(options.reads * share))
            with open(fastq, "wb") as file:
                file.write(draw_reads(records, count, length))
            for k in range(4):
                ours, our_time = run([options.gsx, "locate", "-q", "--no-header", "-t", "1", "-k", str(k),
                                      "-x", index, fastq])
                theirs, their_time = run([options.bowtie, "-v", str(k), "-a", "--quiet", "-x", peer_index, fastq])
                found, expected = places_of_gsx(ours), places_of_bowtie(theirs)
                same = found == expected
                print(f"{'same' if same else 'DIFFERENT'}  {count} reads of {length}, k = {k}: {len(found)} places "
                      f"({our_time:.2f} s), bowtie {len(expected)} ({their_time:.2f} s)", flush=True)
                different = different or not same
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
