#!/usr/bin/env python3
"""Checks what is installed with the program: manual pages and completions.

  scripts/check_install.py BUILD GSX

Installs the build folder BUILD into a temporary prefix, and compares the pages and completions there
with what the program GSX writes: one page for the program and one for each command, no others.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def commands_of(gsx):
    """The words under "Commands:" and "More commands:" in the help of the program."""
    page = output_of(gsx, "--help").decode().split("\nCommands:\n", 1)[1].split("\n\n", 2)[:2]
    return re.findall(r"^  ([a-z0-9]+) ", "\n".join(page), re.MULTILINE)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    build, gsx = arguments
    wanted = {"share/man/man1/gsx.1": [gsx, "help", "--man"],
              "share/bash-completion/completions/gsx": [gsx, "completion", "bash"],
              "share/zsh/site-functions/_gsx": [gsx, "completion", "zsh"],
              "share/fish/vendor_completions.d/gsx.fish": [gsx, "completion", "fish"]}
    for command in commands_of(gsx):
        wanted[f"share/man/man1/gsx-{command}.1"] = [gsx, "help", "--man", command]
    wrong = []
    with tempfile.TemporaryDirectory() as prefix:
        output_of("cmake", "--install", build, "--prefix", prefix)
        for name, command in wanted.items():
            path = Path(prefix, name)
            if not path.is_file():
                wrong.append(f"{name} is not installed; apps/CMakeLists.txt lists the commands")
            elif path.read_bytes() != output_of(*command):
                wrong.append(f"{name} is not what {' '.join(command[1:])} writes")
        for path in Path(prefix, "share/man").rglob("*"):
            if path.is_file() and str(path.relative_to(prefix)) not in wanted:
                wrong.append(f"{path.relative_to(prefix)} is the page of no command")
    print("\n".join(wrong) or f"{len(wanted)} pages and completions are installed as they are written")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
