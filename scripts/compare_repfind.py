#!/usr/bin/env python3
"""Compares the maximal pairs of gsx repeats with those of GenomeTools.

    scripts/compare_repfind.py build/gsx [FILE.fa[.gz] ...] [-L 20] [--protein] [--gt /usr/bin/gt] [--random 100]
                               [--seed N] [--threads 2]

`gt repfind -f` lists the pairs of places with the same symbols, `gt repfind -f -p` also those with reverse
complements. `gsx repeats --pairs` must list the same pairs, with `--strand fwd` and without, each of them once. Places
are compared as (length, record, start, record, start, strand), the place that comes first in the input first.

Compares on the files, and on N random texts that repeat themselves: few symbols, mutated and turned copies, periods,
Fibonacci words, runs of N, and many records.

Prints one line per comparison; exits with 1 if one differs. Without gt, it prints "not compared".
"""
import argparse
import collections
import gzip
import os
import random
import shutil
import subprocess
import sys
import tempfile


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def plain_copy(path, protein, folder):
    """A copy without gzip, whose records have numbers for names. gt takes letters other than those of the twenty amino
    acids for wildcards, which match nothing; gsx does not. So they become A.
    """
    others = bytes(65 if protein and chr(c).isalpha() and chr(c).upper() not in "ACDEFGHIKLMNPQRSTVWY" else c
                   for c in range(128)) + bytes(range(128, 256))
    copy = os.path.join(folder, "input.fa")
    with open(path, "rb") as file:
        is_gzip = file.read(2) == b"\x1f\x8b"
    with (gzip.open if is_gzip else open)(path, "rb") as source, open(copy, "wb") as target:
        number = -1
        for line in source:
            if line.startswith(b">"):
                number += 1
                line = b">%d\n" % number
            else:
                line = line.translate(others)
            target.write(line)
    return copy


def pairs_by_gt(gt, fasta, length, both, protein, folder):
    index = os.path.join(folder, "gt")
    output_of(gt, "suffixerator", "-db", fasta, "-indexname", index, "-protein" if protein else "-dna", "-suf", "-lcp",
              "-tis", "-des", "-ssp", "-sds", "-md5", "no")
    pairs = collections.Counter()
    for line in output_of(gt, "repfind", "-l", str(length), "-f", *(["-p"] if both else []), "-ii", index).splitlines():
        if line.startswith("#"):
            continue
        size, record, start, strand, _, record2, start2 = line.split()[:7]
        first, second = sorted([(int(record), int(start)), (int(record2), int(start2))])
        pairs[(int(size), *first, *second, "+" if strand == "F" else "-")] += 1
    return pairs


def pairs_by_gsx(gsx, fasta, length, both, protein, threads):
    pairs = collections.Counter()
    alphabet = "protein" if protein else "dna"
    for line in output_of(gsx, "repeats", "--pairs", "-L", str(length), "--alphabet", alphabet, "-t", threads,
                          "--no-header", "--strand", "both" if both else "fwd", fasta).splitlines():
        record, start, end, record2, start2, end2, size, strand = line.split("\t")
        if int(end) - int(start) != int(size) or int(end2) - int(start2) != int(size):
            raise SystemExit(f"the length of this pair is not that of its places: {line}")
        pairs[(int(size), int(record), int(start), int(record2), int(start2), strand)] += 1
    return pairs


def compare(options, fasta, length, what, folder):
    all_same = True
    for both in [False] if options.protein else [False, True]:
        theirs = pairs_by_gt(options.gt, fasta, length, both, options.protein, folder)
        ours = pairs_by_gsx(options.gsx, fasta, length, both, options.protein, options.threads)
        same = ours == theirs
        all_same &= same
        print(f"{'same' if same else 'DIFFERENT'}  {what}, L = {length}, {'both strands' if both else 'forward'}: "
              f"gsx {sum(ours.values())} pairs, gt {sum(theirs.values())}", flush=True)
        if not same:
            for name, more in ("only gsx", ours - theirs), ("only gt", theirs - ours):
                for pair in list(more)[:3]:
                    print(f"    {name}: {pair}")
            shutil.copy(fasta, "different.fa")
    return all_same


def turned(symbols):
    return symbols[::-1].translate(str.maketrans("ACGTN", "TGCAN"))


def random_records(rng, protein):
    letters = "ACDEFGHIKLMNPQRSTVWY" if protein else "ACGT"
    letters = letters[:rng.randint(1 if not protein else 2, len(letters))]
    some = lambda size: "".join(rng.choice(letters) for _ in range(size))
    records = []
    for _ in range(rng.choice([1, 1, 2, 5, 30])):
        kind = rng.randrange(6)
        unit = some(rng.randint(1, 80))
        if kind == 0:
            record = some(rng.randint(1, 300))
        elif kind == 1:
            record = (unit * 300)[:rng.randint(1, 250)]
        elif kind == 2:
            a, b = letters[0], letters[0] + letters[-1]
            while len(b) < 150:
                a, b = b, b + a
            record = b
        else:
            record = ""
            for _ in range(rng.randint(2, 6)):
                copy = "".join(rng.choice(letters) if rng.random() < 0.02 else c for c in unit)
                if not protein and rng.random() < 0.5:
                    copy = turned(copy)
                record += copy + ("N" if not protein and rng.random() < 0.2 else "") + some(rng.randint(0, 9))
        records.append(record)
    if records and rng.random() < 0.3:
        records.append(records[0])
    return records


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx")
    parser.add_argument("files", nargs="*")
    parser.add_argument("-L", type=int, default=20)
    parser.add_argument("--protein", action="store_true")
    parser.add_argument("--gt", default=shutil.which("gt"))
    parser.add_argument("--random", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--threads", default="2")
    options = parser.parse_intermixed_args()
    if not options.gt:
        print("not compared: there is no gt")
        return 0
    all_same = True
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files:
            all_same &= compare(options, plain_copy(path, options.protein, folder), options.L, path, folder)
        print(f"seed {options.seed}")
        rng = random.Random(options.seed)
        for number in range(options.random):
            fasta = os.path.join(folder, "random.fa")
            with open(fasta, "w", encoding="ascii") as file:
                for r, record in enumerate(random_records(rng, options.protein)):
                    file.write(f">{r}\n{record}\n")
            all_same &= compare(options, fasta, rng.choice([3, 5, 8, 12, 20]), f"random {number}", folder)
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
