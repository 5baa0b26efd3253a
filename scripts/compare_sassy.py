#!/usr/bin/env python3
"""Compares the places that gsx finds with edits with those of Sassy.

    scripts/compare_sassy.py build/gsx target.fa.gz [--patterns 1000] [--seed 1] [--venv FOLDER]

Cuts patterns of 18 to 60 bases from both strands of the target, edits some of their bases, and finds them with up to 1,
2 and 3 edits by `gsx locate -e K`, with and without --all-ends, and by Sassy's search() and search_all(), which are
given each stretch without N as a text of its own. Both must find the same ends in the direction of each pattern, with
the same edits; where a match begins is a matter of the rule for alignments, which differs.

Runs in a Python that has the package sassy-rs; with --venv, it makes an environment there, installs the package, and
goes on in that. Prints one line per comparison, with the CPU time of both on one thread; exits with 1 if one differs.
Without the package, it prints "not compared".
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import venv

from check_genome import COMPLEMENT, read_fasta
from compare_mismatches import run
from compare_mummer import write_fasta


def edited(pattern, count, rng):
    """The pattern with some bases replaced, put in or left out."""
    pattern = bytearray(pattern)
    for _ in range(count):
        at = rng.randrange(len(pattern))
        kind = rng.randrange(3)
        if kind == 0:
            pattern[at] = rng.choice(b"ACGT")
        elif kind == 1:
            pattern.insert(at, rng.choice(b"ACGT"))
        else:
            del pattern[at]
    return bytes(pattern)


def draw_patterns(stretches, count, edits, rng):
    """Names and sequences of patterns."""
    stretches = [bases for _, _, bases in stretches if len(bases) >= 60]
    weights = [len(bases) for bases in stretches]
    patterns = []
    for i in range(count):
        bases = rng.choices(stretches, weights)[0]
        length = rng.randrange(18, 61)
        begin = rng.randrange(len(bases) - length + 1)
        pattern = edited(bases[begin:begin + length], rng.randrange(edits + 2), rng)
        if rng.random() < 0.5:
            pattern = pattern.translate(COMPLEMENT)[::-1]
        patterns.append((f"p{i}", pattern))
    return patterns


def of_gsx(lines):
    """Per pattern, the ends in its direction: target, strand, position, edits."""
    lines = lines.decode().splitlines()
    columns = lines[0].lstrip("#").split("\t")
    found = {}
    for line in lines[1:]:
        row = dict(zip(columns, line.split("\t")))
        if row["target_id"] in ("*", "."):
            continue
        end = row["end"] if row["strand"] == "+" else row["start"]
        found.setdefault(row["query_id"], []).append((row["target_id"], row["strand"], int(end), int(row["edits"])))
    return {name: sorted(ends) for name, ends in found.items()}


def of_sassy(stretches, patterns, edits, all_ends):
    """The same, and the CPU time."""
    import sassy
    searcher = sassy.Searcher("dna", rc=True)
    search = searcher.search_all if all_ends else searcher.search
    started = time.process_time()
    found = {}
    for name, pattern in patterns:
        ends = []
        for record, offset, bases in stretches:
            for match in search(pattern, bases, edits):
                end = match.text_end if match.strand == "+" else match.text_start
                ends.append((record, match.strand, offset + end, match.cost))
        if ends:
            found[name] = sorted(ends)
    return found, time.process_time() - started


def has_sassy():
    try:
        import sassy  # noqa: F401
    except ImportError:
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gsx")
    parser.add_argument("target")
    parser.add_argument("--patterns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--venv")
    options = parser.parse_args()
    if not has_sassy() and options.venv:
        python = os.path.join(options.venv, "bin", "python")
        if not os.path.exists(python):
            venv.create(options.venv, with_pip=True)
            subprocess.run([python, "-m", "pip", "install", "-q", "sassy-rs"], check=True)
        rest = [options.gsx, options.target, "--patterns", str(options.patterns), "--seed", str(options.seed)]
        return subprocess.run([python, __file__, *rest], check=False).returncode
    if not has_sassy():
        print("not compared: this Python has no package sassy-rs, and --venv names no folder for it")
        return 0
    rng = random.Random(options.seed)
    records = [(name.split()[0], sequence) for name, sequence in read_fasta(options.target)]
    stretches = [(name, match.start(), match.group()) for name, sequence in records
                 for match in re.finditer(b"[ACGT]+", sequence)]
    different = False
    with tempfile.TemporaryDirectory() as folder:
        target, query = os.path.join(folder, "target.fa"), os.path.join(folder, "patterns.fa")
        write_fasta(target, records)
        for edits in (1, 2, 3):
            patterns = draw_patterns(stretches, (options.patterns + 2) // 3, edits, rng)
            write_fasta(query, patterns)
            for all_ends in (False, True):
                flags = ["--all-ends"] if all_ends else []
                output, our_time = run([options.gsx, "locate", "-q", "-t", "1", "-e", str(edits), *flags, "-r", target,
                                        query])
                ours = of_gsx(output)
                theirs, their_time = of_sassy(stretches, patterns, edits, all_ends)
                unlike = [name for name, _ in patterns if ours.get(name) != theirs.get(name)]
                different |= bool(unlike)
                counts = [sum(len(ends) for ends in found.values()) for found in (ours, theirs)]
                print(f"{'DIFFERENT' if unlike else 'same'}  {len(patterns)} patterns, at most {edits} edits, "
                      f"{'all ends' if all_ends else 'ends of valleys'}: {counts[0]} ({our_time:.2f} s), "
                      f"sassy {counts[1]} ({their_time:.2f} s)", flush=True)
                for name in unlike[:3]:
                    mine, other = set(ours.get(name, [])), set(theirs.get(name, []))
                    print(f"  {name} {dict(patterns)[name].decode()}: only gsx {sorted(mine - other)[:3]}, "
                          f"only sassy {sorted(other - mine)[:3]}", flush=True)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
