#!/usr/bin/env python3
"""Checks that a program was built and linked with what GSX_HARDEN asks for.

  scripts/check_hardening.py PROGRAM

Looks with readelf, nm and objdump for: position-independent code, full RELRO (all symbols bound at
the start, their table then read-only), a stack that is not executable, stack guards, checked
library calls, and on x86-64 stack probes. Exit code 1 if something is missing.
"""

import platform
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def checks(program):
    """(protection, whether the program has it) for each protection."""
    header = output_of("readelf", "-hW", program)
    segments = output_of("readelf", "-lW", program)
    dynamic = output_of("readelf", "-dW", program)
    symbols = output_of("nm", "-D", "--undefined-only", program)
    yield "position-independent executable", (
        re.search(r"Type:\s+DYN", header) is not None and "PIE" in dynamic)
    yield "RELRO segment", "GNU_RELRO" in segments
    yield "symbols bound at the start", "BIND_NOW" in dynamic or re.search(r"\bNOW\b", dynamic)
    stack = re.search(r"GNU_STACK.*", segments)
    yield "stack that is not executable", stack is not None and "RWE" not in stack.group()
    yield "no segment both writable and executable", "RWE" not in segments
    yield "stack guards", "__stack_chk_fail" in symbols
    yield "checked library calls", re.search(r"__\w+_chk\b", symbols)
    if platform.machine() in ("x86_64", "AMD64"):
        code = output_of("objdump", "-d", "--no-show-raw-insn", program)
        yield "stack probes", re.search(r"orq\s+\$0x0,(0x\w+)?\(%rsp\)", code)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    missing = [what for what, found in checks(arguments[0]) if not found]
    for what in missing:
        print(f"{arguments[0]}: no {what}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
