#!/usr/bin/env python3
"""Compares the rate of batches of the Python package with that of the library.

  apps/python/bench/rates.py --library BUILD [--genome FASTA] [--patterns N] [--length L]
                             [--threads N] [--rounds N] [--least SHARE]

BUILD is a build folder that has the shared library (target gsx-shared). Without FASTA, the text is 2^25
random bases. Half of the patterns are taken from the text, half are random. The library gets its patterns
as views that are ready; making these from what Python has is part of the time of the package. Both take
turns, and the best round of each counts, in CPU time, which other work on the machine disturbs least.

With --least, the exit code is 1 if the rate of a NumPy or Arrow batch is below this share.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gsx

ROOT = Path(__file__).resolve().parents[3]
BASES = np.frombuffer(b"ACGT", np.uint8)


def compile_library_rate(build, folder):
    program = folder / "library_rate"
    subprocess.run(["c++", "-std=c++20", "-O2", "-I", ROOT / "lib", Path(__file__).with_name("library_rate.cpp"),
                    "-o", program, "-L", build / "lib", "-lgsx", f"-Wl,-rpath,{build / 'lib'}"], check=True)
    return program


def make_patterns(index, source, count, length):
    text = index.extract(0).encode()
    letters = np.empty((count, length), np.uint8)
    for i in range(count):
        at = source.randrange(len(text) - length)
        letters[i] = np.frombuffer(text[at:at + length], np.uint8)
    noise = np.random.default_rng(source.randrange(1 << 30))
    letters[1::2] = BASES[noise.integers(0, 4, (len(letters[1::2]), length))]
    return letters


def forms_of(letters):
    """Name, and arguments of count(), of each form of the batch."""
    count, length = letters.shape
    joined = letters.tobytes()
    words = [joined[i * length:(i + 1) * length].decode() for i in range(count)]
    forms = {"list of str": (words,), "NumPy, two dimensions": (letters,),
             "NumPy, bytes and offsets": (letters.reshape(-1), np.arange(count + 1) * length),
             "NumPy, strings of bytes": (letters.view(f"S{length}").reshape(-1),)}
    try:
        import pyarrow
        forms["Arrow"] = (pyarrow.array(words),)
        forms["Arrow, views"] = (pyarrow.array(words, type=pyarrow.string_view()),)
    except ImportError:
        print("note: there is no pyarrow, so Arrow is not measured", file=sys.stderr)
    return forms


class Best:
    """The best times of each row."""

    def __init__(self):
        self.wall, self.cpu, self.found = {}, {}, {}

    def add(self, name, wall, cpu, found):
        self.wall[name] = min(wall, self.wall.get(name, wall))
        self.cpu[name] = min(cpu, self.cpu.get(name, cpu))
        if self.found.setdefault(name[0], found) != found:
            sys.exit(f"error: {name} finds {found}, and others {self.found[name[0]]}")

    def measure(self, name, work):
        cpu, wall = time.process_time(), time.perf_counter()
        found = work()
        self.add(name, time.perf_counter() - wall, time.process_time() - cpu, found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--genome", type=Path)
    parser.add_argument("--patterns", type=int, default=1_000_000)
    parser.add_argument("--length", type=int, default=20)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    best = Best()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compile_library_rate(arguments.library.resolve(), folder)
        noise = np.random.default_rng(arguments.seed)
        text = arguments.genome or [("random", BASES[noise.integers(0, 4, 1 << 25)].tobytes())]
        gsx.build(text, threads=arguments.threads).save(folder / "x.gsx")
        index = gsx.open(folder / "x.gsx", "cpu", threads=arguments.threads)
        letters = make_patterns(index, source, arguments.patterns, arguments.length)
        letters.tofile(folder / "patterns")
        forms = forms_of(letters)
        for _ in range(arguments.rounds):
            output = subprocess.run(
                [program, folder / "x.gsx", folder / "patterns", str(arguments.length),
                 str(arguments.threads), "2"], check=True, stdout=subprocess.PIPE, text=True).stdout
            for line in output.splitlines():
                work, wall, cpu, found = line.split()
                best.add((work, "library"), float(wall), float(cpu), int(found))
            for form, batch in forms.items():
                best.measure(("count", form), lambda: int(sum(map(np.sum, index.count(*batch)))))
                best.measure(("locate", form), lambda: len(index.locate(*batch)["query"]))
    print(f"{arguments.patterns} patterns of {arguments.length}, {arguments.threads} threads, "
          f"{index.symbols} symbols, {best.found}")
    print(f"{'work':8}{'batch':28}{'CPU s':>8}{'wall s':>8}{'share':>8}")
    low = []
    for (work, form), cpu in best.cpu.items():
        share = best.cpu[work, "library"] / cpu
        print(f"{work:8}{form:28}{cpu:8.3f}{best.wall[work, form]:8.3f}{share:8.1%}")
        if share < arguments.least and form.startswith(("NumPy", "Arrow")):
            low.append(f"{work} of {form}: {share:.1%}")
    if low:
        sys.exit(f"error: below {arguments.least:.0%}: " + ", ".join(low))


if __name__ == "__main__":
    main()
