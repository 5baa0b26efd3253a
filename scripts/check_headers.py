#!/usr/bin/env python3
"""Checks that each header of lib/ compiles alone, and twice in one file.

  scripts/check_headers.py BUILD [--nvcc NVCC] [--jobs N] [--share N] [HEADER...]

BUILD is a configured build folder: the compiler and its flags are those of the library there
(compile_commands.json). With --nvcc the headers that kernels use (*_view.hpp and a few more) are
also compiled by nvcc, with warnings as errors. With --share, only one header in N is checked; GSX_SEED or chance
chooses which. Exit code 1 if a header fails, 2 for wrong usage.
"""

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIB = ROOT / "lib"
DEVICE_HEADER = re.compile(r"(_view|/suffix_key|/packed|/host_device)\.hpp$")


def library_flags(build):
    """Compiler and flags for a source of lib/, without input and output."""
    commands = json.loads((build / "compile_commands.json").read_text())
    for entry in commands:
        source = Path(entry["directory"], entry["file"])
        if LIB in source.parents or build.resolve() / "lib" in source.parents:  # the latter if sources are joined
            words = entry.get("arguments") or shlex.split(entry["command"])
            flags, skip = [], False
            for word in words:
                if skip:
                    skip = False
                elif word in ("-o", "-MF", "-MT"):
                    skip = True
                elif word not in ("-c", "-MD", str(source), entry["file"]):
                    flags.append(word)
            return flags
    sys.exit(f"error: {build}/compile_commands.json has no source of lib/")


def host_command(flags, source):
    # _FORTIFY_SOURCE needs -O; a syntax check needs neither.
    kept = [f for f in flags if not f.startswith(("-O", "-D_FORTIFY_SOURCE", "-fsanitize"))]
    return kept + ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", source]


def device_command(nvcc, source):
    return [nvcc, "-std=c++20", f"-I{LIB}", "-Werror", "all-warnings", "-Xcompiler=-Wall,-Wextra",
            "--ptx", "-o", os.devnull, "-x", "cu", source]


def check(job):
    compiler, header, make_command = job
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write(f'#include "{header}"\n#include "{header}"\n')
        source.flush()
        run = subprocess.run(make_command(source.name), capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return None
    return f"{header} does not compile alone with {compiler}:\n{run.stdout}{run.stderr}"


def main():
    parser = argparse.ArgumentParser(description="Each header of lib/ compiles alone and twice.")
    parser.add_argument("build", type=Path)
    parser.add_argument("headers", nargs="*", help="relative to lib/; all by default")
    parser.add_argument("--nvcc")
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_intermixed_args()
    flags = library_flags(options.build.resolve())
    headers = options.headers or sorted(p.relative_to(LIB).as_posix() for p in LIB.rglob("*.hpp"))
    if options.share > 1:
        first = int(os.environ.get("GSX_SEED") or random.randrange(options.share)) % options.share
        headers = headers[first::options.share]
    jobs = [(flags[0], h, lambda s: host_command(flags, s)) for h in headers]
    if options.nvcc:
        jobs += [(options.nvcc, h, lambda s: device_command(options.nvcc, s))
                 for h in headers if DEVICE_HEADER.search("/" + h)]
    with ThreadPoolExecutor(options.jobs) as pool:
        errors = [error for error in pool.map(check, jobs) if error]
    print("\n".join(errors) or f"{len(headers)} headers compile alone ({len(jobs)} compilations)")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
