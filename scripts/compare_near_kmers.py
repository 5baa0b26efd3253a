#!/usr/bin/env python3
"""Compares the k-mers with mismatches of gsx mappability -k with the alignments of Bowtie 1.

    scripts/compare_near_kmers.py build/gsx genome.fa[.gz] [-K 36,50,100] [-k 1,2] [--every 97] [--bowtie /usr/bin/bowtie]

Gives one k-mer of every so many to `bowtie -v E -a` as a read (bowtie-build is taken from the same folder). A read has
as many alignments as its k-mer has places with at most E mismatches, on both strands; a k-mer that is its own reverse
complement is aligned twice to each place. Frequencies are compared up to the cap, 255.

Prints one line per comparison; exits with 1 if one differs. Without bowtie, it prints "not compared".
"""
import argparse
import collections
import os
import shutil
import subprocess
import sys
import tempfile

from check_genome import COMPLEMENT, read_fasta

CAP = 255


def frequencies(gsx, genome, k, mismatches):
    """{record: [(begin, end, frequency)]}, in order."""
    runs = collections.defaultdict(list)
    track = subprocess.run([gsx, "mappability", "-q", "--frequency", "-K", str(k), "-k", str(mismatches), genome],
                           check=True, stdout=subprocess.PIPE).stdout
    for line in track.splitlines():
        record, begin, end, frequency = line.split(b"\t")
        runs[record].append((int(begin), int(end), int(frequency)))
    return runs


def some_kmers(records, k, every):
    """(record, position, k-mer) of every so many windows of A, C, G and T."""
    number = 0
    for name, sequence in records:
        for position in range(0, len(sequence) - k + 1):
            number += 1
            if number % every == 0 and not sequence[position:position + k].strip(b"ACGT"):
                yield name, position, sequence[position:position + k]


def alignments(bowtie, index, kmers, mismatches, folder):
    """The number of alignments of each k-mer, at most CAP + 1."""
    reads = os.path.join(folder, "reads.txt")
    with open(reads, "wb") as file:
        file.writelines(kmer + b"\n" for _, _, kmer in kmers)
    counts = [0] * len(kmers)
    process = subprocess.Popen([bowtie, "-v", str(mismatches), "-k", str(2 * CAP + 2), "--quiet", "--suppress",
                                "2,3,4,5,6,7,8", "-r", index, reads], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    for line in process.stdout:
        counts[int(line)] += 1
    if process.wait() != 0:
        raise SystemExit("bowtie fails")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx")
    parser.add_argument("genome")
    parser.add_argument("-K", default="36,50,100")
    parser.add_argument("-k", default="1,2")
    parser.add_argument("--every", type=int, default=97)
    parser.add_argument("--bowtie", default=shutil.which("bowtie"))
    options = parser.parse_args()
    if not options.bowtie:
        print("not compared: there is no bowtie")
        return 0
    records = [(name.encode(), sequence) for name, sequence in read_fasta(options.genome)]
    all_same = True
    with tempfile.TemporaryDirectory() as folder:
        plain, index = os.path.join(folder, "genome.fa"), os.path.join(folder, "index")
        with open(plain, "wb") as file:
            file.writelines(b">%s\n%s\n" % record for record in records)
        builder = os.path.join(os.path.dirname(options.bowtie), "bowtie-build")
        subprocess.run([builder, "-q", plain, index], check=True, stdout=subprocess.DEVNULL)
        for k in map(int, options.K.split(",")):
            kmers = list(some_kmers(records, k, options.every))
            for mismatches in map(int, options.k.split(",")):
                theirs = alignments(options.bowtie, index, kmers, mismatches, folder)
                runs = frequencies(options.gsx, plain, k, mismatches)
                at = collections.Counter()
                different, repeated = 0, 0
                for (name, position, kmer), count in zip(kmers, theirs):
                    while runs[name][at[name]][1] <= position:
                        at[name] += 1
                    if kmer.translate(COMPLEMENT)[::-1] == kmer:
                        count //= 2
                    ours = runs[name][at[name]][2]
                    different += ours != min(count, CAP)
                    repeated += ours > 1
                all_same &= different == 0
                print(f"{'same' if different == 0 else 'DIFFERENT'}  k = {k}, E = {mismatches}: {len(kmers)} k-mers, "
                      f"{repeated} of them repeated, {different} different", flush=True)
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
