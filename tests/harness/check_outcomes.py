#!/usr/bin/env python3
"""Checks what ctest makes of every outcome of a test case: a failure outranks a skip, a skip is not
a pass, GSX_REQUIRE_<NEED> turns a skip into a failure, and a case that checks nothing fails.

  tests/harness/check_outcomes.py PROGRAM CTEST

PROGRAM is built from sample_cases.cpp.
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
HARD_NAME = 'has a name, with "quotes", [brackets], ]==], a; b, $x ${x}, <y> & \\ 100 % * ?'
EXPECTED = {"passes": "run", "fails": "fail", "is skipped": "skip", "needs a unicorn": "skip",
            "fails, and is skipped then": "fail", "checks nothing": "fail", "crashes": "fail",
            HARD_NAME: "run"}


def outcome_of(case):
    skipped = case.find("skipped")
    if skipped is None:
        return case.get("status")
    # ctest also says "skipped" for a program that it cannot start.
    return "skip" if "SKIP_RETURN_CODE" in skipped.get("message", "") else "not started"


def outcomes(program, ctest, environment):
    """{name of the case: "run", "fail" or "skip"} as ctest reports them."""
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder, "CTestTestfile.cmake")
        subprocess.run([sys.executable, TESTS / "discover_tests.py", program, "harness", listing],
                       check=True)
        report = Path(folder, "report.xml")
        run = subprocess.run([ctest, "--test-dir", folder, "--output-junit", report], check=False,
                             capture_output=True, text=True, env={**os.environ, **environment})
        assert run.returncode != 0, run.stdout
        cases = ElementTree.parse(report).getroot().iter("testcase")
        return {case.get("name").split(": ", 1)[1]: outcome_of(case) for case in cases}


def exit_code(program, *cases, **environment):
    chosen = ",".join(case.replace(",", "\\,") for case in cases)
    return subprocess.run([program, f"--test-case={chosen}"], check=False, capture_output=True,
                          env={**os.environ, **environment}).returncode


def main():
    program, ctest = sys.argv[1:]
    os.environ.pop("GSX_REQUIRE_UNICORN", None)
    found = outcomes(program, ctest, {})
    assert found == EXPECTED, found
    found = outcomes(program, ctest, {"GSX_REQUIRE_UNICORN": "1"})
    assert found == {**EXPECTED, "needs a unicorn": "fail"}, found
    assert exit_code(program, "is skipped", "needs a unicorn") == 77
    assert exit_code(program, "is skipped", "needs a unicorn", GSX_REQUIRE_UNICORN="0") == 77
    assert exit_code(program, "is skipped", "needs a unicorn", GSX_REQUIRE_UNICORN="1") == 1
    assert exit_code(program, "is skipped", "passes") == 0
    assert exit_code(program, "is skipped", "fails") == 1
    assert exit_code(program, "fails, and is skipped then") == 1
    assert exit_code(program, "passes", "checks nothing") == 1
    assert exit_code(program, "no such case") == 1
    print("ctest tells failed, skipped and passed cases apart")


if __name__ == "__main__":
    main()
