#!/usr/bin/env python3
"""Runs the benchmark's scripts on tiny texts, with peers that are right and peers that are not.

  scripts/bench/check_benchmark.py GSX

Checks the rows that they write, the tables made of them, and the message about each broken adapter. Exit
code 1 if something is wrong.
"""

import csv
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tables
from benchmark import FIELDS, logged_seconds

HERE = Path(__file__).resolve().parent
RIGHT = "i=0; while [ $i -lt $2 ]; do echo 0.5; i=$((i + 1)); done; echo version=7; echo transfer=pinned"
BROKEN = {
    "echo 0.5": "prints 1 times for 2 runs",
    "echo fast": "prints 'fast', which is neither seconds nor KEY=VALUE",
    "echo 0; echo 0": "prints a time that is not above 0",
    "echo no GPU here >&2; exit 3": "ends with 3: no GPU here",
    "exit 4": "ends with 4",
}
SHORT = 10_000  # symbols of the text that an adapter is tried on

errors = []


def check(right, what):
    if not right:
        errors.append(what)


def adapter(folder, body):
    path = folder / "adapter.sh"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return f"toy={path}"


def run(script, gsx, folder, *more):
    threads = [] if script in ("programs.py", "mismatches.py", "matches.py", "barcodes.py") else ["--threads", "2"]
    return subprocess.run([sys.executable, str(HERE / script), "--gsx", gsx, "--commit", "c0ffee", "--shrink",
                           "100000", *threads, "--rounds", "1", "--runs", "2",
                           "-o", str(folder / "rows.csv"), *more], capture_output=True, text=True, check=False)


def rows_of(folder):
    with open(folder / "rows.csv", newline="") as file:
        return list(csv.DictReader(file))


def check_script(script, gsx, folder, work, program, runs, more):
    done = run(script, gsx, folder, *more)
    check(done.returncode == 0, f"{script} ends with {done.returncode}: {done.stderr}")
    if done.returncode:
        return
    rows = tables.rows_of(folder / "rows.csv")
    found = [row for row in rows if row["work"].startswith(work) and row["program"] == program]
    check(len(found) == runs, f"{script}: {len(found)} rows of '{work}' by {program} instead of {runs}")
    for row in found:  # of work of which only a rate is known, one
        check((row["seconds"] or runs == 1) and float(row["rate"]) > 0 and row["commit"] == "c0ffee" and row["command"],
              f"{script}: {row}")
    check(tables.markdown(tables.listed(rows)).count("\n") > 2, f"{script}: no table")


def check_scripts(gsx, folder):
    check_logged_seconds()
    toy = adapter(folder, RIGHT)
    reads = folder / "reads.fa"
    alphabet, state, letters = "ACGT", 1, []
    for _ in range(60_000):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        letters.append(alphabet[state >> 62])
    reads.write_text(">c some text\n" + "".join(letters) + "\n")
    dna = ["--dna", f"chr20={reads}", "--dna", f"chr21={reads}"]
    check_script("cpu_build.py", gsx, folder, "suffix array", "gsx", 2, ["--only", "genome"])
    check_script("gpu_build.py", gsx, folder, "BWT", "toy", 2,
                 ["--device", "cpu", "--only", "chr20", "--peer", toy, *dna])
    lines = tables.compared(rows_of(folder))
    check(["toy, pinned", "times"] == lines[0][-2:], f"the table has the columns {lines[0]}")
    check(lines[1][:2] == ["chr20", "60 k"] and lines[1][3] == "0.5 s (0.5 s to 0.5 s)", f"{lines[1]}")
    check_script("cpu_search.py", gsx, folder, "count, reads of 150", "gsx", 2,
                 ["--only", "genome-20k", "--reads", "50", "--dna", f"chr20={reads}"])
    shares = [line for line in tables.listed(rows_of(folder)) if "random 64-byte lines" in line[-1]]
    check(len(shares) > 3, "no share of a ceiling")
    check_script("files.py", gsx, folder, "count, gzip", "gsx", 2,
                 ["--record", "100000", "--passes", "1", "--inflater", "gzip -dc", *dna])
    check_script("programs.py", gsx, folder, "locate", "gsx", 2, ["--programs", "gsx", *dna])
    check_script("mismatches.py", gsx, folder, "locate, one 20-mer", "gsx", 2, dna)
    check_script("matches.py", gsx, folder, "SMEM, L = 31, reads of 150", "gsx", 4, dna)
    check_script("gpu_genome.py", gsx, folder, "index, FASTA to file", "gsx", 2,
                 ["--device", "cpu", "--bases", "2000000000", "--index-only"])
    check_script("several_gpus.py", gsx, folder, "reads of 150 counted, one GPU", "gsx", 2,
                 ["--devices", "cpu", "--bases", "2000000000", "--target", "3000000000", "--reads", "100",
                  "--copies", "2", "--log", "debug: written in"])
    check_script("packing.py", gsx, folder, "13 of 32 bits: unpacked, stream", "gsx", 2, [])
    check_script("wavelet.py", gsx, folder, "sigma 255: rank, random", "gsx", 1, [])
    check_script("wavelet.py", gsx, folder, "sigma 255: rank, random", "toy", 2, ["--peer", toy])
    peers = [line for line in tables.listed(rows_of(folder)) if line[1] == "sigma 255: rank, random (toy, pinned)"]
    check(len(peers) == 1 and peers[0][3] == "40 k queries/s", f"the table shows the peer as {peers}")
    check_script("sets.py", gsx, folder, "pairs of 16-mers at distance 1: found", "gsx", 1, [])
    check_script("barcodes.py", gsx, folder, "clusters", "gsx", 4, ["--barcodes", "1000"])
    check_script("repeats.py", gsx, folder, "mappability, K = 100, E = 2", "gsx", 2, dna)


def check_commands(gsx, folder):
    """gpu_commands.py has rows of each command, also without large files, and its reads are as it says."""
    kept = folder / "commands"
    options = ["--device", "cpu", "--bases", "2000000000", "--reads", "1000", "--folder", str(kept)]
    check_script("gpu_commands.py", gsx, folder, "offtarget, 312 guides, k = 3, DNA or RNA bulge", "gsx", 2, options)
    rows = rows_of(folder)
    commands = [row["command"].split()[1] for row in rows if row["run"] == "1"]
    check(commands == ["count", "locate", "mem", "filter"] + 4 * ["offtarget"] + ["amplicon", "ms"],
          f"gpu_commands.py measures {commands}")
    text = "".join((kept / "genome-20k.fa").read_text().splitlines()[1:])
    reads = (kept / "reads.fq").read_text().splitlines()[1::4]
    check(len(reads) == 1000 and {len(read) for read in reads} == {150}, "not 1,000 reads of 150 bases")
    for strand in (text, text[::-1].translate(str.maketrans("ACGT", "TGCA"))):  # 0.99^150 of half of them are 111
        same = sum(read in strand for read in reads)
        check(70 < same < 150, f"gpu_commands.py leaves {same} reads of a strand as they were")
    for path in kept.iterdir():
        if path.suffix in (".fa", ".fq", ".gsx", ".tsv"):
            path.unlink()
    done = run("gpu_commands.py", gsx, folder, "--collect", *options)
    check(done.returncode == 0 and rows_of(folder) == rows, f"gpu_commands.py --collect: {done.stderr}")


def check_choices(gsx, folder):
    """device_choice.py has a cell per command and number of queries, and its table tells which choices are late."""
    check_script("device_choice.py", gsx, folder, "offtarget -k 3, 2, auto", "gsx", 2,
                 ["--devices", "cpu,auto", "--sizes", "2000000000", "--numbers", "2"])
    rows = rows_of(folder)
    cells = {row["work"] for row in rows}
    check(len(cells) == 2 * 23, f"device_choice.py has {len(cells)} cells")
    for row in rows:  # made up: the CPU takes 2 s, a GPU 1 s, and auto 2 s but in one cell
        row["seconds"] = "2"
    cuda = [dict(row, seconds="1", work=row["work"].replace(", auto", ", cuda")) for row in rows if row["work"].endswith(", auto")]
    for row in rows:
        if row["work"] == "index, auto":
            row["seconds"] = "1.25"
    lines = tables.chosen(rows + cuda)
    check(lines[-1][:2] == ["23 cells", "22 late: auto takes more than 1.25 times the better device and 50 ms"],
          f"the table of choices ends with {lines[-1]}")
    check([line[-1] for line in lines if line[1] == "index"] == ["1.25"], "index is late")


def check_texts(gsx, folder):
    """gpu_build.py has a row for each text that is made of real ones, or generated, of the right length."""
    reads = folder / "reads.fa"
    parts = ("chr20", "chr21", "chrX", "chrY")
    wanted = {"human": 240_000, "xy": 120_000, "chr20-copy": 80_000, "chr20-diploid": 120_000, "chr21-8": 160_000,
              "chr21-100": 2_000_000, "halves-20k": 20_000, "fibonacci-20k": 20_000, "run-20k": 20_000,
              "period-2-20k": 20_000}
    only = ["--device", "cpu", "--only", ",".join(name.replace("-20k", "") for name in wanted)]
    done = run("gpu_build.py", gsx, folder, *only, *(word for part in parts for word in ("--dna", f"{part}={reads}")))
    check(done.returncode == 0, f"gpu_build.py ends with {done.returncode}: {done.stderr}")
    rows = rows_of(folder)
    lengths = {row["text"]: int(row["symbols"]) for row in rows if row["work"] == "BWT"}
    check(list(lengths) == list(wanted), f"gpu_build.py has the texts {list(lengths)}")
    for name, length in lengths.items():
        few = wanted[name] // 1000 if name in ("chr20-diploid", "chr21-8", "chr21-100") else 0  # by indels
        check(abs(length - wanted[name]) <= few and (length != wanted[name] or not few), f"{name} has {length} symbols")
    check_memory_column(rows)
    lost = run("gpu_build.py", gsx, folder, "--device", "cpu", "--only", "run", "--dna", f"chrY={reads}")
    for name in ("chr21-8", "chr21-100"):
        check(f"{name} is left out: no file" in lost.stderr, f"without a file of {name}: {lost.stderr}")


def check_memory_column(rows):
    """A table has a column of device memory if gsx took some, and "-" for a text of which that is not known."""
    column = "gsx, peak device memory"
    check(column not in tables.compared(rows)[0], "a column of device memory without a device")
    for row in rows:
        if row["work"] == tables.DEVICE_MEMORY and row["text"] == "xy":
            row["rate"] = "12.5"
    shown = {line[0]: line[-1] for line in tables.compared(rows)}
    check(shown["text"] == column and shown["xy"] == "12.5 B/symbol" and shown["human"] == "-", f"{shown}")
    check({len(line) for line in tables.compared(rows)} == {4}, "lines of several lengths")


def check_logged_seconds():
    log = "debug: batch of 5 rows sorted in 0.1 s\ndebug: sorted in 7 s\ndebug: sorted in 2.5 s\n"
    check(logged_seconds(log, "debug: sorted in") == 2.5, "the wrong line of a log is taken")


def check_broken(gsx, folder):
    genome = ["--only", "genome"]
    for body, said in BROKEN.items():
        done = refused(gsx, folder, said, *genome, "--peer", adapter(folder, body))
        check("tried on a short text" in done.stderr, f"'{body}' is noticed late: {done.stderr}")
    late = f"[ $(wc -c < $1) -le {SHORT} ] || {{ echo too long >&2; exit 3; }}; {RIGHT}"
    done = run("cpu_build.py", gsx, folder, *genome, "--peer", adapter(folder, late))
    check(done.returncode == 1 and "ends with 3: too long" in done.stderr and done.stderr.count("error:") == 1,
          f"'{late}' gives {done.returncode}: {done.stderr}")
    check({row["program"] for row in rows_of(folder)} == {"gsx"}, "the other program's rows are not kept")
    refused("/nowhere/gsx", folder, "--gsx /nowhere/gsx: No such file or directory", *genome)
    refused("/bin/true", folder, "it is not gsx", *genome)
    refused(gsx, folder, "--dna lost=/nowhere/lost.fa: No such file", "--dna", "lost=/nowhere/lost.fa")
    refused(gsx, folder, "there is no text 'genone'; there are ", "--only", "genome,genone")
    (folder / "cut.fa.gz").write_bytes(b"\x1f\x8b\x08")
    refused(gsx, folder, "cut.raw was not made: ", "--only", "cut", "--dna", f"cut={folder / 'cut.fa.gz'}")


def refused(gsx, folder, said, *more):
    """Checks that cpu_build.py says this in one line, at once, and writes no CSV."""
    (folder / "rows.csv").unlink(missing_ok=True)
    done = run("cpu_build.py", gsx, folder, *more)
    check(done.returncode == 1 and said in done.stderr and done.stderr.count("error:") == 1
          and "gsx bench" not in done.stderr and "Traceback" not in done.stderr,
          f"'{said}' is not said, but: {done.stderr}")
    check(not (folder / "rows.csv").exists(), f"'{said}' leaves a CSV")
    return done


def check_signals(gsx, folder):
    """A script that SIGTERM ends leaves no folder and no process."""
    scratch = folder / "scratch"
    scratch.mkdir()
    sleeps = adapter(folder, f"[ $(wc -c < $1) -le {SHORT} ] && {{ {RIGHT}; exit; }}; echo $$ > {folder}/pid; sleep 600")
    script = subprocess.Popen([sys.executable, str(HERE / "cpu_build.py"), "--gsx", gsx, "--commit", "c0ffee",
                               "--shrink", "100000", "--only", "genome", "--peer", sleeps],
                              stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              env={**os.environ, "TMPDIR": str(scratch)})
    until = time.monotonic() + 60
    while not ((folder / "pid").exists() and (folder / "pid").read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    check(len(list(scratch.iterdir())) == 1, "no folder to leave")
    script.terminate()
    check(script.wait(60) == 128 + signal.SIGTERM, f"SIGTERM gives {script.returncode}")
    check(not list(scratch.iterdir()), "SIGTERM leaves a folder")
    pid = int((folder / "pid").read_text())
    check(not Path(f"/proc/{pid}/exe").exists(), "SIGTERM leaves an adapter")


def check_places(gsx, folder):
    """An adapter and a program by relative paths, and a program whose path has a blank."""
    adapter(folder, RIGHT)
    (folder / "a b").mkdir()
    (folder / "a b" / "gsx").symlink_to(gsx)
    done = subprocess.run([sys.executable, str(HERE / "cpu_build.py"), "--gsx", "a b/gsx", "--commit", "c0ffee",
                           "--shrink", "100000", "--rounds", "1", "--runs", "2", "--only", "copies", "--peer",
                           "toy=./adapter.sh", "-o", "rows.csv"], cwd=folder, capture_output=True, text=True,
                          check=False)
    check(done.returncode == 0, f"with relative paths: {done.stderr}")
    check({row["program"] for row in rows_of(folder)} == {"gsx", "toy"}, "not both programs")


def check_parts(gsx, folder):
    """--plan, then run.sh alone, then --collect, give rows; --collect before run.sh is an error."""
    parts = ["--only", "genome", "--folder", str(folder / "parts")]
    planned = run("cpu_build.py", gsx, folder, "--plan", *parts)
    early = run("cpu_build.py", gsx, folder, "--collect", *parts)
    check(planned.returncode == 0 and early.returncode == 1, f"--plan, --collect: {early.stderr}")
    subprocess.run(["bash", str(folder / "parts" / "run.sh")], check=False, capture_output=True)
    (folder / "rows.csv").unlink()
    done = run("cpu_build.py", gsx, folder, "--collect", *parts)
    check(done.returncode == 0 and len(rows_of(folder)) > 2, f"--collect: {done.stderr}")


def check_tables(folder):
    document = (HERE / "README.md").read_text()
    check(tables.made(document) == document, "the tables of README.md are stale")
    for before, after in (("ms", "us"), (" runs each", " run each")):
        changed = document.replace(before, after)
        check(changed != document and tables.made(changed) != changed, f"{before} for {after} is not noticed")
    results = next((HERE / "results").glob("*.csv")).read_text().splitlines()
    commit = FIELDS.index("commit")
    lacking = folder / "lacking.csv"
    for lines in ([results[0].replace(",commit", "")] + results[1:],
                  [results[0], ",".join("" if n == commit else "1" for n in range(len(FIELDS)))], results[:1]):
        lacking.write_text("\n".join(lines) + "\n")
        try:
            tables.rows_of(lacking)
            errors.append(f"taken for a CSV of results: {lines[:2]}")
        except tables.BadTable:
            pass


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    gsx = str(Path(arguments[0]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_scripts(gsx, folder)
        check_commands(gsx, folder)
        check_choices(gsx, folder)
        check_texts(gsx, folder)
        check_broken(gsx, folder)
        check_signals(gsx, folder)
        check_places(gsx, folder)
        check_parts(gsx, folder)
        if not errors:
            check_tables(folder)
    for error in errors:
        print(error, file=sys.stderr)
    print(f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
