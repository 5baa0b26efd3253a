#!/usr/bin/env python3
"""Compares what gsx reads of alignments with what samtools fastq writes of them.

    scripts/compare_samtools.py build/gsx [--cases 20] [--seed 1]
    scripts/compare_samtools.py build/gsx reads.bam [--cram-reference genome.fa]

In the first form, alignments are drawn at random: mapped or not, on either strand, mates, secondary and supplementary
lines, without qualities, without sequences; as SAM, BAM, and CRAM of version 2.1, 3.0 and 3.1 with a reference. In the
second, any file is read. gsx filter writes all reads, and samtools fastq too; both must be the same bytes, but for reads
without sequence, which samtools leaves out. Prints one line per file; exits with 1 if anything differs, and with 77 if
there is no samtools.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

LENGTH = 20000
NO_READ = ">none\n!\n"  # a text that shares no symbol with reads


def random_alignments(rng, genome):
    """The text of SAM: a header and lines by position."""
    rows = []
    for i in range(rng.randrange(1, 400)):
        size = rng.choice([1, 30, 100, 151, rng.randrange(1, 600)])
        at = rng.randrange(LENGTH - size)
        bases = "".join(c if rng.random() < 0.97 else rng.choice("ACGTNRYK") for c in genome[at:at + size])
        qualities = "".join(chr(33 + rng.randrange(42)) for _ in bases) if rng.random() < 0.95 else "*"
        if qualities == "*" or rng.random() < 0.02:
            qualities = "*" if size > 1 else "I"
        flag = rng.choice([0, 16]) | rng.choice([0, 0, 0x41, 0x81, 0xC1, 0x400, 0x200])
        mapped = rng.random() < 0.8
        place = ["chr", str(at + 1), "60", f"{size}M"] if mapped else ["*", "0", "0", "*"]
        if not mapped:
            flag |= 4
        if rng.random() < 0.03:
            bases, qualities, place = "*", "*", ["*", "0", "0", "*"]
            flag |= 4
        key = at if place[0] == "chr" else LENGTH
        rows.append((key, [f"r{i}", str(flag)] + place + ["*", "0", "0", bases, qualities]))
        if mapped and place[0] == "chr" and rng.random() < 0.1:
            again = [f"r{i}", str(flag | rng.choice([0x100, 0x800]))] + place + ["*", "0", "0", bases, qualities]
            rows.append((key, again))
    rows.sort(key=lambda row: row[0])
    lines = ["@HD\tVN:1.6\tSO:coordinate", f"@SQ\tSN:chr\tLN:{LENGTH}"] + ["\t".join(row) for _, row in rows]
    return "\n".join(lines) + "\n"


def without_empty(fastq):
    """The records that have symbols. gsx writes four lines for each."""
    lines = fastq.split(b"\n")
    records = [lines[i:i + 4] for i in range(0, len(lines) - 1, 4)]
    return b"".join(b"\n".join(record) + b"\n" for record in records if record[1])


def compare(program, index, path, reference):
    """Whether both read the same of a file; prints a line."""
    options = ["--cram-reference", reference] if reference else []
    command = [program, "filter", "-q", "-x", index, "--drop", "-L", "1", "--unpaired", *options]
    ours = subprocess.run(command + [path], check=True, capture_output=True).stdout
    with open(path, "rb") as file:
        piped = subprocess.run(command + ["-"], check=True, capture_output=True, stdin=file).stdout
    named = ["--reference", reference] if reference else []
    theirs = subprocess.run(["samtools", "fastq", *named, path], check=True, capture_output=True).stdout
    same = without_empty(ours) == theirs and piped == ours
    print(f"{os.path.basename(path)}\t{ours.count(bytes([10])) // 4} reads\t{'same' if same else 'DIFFERENT'}", flush=True)
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--cram-reference")
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if shutil.which("samtools") is None:
        print("there is no samtools", file=sys.stderr)
        return 77
    rng = random.Random(arguments.seed)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        genome = "".join(rng.choice("ACGT") for _ in range(LENGTH))
        fasta = os.path.join(folder, "genome.fa")
        with open(fasta, "w", encoding="ascii") as file:
            file.write(f">chr\n{genome}\n")
        subprocess.run(["samtools", "faidx", fasta], check=True)
        index = os.path.join(folder, "none.gsx")
        subprocess.run([arguments.program, "index", "-q", "--alphabet", "bytes", "-", "-o", index], check=True,
                       input=NO_READ, text=True)
        for path in arguments.files:
            good = compare(arguments.program, index, path, arguments.cram_reference) and good
        for case in range(0 if arguments.files else arguments.cases):
            sam = os.path.join(folder, f"{case}.sam")
            with open(sam, "w", encoding="ascii") as file:
                file.write(random_alignments(rng, genome))
            forms = {"bam": ["-b"]}
            for version in ("2.1", "3.0", "3.1"):
                forms[f"{version}.cram"] = ["-C", "-T", fasta, "-O", f"cram,version={version}"]
            good = compare(arguments.program, index, sam, None) and good
            for suffix, options in forms.items():
                path = os.path.join(folder, f"{case}.{suffix}")
                subprocess.run(["samtools", "view", *options, "-o", path, sam], check=True, capture_output=True)
                good = compare(arguments.program, index, path, fasta if suffix.endswith("cram") else None) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
