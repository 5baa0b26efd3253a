#!/usr/bin/env python3
"""Checks that CONTRIBUTING.md names files that exist, and every file of the program.

  scripts/check_contributing.py [FILE]

A path in backquotes, as `lib/index/sa/inverse.hpp`, must exist; one with * must match something. An
extension alone, as `.cpp`, stands for the path before it, with that extension. The table of "The program"
must name each source of apps/gsx. Exit code 1 if something is missing.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(r"`([^`\n]+)`")


def missing_files(text):
    last = None
    for name in NAMED.findall(text):
        if re.fullmatch(r"\.\w+", name) and last:
            name = str(Path(last).with_suffix(name))
        elif not re.fullmatch(r"[\w.*-]+(/[\w.*-]+)+\.\w+", name):
            continue
        last = name
        if not list(ROOT.glob(name)):
            yield f"CONTRIBUTING.md names {name}, which does not exist"


def unnamed_sources(text):
    table = text.split("## The program\n", 1)[1].split("\n## ", 1)[0]
    named = set(NAMED.findall(table))
    for path in sorted((ROOT / "apps/gsx").glob("*.cpp")):
        if path.stem not in named:
            yield f"the table of CONTRIBUTING.md does not name {path.relative_to(ROOT)}"
    rows = {name for row in table.splitlines() if row.startswith("| ")
            for name in NAMED.findall(row.rsplit("|", 2)[1])}
    for name in sorted(rows):
        pattern = name + "*" if name.endswith("/") else name + ".[ch]pp"
        if not list((ROOT / "apps/gsx").glob(pattern)):
            yield f"CONTRIBUTING.md names {name}, which is not in apps/gsx"


def main(arguments):
    text = (Path(arguments[0]) if arguments else ROOT / "CONTRIBUTING.md").read_text()
    wrong = [*missing_files(text), *unnamed_sources(text)]
    print("\n".join(wrong) or "CONTRIBUTING.md names files that exist")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
