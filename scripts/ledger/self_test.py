"""Checks the parts of the ledger without the program; a script takes its place."""

import itertools
import json
import os
import tempfile
from pathlib import Path

from ledger import comparing, foreign, inputs, pages, products, recording
from ledger.blanking import Blanking, command_of

# Prints what differs from run to run, and leaves files.
FAKE = """#!/bin/bash
if [[ $1 == --version ]]; then echo gsx 1.2.3; exit; fi
case $1 in
  count) echo "info: gsx 1.2.3 | gsx $* | device cpu | wall 0.$RANDOM s | cpu 0.01 s |" \\
           "peak memory $RANDOM.5 MB host, 0 MB device" >&2
         echo "in $PWD, .o.gsx-a-$RANDOM-c-1-2.tmp" | sed 's/-[0-9]*-c/-ab-c/' >&2
         echo hits; printf 'a\\tb\\n' > out.tsv; rm -f bad.fa; echo more >> dna.fa
         mkdir new; ln -s none new/link ;;
  make) echo > made.tsv ;;
  late) sleep 60 ;;
  signal) kill -TERM $$ ;;
  long) yes | head -n 2000; exit 3 ;;
  back) sleep 60 & ;;
esac
"""
PAGE = """Count.

Usage: gsx count [OPTIONS]

Input:
  -x, --index INDEX          Index
  --strand both|fwd|rev      Strands, as of
                             --index
  --work build|sa,...        What
  -q, --quiet                Quiet
  --a-very-long-option-with-a-value N
                             N

Tuning: --batch; gsx help tuning explains them
"""
TUNING = """Tuning:
  --batch N                  Bytes; for count
  --wide                     Wide; for index
"""


def check_blanking():
    blanking = Blanking("1.2.3", "/tmp/base")
    cases = [
        (b"gsx 1.2.3 and 11.2.3", "gsx VERSION and 11.2.3"), (b"/tmp/base/work0/o", "FOLDER/o"),
        (b"| wall 0.01 s | cpu 12.00 s | peak memory 6.9 MB host, 0.0 MB device",
         "| wall T s | cpu T s | peak memory M"),
        (b"read in 0.123 s, 3 threads, 12 symbols", "read in T s, N threads, 12 symbols"),
        (b"'.o.tsv.gsx-1-2af-3-4-5.tmp'", "'.o.tsv.gsx-X.tmp'"),
        (b'{"stage":"a","fraction":0.1}\n{"stage":"a","fraction":0.2}\nwarning\n',
         "warning\n(progress) a\n"),
        (b"\rreading [##]  50 %\033[K\r\033[Kinfo: a\n", "info: a\n"),
    ]
    found = [(given, blanking.messages(given, "gsx sa -t 1"), wanted) for given, wanted in cases]
    wrong = [f"{given} gives {text!r}" for given, text, wanted in found if text != wanted]
    threads = blanking.messages(b'debug: a\n{"stage":"a","fraction":0.1}\ninfo: b\n', "gsx sa -t 2")
    wrong += ["threads"] * (threads != "info: b\n")
    one, two = (blanking.output(foreign.bgzf(b'{"version":"' + v + b'"}')) for v in (b"1.2.3", b"VERSION"))
    wrong += ["the version in BGZF is not blanked"] * (one["text"] != two["text"] or one["packing"] != "bgzf")
    wrong += ["bgzf"] * (blanking.output(foreign.bgzf(b"a", end=False))["packing"] != "bgzf without its end")
    wrong += ["gzip"] * (blanking.output(foreign.gzipped(b"a"))["packing"] != "gzip")
    wrong += ["output"] * (blanking.output(b"2.50 MB\n", "gsx count x") != "2.50 MB\n")
    table = b"sa, of 3".ljust(49) + b"0.1 s 2.50 MB/s\n"
    wrong += ["bench"] * (blanking.output(table, "gsx bench") != "sa, of 3\n")
    wrong += ["units"] * (blanking.output(b"work   Mreads/s  kB/s\n", "gsx bench") != "work  reads/s  B/s\n")
    wrong += ["CSV"] * (blanking.output(b'"sa, of 3",1e-3,B/s\n', "gsx bench --csv") != '"sa, of N",N,B/s\n')
    wrong += ["plan"] * (blanking.output(b"host_bytes\t12\nrecords\t3\n", "gsx index --plan")
                         != "host_bytes\tN\nrecords\t3\n")
    wrong += ["doctor"] * (blanking.output(b"cpu\tA 3\nthreads\t2\n",
                                           "gsx doctor") != "cpu\tVALUE\nthreads\tN\n")
    wrong += ["command"] * (command_of("A=b gsx x -q && gsx-emulated sa -q") != "sa")
    return wrong


def check_products():
    wrong = []
    for sizes in ([3], [2, 3], [4, 1, 3], [5, 4, 3, 2], [7, 6, 1, 5]):
        rows = products.rows_of_pairs(sizes)
        for a, b in itertools.combinations(range(len(sizes)), 2):
            if len({(row[a], row[b]) for row in rows}) != sizes[a] * sizes[b]:
                wrong.append(f"pairs are missing for {sizes}")
    if products.product("gsx", ["a", ""], ["-b"]) != ["gsx a -b", "gsx -b"]:
        wrong.append("product")
    return wrong


def check_pages():
    options = {"count": pages.options_of(PAGE, TUNING)}
    names = [option.name for option in options["count"]]
    right = ["--index", "--strand", "--work", "--quiet", "--a-very-long-option-with-a-value", "--batch"]
    wrong = [f"options: {names}"] * (names != right)
    lines = ["X=1 gsx count -x a --strand fwd | gsx info --quiet",
             "gsx count --work=build --strand both; true -q <(cat a)"]
    missing = pages.uncovered(lines, options)
    wanted = ["count --strand rev", "count --work sa", "count --quiet",
              "count --a-very-long-option-with-a-value", "count --batch"]
    return wrong + [f"uncovered: {missing}"] * (missing != wanted)


def check_comparing():
    one = {"case": "gsx count a.fa", "exit": 0, "out": "x\t1\n", "err": "info: 3 hits\n",
           "files": {"o": "1\n"}}
    same = [one, {**one, "case": "gsx count b.fa", "err": "info: 14 hits\n"}]
    other = [{**r, "err": r["err"].replace("hits", "places"), "files": {}, "exit": 1} for r in same]
    wrong = ["the same differs"] * bool(comparing.compare(same, same))
    text = comparing.compare(same, other)
    for part in ("2 cases: messages (count 2)", "- info: 3 hits", "+ info: 3 places", "exit code",
                 "a file that is not there",
                 "2 of 2 cases differ, in 3 ways"):
        wrong += [f"not shown: {part}"] * (part not in text)
    text = comparing.compare(same, [one, {**one, "case": "gsx sa"}])
    wrong += ["only in one"] * ("only in OLD (count 1)" not in text or "only in NEW (sa 1)" not in text)
    hashed = {**one, "out": {"bytes": 3000, "hash": "0" * 16, "head": ["a"]}}
    wrong += ["hash"] * ("hash" not in comparing.compare([one], [hashed]))
    wrong += ["line end"] * (not comparing.compare([one], [{**one, "out": "x\t1"}]))
    return wrong + ["text"] * ("exit code 0" not in comparing.text_of(one))


def check_recording():
    lines = ["gsx count", "gsx signal", "gsx long", "gsx back", "cat dna.fa | head -n 1; ls new",
             "gsx count; exit 4", "gsx late", "cat closed.fa || echo > shut/o"] + ["gsx count"] * 5
    seconds, recording.SECONDS = recording.SECONDS, 4
    found = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "fake")
        program.write_text(FAKE)
        for jobs in (1, 3):
            with recording.Recorder(program, jobs=jobs) as recorder:
                made = recorder.prepare(["gsx make", "ls made.tsv"])
                records = recorder.record(lines)
                recording.write(made + records, Path(folder, f"{jobs}"))
            found.append(Path(folder, f"{jobs}").read_bytes())
        left = os.path.exists(recorder.base)
    recording.SECONDS = seconds
    wrong = ["recordings of two runs differ"] * (found[0] != found[1]) + ["the folder is left"] * left
    entries = [json.loads(line) for line in found[0].decode().splitlines()]
    first, exits = entries[2], [entry["exit"] for entry in entries[2:10]]
    wrong += [f"exit codes: {exits}"] * (exits[:7] != [0, 143, 3, 0, 2, 4, "late"] or exits[7] != 1)
    files = {name: content for name, content in first["files"].items() if name != "dna.fa"}
    wanted = {"bad.fa": "gone", "new/": "folder", "new/link": "no plain file", "out.tsv": "a\tb\n"}
    wrong += [f"files: {files}"] * (files != wanted or "replaced" not in first["files"]["dna.fa"])
    wrong += ["a case sees what another one left"] * (">chr1" not in entries[6]["out"])
    wrong += ["setup lines do not see files of others"] * (entries[1]["exit"] != 0)
    return wrong + ["a long output is not shortened"] * (entries[4]["out"]["lines"] != 2000)


def check_inputs():
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        for folder in (one, two):
            inputs.write(Path(folder))
        names = sorted(p.name for p in Path(one).iterdir() if p.is_file())
        return [f"{name} is not the same each time" for name in names
                if Path(one, name).read_bytes() != Path(two, name).read_bytes()]


def run():
    checks = (check_blanking, check_products, check_pages, check_comparing, check_inputs, check_recording)
    wrong = [f"{check.__name__}: {what}" for check in checks for what in check()]
    print("\n".join(wrong) or f"self-test: {len(checks)} parts are right")
    return 1 if wrong else 0
