#!/usr/bin/env python3
"""Compares the k-mer frequencies of gsx mappability, and its spectrum, with the counts of jellyfish.

    scripts/compare_jellyfish.py build/gsx genome.fa[.gz] [-K 11,16,21,31,48] [--jellyfish /usr/bin/jellyfish]
                                 [--threads 2]

For each k, `jellyfish count -C` counts the k-mers of both strands. `gsx mappability --frequency` gives each position
the frequency of its k-mer; a k-mer that occurs f times has f positions. So the number of k-mers by frequency must be
the same as `jellyfish histo` has. The numbers of distinct, unique and all k-mers must be those of `jellyfish stats`,
in the tracks and in `gsx mappability --spectrum`.

Prints one line per comparison; exits with 1 if one differs. Without jellyfish, it prints "not compared".
"""
import argparse
import collections
import gzip
import os
import shutil
import subprocess
import sys
import tempfile


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def plain_copy(path, folder):
    """The path of the file without gzip, which jellyfish does not read."""
    with open(path, "rb") as file:
        if file.read(2) != b"\x1f\x8b":
            return path
    copy = os.path.join(folder, "genome.fa")
    with gzip.open(path, "rb") as source, open(copy, "wb") as target:
        shutil.copyfileobj(source, target)
    return copy


def frequencies_by_gsx(gsx, genome, k, threads):
    """{frequency: k-mers}, of the track."""
    positions = collections.Counter()
    track = subprocess.Popen([gsx, "mappability", "-K", str(k), "--frequency", "-t", threads, genome],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in track.stdout:
        _, begin, end, frequency = line.rstrip(b"\n").split(b"\t")
        positions[int(frequency)] += int(end) - int(begin)
    if track.wait() != 0:
        raise SystemExit(f"gsx mappability -K {k} fails")
    if any(count % frequency for frequency, count in positions.items()):
        raise SystemExit(f"k = {k}: the positions of some frequency are no whole number of k-mers")
    return {frequency: count // frequency for frequency, count in positions.items()}


def frequencies_by_jellyfish(jellyfish, genome, k, threads, folder):
    """({frequency: k-mers}, (distinct, unique, total))."""
    counts = os.path.join(folder, "counts.jf")
    output_of(jellyfish, "count", "-C", "-m", str(k), "-s", "100M", "-t", threads, "-o", counts, genome)
    histogram = {}
    for line in output_of(jellyfish, "histo", "-h", str(2**31), counts).splitlines():
        frequency, kmers = line.split()
        histogram[int(frequency)] = int(kmers)
    stats = dict(line.split(b":") for line in output_of(jellyfish, "stats", counts).splitlines())
    return histogram, tuple(int(stats[name]) for name in (b"Distinct", b"Unique", b"Total"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx")
    parser.add_argument("genome")
    parser.add_argument("-K", default="11,16,21,31,48")
    parser.add_argument("--jellyfish", default=shutil.which("jellyfish"))
    parser.add_argument("--threads", default="2")
    options = parser.parse_args()
    if not options.jellyfish:
        print("not compared: there is no jellyfish")
        return 0
    all_same = True
    with tempfile.TemporaryDirectory() as folder:
        genome = plain_copy(options.genome, folder)
        spectrum = {}
        for line in output_of(options.gsx, "mappability", "--spectrum", "-t", options.threads, genome).splitlines()[1:]:
            k, *counts = map(int, line.split())
            spectrum[k] = tuple(counts)
        for k in map(int, options.K.split(",")):
            theirs, stats = frequencies_by_jellyfish(options.jellyfish, genome, k, options.threads, folder)
            ours = frequencies_by_gsx(options.gsx, genome, k, options.threads)
            distinct, unique = sum(ours.values()), ours.get(1, 0)
            total = sum(frequency * kmers for frequency, kmers in ours.items())
            same = ours == theirs and (distinct, unique, total) == stats and spectrum.get(k, stats) == stats
            all_same &= same
            print(f"{'same' if same else 'DIFFERENT'}  k = {k}: distinct, unique, total: track {distinct} {unique} {total}, "
                  f"spectrum {spectrum.get(k, 'beyond its end')}, jellyfish {stats}", flush=True)
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
