#!/usr/bin/env python3
"""Runs the commands that the documents show, compares what they print, and follows their links.

  scripts/check_readme.py GSX [DOCUMENT]...            run and compare
  scripts/check_readme.py GSX [DOCUMENT]... --update   write what the commands print into the files
  scripts/check_readme.py --self-test

GSX is the program. Without a DOCUMENT, it checks all: README.md, CONTRIBUTING.md, and every *.md of
apps/, lib/, kernels/, tests/ and scripts/. Each fenced block marked `console` is lines "$ command"
followed by the exact standard output of that command; a command that ends in a backslash continues
in the next line. The commands of a document run with bash, in order, in one temporary folder that
holds a copy of data/, with GSX as "gsx". Each must exit with 0; standard error is ignored.

Links to files must lead to files, and so must the paths in the first table of tests/README.md.
README.md may have at most 180 lines. Exit code 1 if something is wrong.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = "```"
MOST_LINES = {"README.md": 180}
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def documents():
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    for folder in ("apps", "lib", "kernels", "tests", "scripts"):
        found += sorted((ROOT / folder).rglob("*.md"))
    return found


def parse(text):
    """The document as a list of (kind, lines); kind is 'text', 'command' or 'output'."""
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


def run_all(parts, program, data, name="document"):
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
                        lines, printed_lines, name, "printed", lineterm="")))
                lines = printed_lines
            printed.append((kind, lines))
    return errors, printed


def prose(text):
    """The lines outside fenced blocks."""
    lines, inside = [], False
    for line in text.splitlines():
        if line.startswith(FENCE):
            inside = not inside
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def wrong_links(text, folder):
    """Links to files that do not exist."""
    targets = [t for t in LINK.findall(prose(text)) if "://" not in t and not t.startswith("mailto:")]
    return [f"the link '{t}' leads nowhere" for t in targets if not (folder / t).exists()]


def wrong_promises(text, folder):
    """Paths of tests, in the first table of tests/README.md, that do not exist."""
    table = text.split("\n|---|---|\n", 1)[1].split("\n\n", 1)[0]
    cells = [line.rsplit("|", 2)[1] for line in table.splitlines()]
    paths = [path for cell in cells for path in re.findall(r"`([^`]*)`", cell)]
    places = [folder, ROOT]
    return [f"the test '{path}' does not exist" for path in paths
            if "/" in path and not any((place / path).exists() for place in places)]


def check(path, program, update):
    """(errors, number of commands) of one document."""
    text = path.read_text()
    parts = parse(text)
    commands = sum(kind == "command" for kind, _ in parts)
    errors, printed = run_all(parts, program, ROOT / "data", path.name) if commands else ([], parts)
    if update and commands:
        path.write_text("\n".join(line for _, lines in printed for line in lines) + "\n")
    errors += wrong_links(text, path.parent)
    if path == ROOT / "tests" / "README.md":
        errors += wrong_promises(text, path.parent)
    lines, most = len(path.read_text().splitlines()), MOST_LINES.get(str(path.relative_to(ROOT)))
    if most is not None and lines > most:
        errors.append(f"{lines} lines, more than {most}")
    return errors, commands


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
    links = [("[a](b.md) [c](https://d.e/f)", 1), (f"[a]({Path(__file__).name}#part)", 0),
             ("```\n[a](b.md)\n```\n", 0), ("![a](b.svg) and [c](d)", 2)]
    for text, expected in links:
        wrong += len(wrong_links(text, Path(__file__).parent)) != expected
    table = "| a | b |\n|---|---|\n| p | `unit/none.cpp`, `property/` |\n| q | `x.y` |\n\n"
    wrong += len(wrong_promises(table, ROOT / "tests")) != 1
    print("self-test failed" if wrong else f"self-test: {len(cases) + len(links)} files judged right")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    update = "--update" in arguments
    files = [a for a in arguments if a != "--update"]
    if not files or any(f.startswith("-") for f in files):
        print(__doc__, file=sys.stderr)
        return 2
    program = Path(files[0]).resolve()
    failed = 0
    for path in [Path(f).resolve() for f in files[1:]] or documents():
        errors, commands = check(path, program, update)
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        print("\n".join(f"{name}: {error}" for error in errors) or
              f"{name}: {commands} commands print what it says")
        failed += len(errors)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
