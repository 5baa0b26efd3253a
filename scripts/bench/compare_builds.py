#!/usr/bin/env python3
"""Compares the speed of two builds of gsx by running their programs in turn on the same input.

  scripts/bench/compare_builds.py BASELINE CANDIDATE GENOME.fa [OPTION]...
  scripts/bench/compare_builds.py --self-test

BASELINE and CANDIDATE are gsx programs. Each builds its own index, so their formats may differ. In
every round, each command runs once with each program; which one is first alternates from round to
round. Reads for count and locate are drawn from the genome, half of them as reverse complements,
unless --reads names a file. The table has, for each command and build, the median, the quartiles
and the minimum of the user CPU time (with --device cuda: of the wall time), the ratio of the
medians, whether the outputs are the same bytes, and a verdict:

  within            the ratio is at most the bound
  above             the ratio is above the bound
  spread is wider   the ratio is above the bound, but the ranges between the quartiles overlap
  too short         the baseline took less than 0.02 s: use a larger input

Exit code 0 if no command is above the bound, 1 if one is, 2 for wrong usage or a failed run.
"""

import argparse
import filecmp
import gzip
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path

from running import end_on_signals

COMMANDS = ["index", "sa", "bwt", "count", "locate"]
TOO_SHORT = 0.02  # seconds
COMPLEMENT = bytes.maketrans(b"ACGT", b"TGCA")

Summary = namedtuple("Summary", "median low high least")
Row = namedtuple("Row", "command baseline candidate ratio same verdict")


class Failure(Exception):
    pass


def summary(seconds):
    """Median, quartiles and minimum of some measurements."""
    if len(seconds) == 1:
        return Summary(seconds[0], seconds[0], seconds[0], seconds[0])
    low, median, high = statistics.quantiles(seconds, n=4, method="inclusive")
    return Summary(median, low, high, min(seconds))


def judge(baseline, candidate, bound):
    """(ratio of the medians or None, verdict)."""
    if baseline.median < TOO_SHORT:
        return None, "too short"
    ratio = candidate.median / baseline.median
    if ratio <= bound:
        return ratio, "within"
    return ratio, "spread is wider" if candidate.low <= baseline.high else "above"


def read_genome(path):
    """The records' sequences, in upper case."""
    opener = gzip.open if path.suffix in (".gz", ".bgz") else open
    records, lines = [], []
    with opener(path, "rb") as file:
        for line in file:
            if line.startswith(b">"):
                records.append(b"".join(lines))
                lines = []
            else:
                lines.append(line.strip().upper())
    records.append(b"".join(lines))
    return [record for record in records if record]


def write_reads(genome, path, count, length, seed):
    """Writes `count` reads of `length` bases, drawn uniformly from the records of the genome."""
    records = [record for record in read_genome(genome) if len(record) >= length]
    if not records:
        raise Failure(f"{genome} has no record of {length} bases: use a smaller --read-length")
    draw = random.Random(seed)
    weights = [len(record) for record in records]
    with open(path, "wb") as file:
        for number, record in enumerate(draw.choices(records, weights, k=count)):
            begin = draw.randrange(len(record) - length + 1)
            read = record[begin:begin + length]
            if number % 2 == 1:
                read = read.translate(COMPLEMENT)[::-1]
            file.write(b">read%d\n%s\n" % (number, read))


def timed(arguments, wall):
    """Runs the command and returns its user CPU seconds, or wall seconds."""
    with tempfile.TemporaryFile() as log:
        start = time.monotonic()
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start if wall else usage.ru_utime
        if process.returncode != 0:
            log.seek(0)
            text = log.read().decode(errors="replace").strip()
            raise Failure(f"{' '.join(arguments)} ended with {process.returncode}: {text}")
    return seconds


class Build:
    """One of the two programs, and the files it makes."""

    def __init__(self, name, program, folder):
        self.program = str(program.resolve())
        self.index = folder / f"{name}.gsx"
        self.output = folder / f"{name}.out"

    def arguments(self, command, inputs, options):
        more = ["-q", "--device", options.device, "-t", str(options.threads)]
        if command == "index":
            return [self.program, "index", inputs.genome, "-o", str(self.index), *more]
        if command in ("sa", "bwt"):
            return [self.program, command, inputs.genome, "-o", str(self.output), *more]
        if command == "locate":
            more += ["--max-hits", "100"]
        return [self.program, command, "-x", str(self.index), inputs.reads, "-o", str(self.output),
                *more]


Inputs = namedtuple("Inputs", "genome reads")


def measure(builds, inputs, options):
    """{command: ([baseline seconds], [candidate seconds], whether the outputs are the same)}."""
    wall = options.device.startswith("cuda")
    results = {command: ([], [], []) for command in options.commands}
    if "index" not in options.commands and {"count", "locate"} & set(options.commands):
        for build in builds:
            timed(build.arguments("index", inputs, options), wall)
    for number in range(options.rounds):
        for command in options.commands:
            for which in ((0, 1) if number % 2 == 0 else (1, 0)):
                arguments = builds[which].arguments(command, inputs, options)
                results[command][which].append(timed(arguments, wall))
            if command != "index" and number == 0:
                same = filecmp.cmp(builds[0].output, builds[1].output, shallow=False)
                results[command][2].append(same)
        print(f"round {number + 1} of {options.rounds} is done", file=sys.stderr)
    return results


def rows_of(results, bound):
    for command, (before, after, same) in results.items():
        baseline, candidate = summary(before), summary(after)
        ratio, verdict = judge(baseline, candidate, bound)
        yield Row(command, baseline, candidate, ratio, same[0] if same else None, verdict)


def table(rows, options):
    kind = "wall" if options.device.startswith("cuda") else "user CPU"
    lines = [f"# {kind} seconds, {options.rounds} rounds, bound {options.bound:g}, "
             f"device {options.device}, threads {options.threads}",
             "command\tbuild\tmedian\tlower_quartile\tupper_quartile\tminimum\tratio\tsame_output"
             "\tverdict"]
    for row in rows:
        for name, s in (("baseline", row.baseline), ("candidate", row.candidate)):
            figures = f"{s.median:.3f}\t{s.low:.3f}\t{s.high:.3f}\t{s.least:.3f}"
            ratio = "." if row.ratio is None else f"{row.ratio:.4f}"
            same = {None: ".", True: "yes", False: "no"}[row.same]
            last = f"{ratio}\t{same}\t{row.verdict}" if name == "candidate" else ".\t.\t."
            lines.append(f"{row.command}\t{name}\t{figures}\t{last}")
    return "\n".join(lines)


def parse(arguments):
    parser = argparse.ArgumentParser(
        description="Compares how fast two builds of gsx are.", epilog="See the head of the script.")
    parser.add_argument("baseline", type=Path)
    parser.add_argument("candidate", type=Path)
    parser.add_argument("genome", type=Path, help="FASTA, plain or gzip")
    parser.add_argument("--reads", type=Path, help="queries instead of reads drawn from the genome")
    parser.add_argument("--read-count", type=int, default=200_000, help="reads to draw [%(default)s]")
    parser.add_argument("--read-length", type=int, default=100, help="bases each [%(default)s]")
    parser.add_argument("--seed", type=int, default=1, help="for drawing reads [%(default)s]")
    parser.add_argument("--rounds", type=int, default=10, help="[%(default)s]")
    parser.add_argument("--bound", type=float, default=1.03, help="largest good ratio [%(default)s]")
    parser.add_argument("--threads", type=int, default=0, help="of gsx; 0 is all cores [%(default)s]")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:N [%(default)s]")
    parser.add_argument("--commands", default=",".join(COMMANDS), help="[%(default)s]")
    parser.add_argument("--folder", type=Path, help="for the files made, on a disk with room [a new one]")
    options = parser.parse_args(arguments)
    options.commands = options.commands.split(",")
    for command in options.commands:
        if command not in COMMANDS:
            parser.error(f"--commands: '{command}' is none of {', '.join(COMMANDS)}")
    for name, least in (("rounds", 1), ("threads", 0), ("read_count", 1), ("read_length", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name.replace('_', '-')} must be at least {least}")
    if not options.bound > 0:
        parser.error("--bound must be above 0")
    for program in (options.baseline, options.candidate):
        if not (program.is_file() and os.access(program, os.X_OK)):
            parser.error(f"{program} is no program")
    for file in filter(None, (options.genome, options.reads)):
        if not file.is_file():
            parser.error(f"{file} is no file")
    return options


def self_test():
    assert summary([3.0]) == Summary(3.0, 3.0, 3.0, 3.0)
    assert summary([1.0, 2.0, 3.0, 4.0, 5.0]) == Summary(3.0, 2.0, 4.0, 1.0)
    steady = Summary(1.00, 0.99, 1.01, 0.98)
    assert judge(steady, Summary(1.03, 1.02, 1.04, 1.0), 1.03) == (1.03, "within")
    assert judge(steady, Summary(0.5, 0.5, 0.5, 0.5), 1.03) == (0.5, "within")
    assert judge(steady, Summary(1.06, 1.05, 1.07, 1.0), 1.03) == (1.06, "above")
    assert judge(steady, Summary(1.06, 1.01, 1.11, 1.0), 1.03) == (1.06, "spread is wider")
    assert judge(steady._replace(median=0.01), steady, 1.03) == (None, "too short")
    print("the self test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    options = parse(sys.argv[1:])
    end_on_signals()
    with tempfile.TemporaryDirectory(prefix="compare-builds-", dir=options.folder) as name:
        folder = Path(name)
        reads = options.reads or folder / "reads.fa"
        try:
            if options.reads is None and {"count", "locate"} & set(options.commands):
                write_reads(options.genome, reads, options.read_count, options.read_length,
                            options.seed)
            builds = [Build("baseline", options.baseline, folder),
                      Build("candidate", options.candidate, folder)]
            inputs = Inputs(str(options.genome), str(reads))
            rows = list(rows_of(measure(builds, inputs, options), options.bound))
        except (Failure, OSError, EOFError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
    print(table(rows, options))
    return 1 if any(row.verdict == "above" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
