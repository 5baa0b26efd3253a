#!/usr/bin/env python3
"""Records what the program does for some thousand command lines, and compares two recordings.

  scripts/ledger.py record --gsx PROGRAM --to FILE [--emulated PROGRAM] [--only REGEX] [-j N]
  scripts/ledger.py compare OLD NEW [--every]     show how two recordings differ
  scripts/ledger.py run --old PROGRAM --new PROGRAM [...]    record both, and compare
  scripts/ledger.py show FILE [REGEX]             show records as a text
  scripts/ledger.py inputs --gsx PROGRAM --to FOLDER   make the folder in which cases run, to run some by hand
  scripts/ledger.py --coverage --gsx PROGRAM      list options that no case uses
  scripts/ledger.py --self-test                   check this script without the program

Use it to show that a change of the sources changes nothing that users see, but for what the changelog
lists: record the program before and after, and compare.

The cases are made of tables in scripts/ledger: each command with every format, form of input, kind of target
and option, and wrong requests. They run with bash in a folder of small files that are the same each time; the
indexes among these are made with the program, and recorded, too. A recording has a line of JSON per case: the
command line, the exit code, standard output, messages, and the files that the case left. Short texts stand
there as they are, others by their hashes. Times, memory, temporary names and the version are blanked, so
that the same program gives the same bytes, for any -j. Compare recordings of one machine, and of programs of
one version, which is part of an index and so of its checksum.

--emulated names a program that was built with -DGSX_CUDA=EMULATED; cases with --device cuda then run it.
--only records the cases that match REGEX. `compare` shows changes that are alike once, with their number and
some cases; with --every, with all of them. Exit code 1 if something differs, 2 for wrong usage.
"""

import argparse
import os
import re
import shutil
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ledger import cases, comparing, recording, self_test  # noqa: E402


def recorded(program, options):
    """The records of one program."""
    with recording.Recorder(program, options.emulated, options.jobs) as recorder:
        records = recorder.prepare()
        lines = [line for line in cases.lines(recorder.page, options.emulated)
                 if not options.only or re.search(options.only, line)]
        return records + recorder.record(lines)


def record(options):
    records = recorded(options.gsx, options)
    recording.write(records, options.to)
    print(f"{len(records)} cases in {options.to}")
    return 0


def compare(options):
    text = comparing.compare(recording.read(options.old), recording.read(options.new), options.every)
    print(text or "the recordings are the same", end="" if text else "\n")
    return 1 if text else 0


def run(options):
    text = comparing.compare(recorded(options.old, options), recorded(options.new, options), options.every)
    print(text or "the programs do the same", end="" if text else "\n")
    return 1 if text else 0


def show(options):
    for entry in recording.read(options.file):
        if re.search(options.regex, entry["case"]):
            print(comparing.text_of(entry))
    return 0


def make_inputs(options):
    with recording.Recorder(options.gsx) as recorder:
        recorder.prepare()
        shutil.copytree(recorder.master, options.to)
    return 0


def coverage(program):
    with recording.Recorder(program) as recorder:
        missing = cases.missing(recorder.page)
    print("\n".join(missing) or "the cases use every option")
    return 1 if missing else 0


def parser():
    main = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    main.add_argument("--self-test", action="store_true")
    main.add_argument("--coverage", action="store_true")
    main.add_argument("--gsx")
    commands = main.add_subparsers(metavar="COMMAND")

    def add(name, work, *arguments, records=False):
        command = commands.add_parser(name)
        command.set_defaults(work=work)
        for argument in arguments:
            command.add_argument(argument, **({"required": True} if argument.startswith("-") else {}))
        if records:
            command.add_argument("--emulated")
            command.add_argument("--only", metavar="REGEX", type=re.compile)
            command.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
        return command
    add("record", record, "--gsx", "--to", records=True)
    add("compare", compare, "old", "new").add_argument("--every", action="store_true")
    add("run", run, "--old", "--new", records=True).add_argument("--every", action="store_true")
    add("inputs", make_inputs, "--gsx", "--to")
    add("show", show, "file").add_argument("regex", nargs="?", default="")
    return main


def main(arguments):
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # for | head
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # removes the temporary folder
    options = parser().parse_args(arguments)
    if options.self_test:
        return self_test.run()
    if options.coverage and options.gsx:
        return coverage(options.gsx)
    if not hasattr(options, "work"):
        parser().print_usage(sys.stderr)
        return 2
    return options.work(options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
