#!/usr/bin/env python3
"""Runs the commands that README.md shows and compares what they print.

  scripts/check_readme.py GSX [README]           run and compare
  scripts/check_readme.py GSX [README] --update  write what the commands print into the file
  scripts/check_readme.py --self-test

GSX is the program. Each fenced block marked `console` is lines "$ command" followed by the exact
standard output of that command; a command ending in a backslash goes on in the next line. All run
with bash, in order, in one temporary folder that holds a copy of data/, with GSX as "gsx". Each
must exit with 0; standard error is not compared. Exit code 1 when something differs.
"""

import difflib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = "```"


def parse(text):
    """The README as a list of (kind, lines); kind is 'text', 'command' or 'output'."""
    parts, inside = [], False

    def add(kind, line):
        if kind == "command" or not parts or parts[-1][0] != kind:
            parts.append((kind, []))
        parts[-1][1].append(line)

    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(FENCE):
            inside = not inside and line[len(FENCE):].strip() == "console"
            add("text", line)
        elif inside and line.startswith("$ "):
            add("command", line)
            while line.endswith("\\"):
                line = next(lines)
                parts[-1][1].append(line)
            parts.append(("output", []))
        elif inside and not (parts and parts[-1][0] == "output"):
            raise ValueError(f"output without a command: {line!r}")
        else:
            add("output" if inside else "text", line)
    return parts


def run(command, folder, environment):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode()


def run_all(parts, program, data):
    """(errors, parts with what the commands printed)."""
    errors, printed = [], []
    with tempfile.TemporaryDirectory() as folder:
        binaries = Path(folder, "bin")
        binaries.mkdir()
        (binaries / "gsx").symlink_to(program)
        work = Path(folder, "work")
        work.mkdir()
        if data.is_dir():
            shutil.copytree(data, work / "data")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GSX_")}
        environment.update(PATH=f"{binaries}:{environment['PATH']}", LC_ALL="C.UTF-8")
        shown = ""
        for kind, lines in parts:
            if kind == "command":
                shown = "\n".join(lines)
                code, output, log = run(shown[2:], work, environment)
                if code != 0:
                    errors.append(f"{shown}\n  exits with {code}: {log.strip()}")
            elif kind == "output":
                printed_lines = output.splitlines()
                if printed_lines != lines:
                    errors.append(shown + "\n" + "\n".join(difflib.unified_diff(
                        lines, printed_lines, "README", "printed", lineterm="")))
                lines = printed_lines
            printed.append((kind, lines))
    return errors, printed


def self_test():
    good = "a\n```console\n$ printf 'x\\ny\\n'\nx\ny\n$ true\n$ echo \\\n  z\nz\n```\n$ no\n```sh\n$ no\n```\n"
    cases = [(good, 0), (good.replace("\ny\n", "\nY\n"), 1), (good.replace("$ true", "$ false"), 1),
             (good.replace("\nz\n", "\n"), 1), (good.replace("\ny\n", "\ny\nmore\n"), 1)]
    wrong = 0
    for text, expected in cases:
        errors, printed = run_all(parse(text), "/bin/true", Path("/nonexistent"))
        wrong += len(errors) != expected
        again = "\n".join(line for _, lines in printed for line in lines) + "\n"
        wrong += expected == 0 and again != text
    print("self-test failed" if wrong else f"self-test: {len(cases)} files judged right")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    update = "--update" in arguments
    files = [a for a in arguments if a != "--update"]
    if not 1 <= len(files) <= 2 or any(f.startswith("-") for f in files):
        print(__doc__, file=sys.stderr)
        return 2
    readme = Path(files[1]) if len(files) == 2 else ROOT / "README.md"
    parts = parse(readme.read_text())
    commands = sum(kind == "command" for kind, _ in parts)
    errors, printed = run_all(parts, Path(files[0]).resolve(), ROOT / "data")
    if update:
        readme.write_text("\n".join(line for _, lines in printed for line in lines) + "\n")
    print("\n".join(errors) or f"{commands} commands print what {readme.name} says")
    return 1 if errors or commands == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
