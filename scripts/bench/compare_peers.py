#!/usr/bin/env python3
"""Measures gsx and other programs on one genome, and writes one CSV line per run.

  scripts/bench/compare_peers.py GSX GENOME.fa READS.fq [--rounds N] [--build-rounds N]
                                 [--only TASK] [-o FILE.csv]

All programs use one thread and plain input in the page cache; their runs alternate. The tasks are

  index   gsx index, bwa index, bowtie-build, bowtie2-build
  count   gsx count, bwa fastmap -l 50     occurrences of every read
  locate  gsx locate --bed, bowtie -v 0 -a, all exact places of every read

Programs that are not installed are left out. Columns: task, program, version, round, wall and CPU
seconds, peak memory in MB, size of the index in MB. On a busy machine, CPU seconds vary less.
Temporary files go to $TMPDIR.
"""

import argparse
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def version_of(program):
    """The first number with dots in what the program prints about itself."""
    for argument in ("--version", ""):
        shown = subprocess.run([program] + [argument][:bool(argument)], capture_output=True, text=True,
                               check=False)
        found = re.search(r"\d+\.\d+[\w.-]*", shown.stdout + shown.stderr)
        if found:
            return found.group()
    return ""


def measure(command, folder):
    """(wall seconds, CPU seconds, peak MB) of a run; its output goes to a file."""
    with open(folder / "out", "wb") as out, open(folder / "log", "wb") as log:
        start = time.monotonic()
        with subprocess.Popen(command, stdout=out, stderr=log, cwd=folder) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
    if process.returncode != 0:
        raise RuntimeError(f"{command} ends with {process.returncode}: {(folder / 'log').read_text()}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def tasks_of(gsx, genome, reads):
    """Task -> [(program, command, pattern of the files of the index)]."""
    return {
        "index": [(gsx, ["index", "-q", "-t", "1", genome, "-o", "g.gsx", "--force"], "g.gsx"),
                  ("bwa", ["index", "-p", "bwa", genome], "bwa.*"),
                  ("bowtie-build", ["-q", genome, "bt1"], "bt1.*"),
                  ("bowtie2-build", ["-q", genome, "bt2"], "bt2.*")],
        "count": [(gsx, ["count", "-q", "-t", "1", "-x", "g.gsx", reads], "g.gsx"),
                  ("bwa", ["fastmap", "-l", "50", "bwa", reads], "bwa.*")],
        "locate": [(gsx, ["locate", "-q", "-t", "1", "--bed", "-x", "g.gsx", reads], "g.gsx"),
                   ("bowtie", ["-v", "0", "-a", "-p", "1", "--quiet", "-x", "bt1", reads], "bt1.*")],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx")
    parser.add_argument("genome")
    parser.add_argument("reads")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--build-rounds", type=int, default=1)
    parser.add_argument("--only", choices=["index", "count", "locate"])
    parser.add_argument("-o", "--output")
    given = parser.parse_args()
    gsx, genome, reads = (str(Path(p).resolve()) for p in (given.gsx, given.genome, given.reads))
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for task, programs in tasks_of(gsx, genome, reads).items():
            if given.only and task not in (given.only, "index"):
                continue
            present = [p for p in programs if shutil.which(p[0])]
            for n in range(given.build_rounds if task == "index" else given.rounds):
                for program, arguments, files in present:
                    wall, cpu, peak = measure([program] + arguments, folder)
                    size = sum(f.stat().st_size for f in folder.glob(files)) / 1e6
                    rows.append([task, Path(program).name, version_of(program), n + 1, f"{wall:.2f}",
                                 f"{cpu:.2f}", f"{peak:.0f}", f"{size:.1f}"])
                    print(*rows[-1], file=sys.stderr)
    header = ["task", "program", "version", "round", "wall_s", "cpu_s", "peak_mb", "index_mb"]
    with open(given.output, "w", newline="") if given.output else sys.stdout as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
