#!/usr/bin/env python3
"""Writes the ctest entries of a suite, one per test case, so that they run in parallel.

  tests/discover_tests.py PROGRAM SUITE OUTPUT

PROGRAM is the suite's doctest program. An entry is called SUITE.FILE: CASE, where FILE is the name
of the source file without "test_". ctest starts the cases that tests/long_tests.txt names first.
Cases that doctest itself skips get no entry: other cases run them. Exit code 1 if the program
cannot list its cases, or if two cases of one file have the same name.
"""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SKIPPED_EXIT_CODE = 77  # tests/support/skip.hpp
TIMEOUT_SECONDS = 900


def long_tests():
    """(prefix of an entry's name, seconds) for each line of long_tests.txt."""
    pairs = []
    for line in (Path(__file__).parent / "long_tests.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            seconds, prefix = line.split(maxsplit=1)
            pairs.append((prefix, float(seconds)))
    return pairs


def cases_of(program):
    """(name of the source file, name of the case) for each case of a doctest program."""
    listing = subprocess.run([program, "--list-test-cases", "--reporters=xml"], check=True,
                             capture_output=True, text=True).stdout
    return [(Path(case.get("filename")).name, case.get("name"))
            for case in ElementTree.fromstring(listing).iter("TestCase")
            if case.get("skipped") != "true"]


def quoted(text):
    """Any text as one argument in CMake's language."""
    marks = "="
    while f"]{marks}]" in text:
        marks += "="
    return f"[{marks}[{text}]{marks}]"


def entries(program, suite, cases, costs):
    seen = set()
    for file, case in cases:
        name = f"{suite}.{Path(file).stem.removeprefix('test_')}: {case}"
        if name in seen:
            sys.exit(f"error: two test cases are called '{name}'")
        seen.add(name)
        # doctest separates filters by commas.
        chosen = "--test-case=" + case.replace("\\", "\\\\").replace(",", "\\,")
        source = f"--source-file=*/{file}"
        cost = max((seconds for prefix, seconds in costs if name.startswith(prefix)), default=1)
        yield f"add_test({quoted(name)} {quoted(program)} {quoted(source)} {quoted(chosen)})\n"
        yield (f"set_tests_properties({quoted(name)} PROPERTIES LABELS {suite} COST {cost:g} "
               f"TIMEOUT {TIMEOUT_SECONDS} SKIP_RETURN_CODE {SKIPPED_EXIT_CODE})\n")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, suite, output = Path(sys.argv[1]).resolve().as_posix(), sys.argv[2], sys.argv[3]
    try:
        cases = cases_of(program)
    except (OSError, subprocess.CalledProcessError, ElementTree.ParseError) as error:
        sys.exit(f"error: {program} does not list its test cases: {error}")
    Path(output).write_text("".join(entries(program, suite, cases, long_tests())))


if __name__ == "__main__":
    main()
