#!/usr/bin/env python3
"""Checks that CONTRIBUTING.md names files that exist, and every folder of the program.

  scripts/check_contributing.py [FILE]

A path in backquotes, as `lib/index/sa/inverse.hpp`, must exist; one with * must match something. An
extension alone, as `.cpp`, stands for the path before it, with that extension. The table of "The program"
must name each folder of apps/gsx, and no other. Exit code 1 if something is missing.
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


def wrong_folders(text):
    table = text.split("## The program\n", 1)[1].split("\n## ", 1)[0]
    named = {row.split("`")[1] for row in table.splitlines() if row.startswith("| `")}
    there = {path.name for path in (ROOT / "apps/gsx").iterdir() if path.is_dir()}
    for folder in sorted(there - named):
        yield f"the table of CONTRIBUTING.md does not name apps/gsx/{folder}"
    for folder in sorted(named - there):
        yield f"CONTRIBUTING.md names {folder}, which is not in apps/gsx"


def main(arguments):
    text = (Path(arguments[0]) if arguments else ROOT / "CONTRIBUTING.md").read_text()
    wrong = [*missing_files(text), *wrong_folders(text)]
    print("\n".join(wrong) or "CONTRIBUTING.md names files that exist")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
