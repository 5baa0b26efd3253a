#!/usr/bin/env python3
"""Proves an index of a real genome from the outside.

    scripts/check_genome.py build/gsx genome.fa.gz [--reads 100000] [--patterns 1000] [--seed 1]

Indexes the genome, verifies the index, extracts every record and compares it with the input, cuts
reads from it and checks that locate finds each at its origin, and compares count with a scan of
the sequence for present and for random patterns of 1 to 300 symbols on both strands. Prints one
line per check; exits with 1 at the first that fails.
"""
import argparse
import gzip
import os
import random
import subprocess
import sys
import tempfile
import time

COMPLEMENT = bytes.maketrans(b"ACGT", b"TGCA")


def read_fasta(path):
    """Names and upper-case sequences of a FASTA file, plain or gzip."""
    opener = gzip.open if path.endswith(".gz") else open
    records = []
    with opener(path, "rb") as file:
        for line in file:
            if line.startswith(b">"):
                records.append((line[1:].split()[0].decode(), []))
            else:
                records[-1][1].append(line.strip().upper())
    return [(name, b"".join(lines)) for name, lines in records]


def occurrences(sequences, pattern):
    """Overlapping occurrences of a pattern in all sequences."""
    found = 0
    for sequence in sequences:
        position = sequence.find(pattern)
        while position >= 0:
            found += 1
            position = sequence.find(pattern, position + 1)
    return found


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, **options)
    if done.returncode != 0:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(command)}")
    return done.stdout


def report(what, start):
    print(f"ok  {what}  ({time.time() - start:.1f} s)", flush=True)


def check_extract(gsx, index, records, folder):
    start = time.time()
    path = os.path.join(folder, "extracted.fa")
    run([gsx, "extract", "-q", index, "-o", path])
    if read_fasta(path) != records:
        sys.exit("FAILED: extract differs from the input")
    report(f"extract gives {len(records)} records back, symbol for symbol", start)


def check_locate(gsx, index, records, count, rng, folder):
    start = time.time()
    total = sum(len(sequence) for _, sequence in records)
    path = os.path.join(folder, "reads.fa")
    origins = []
    with open(path, "wb") as file:
        while len(origins) < count:
            name, sequence = rng.choices(records, [len(s) for _, s in records])[0]
            length = rng.randint(min(30, total), 150)
            position = rng.randrange(max(1, len(sequence) - length))
            read = sequence[position:position + length]
            if not read or read.strip(b"ACGT"):
                continue
            reverse = rng.random() < 0.5
            if reverse:
                read = read[::-1].translate(COMPLEMENT)
            file.write(b">%d\n%s\n" % (len(origins), read))
            origins.append((name, position, position + len(read), "-" if reverse else "+"))
    missing = set(range(count))
    output = run([gsx, "locate", "-q", "-x", index, "--no-header", path]).decode()
    for line in output.splitlines():
        query, target, begin, end, strand = line.split("\t")[:5]
        if origins[int(query)] == (target, int(begin), int(end), strand):
            missing.discard(int(query))
    if missing:
        sys.exit(f"FAILED: {len(missing)} reads are not found at their origin")
    report(f"locate finds {count} reads at their origin", start)


def check_count(gsx, index, records, count, rng, folder):
    start = time.time()
    sequences = [sequence for _, sequence in records]
    patterns = []
    while len(patterns) < count:
        sequence = rng.choices(sequences, [len(s) for s in sequences])[0]
        length = rng.randint(1, 300)
        position = rng.randrange(max(1, len(sequence) - length))
        pattern = sequence[position:position + length]
        if pattern and not pattern.strip(b"ACGT"):
            patterns.append(pattern)
    for _ in range(count):
        patterns.append(bytes(rng.choice(b"ACGT") for _ in range(rng.randint(1, 300))))
    path = os.path.join(folder, "patterns.fa")
    with open(path, "wb") as file:
        for number, pattern in enumerate(patterns):
            file.write(b">%d\n%s\n" % (number, pattern))
    output = run([gsx, "count", "-q", "-x", index, "--no-header", path]).decode()
    for pattern, line in zip(patterns, output.splitlines(), strict=True):
        forward = occurrences(sequences, pattern)
        reverse = occurrences(sequences, pattern[::-1].translate(COMPLEMENT))
        if line.split("\t")[1:] != [str(len(pattern)), str(forward + reverse), str(forward),
                                    str(reverse)]:
            sys.exit(f"FAILED: {pattern.decode()}: {line}, a scan says {forward} + {reverse}")
    report(f"count agrees with a scan on {count} present and {count} random patterns", start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gsx")
    parser.add_argument("genome")
    parser.add_argument("--reads", type=int, default=100000)
    parser.add_argument("--patterns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    records = read_fasta(options.genome)
    with tempfile.TemporaryDirectory() as folder:
        index = os.path.join(folder, "genome.gsx")
        start = time.time()
        run([options.gsx, "index", options.genome, "-o", index])
        report("index", start)
        start = time.time()
        run([options.gsx, "verify", "-q", "--full", index])
        report("verify --full", start)
        check_extract(options.gsx, index, records, folder)
        check_locate(options.gsx, index, records, options.reads, rng, folder)
        check_count(options.gsx, index, records, options.patterns, rng, folder)


if __name__ == "__main__":
    main()
