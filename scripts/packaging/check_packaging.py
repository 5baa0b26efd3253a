#!/usr/bin/env python3
"""Checks the files that packages are made from, without making any.

  scripts/packaging/check_packaging.py [GSX]
  scripts/packaging/check_packaging.py --self-test

Versions agree with CMakeLists.txt, also where workflows ask for one; files and commands that are named exist, and so do
the variables of the build; every list of build dependencies (of both Debian sources, the container, the tarball and the
recipe) has what scripts/common.sh installs, and every package is tested to read all compressed formats. The recipe is rendered for each of its variants;
with the program GSX, the commands of its test are run. Exit code 1 if something is wrong.
"""

import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "scripts/packaging"
sys.path.insert(0, str(ROOT / "scripts"))

import build_dependencies
import recipe_template
import small_yaml

# What gsx doctor says of formats that need a library each.
FORMATS = ("reads_bzip2", "reads_xz", "reads_zstd")


class Project:
    """What the packages must agree with."""

    def __init__(self):
        cmake = (ROOT / "CMakeLists.txt").read_text()
        pages = (ROOT / "apps/CMakeLists.txt").read_text()
        library = (ROOT / "lib/CMakeLists.txt").read_text()
        self.version = re.search(r"project\(gsx VERSION ([\d.]+)", cmake)[1]
        self.date = re.search(r'GSX_MANUAL_DATE "([\d-]+)"', pages)[1]
        self.commands = re.search(r"set\(GSX_COMMANDS ([^)]*)\)", pages)[1].split() + ["--version", "help"]
        self.abi = re.search(r"set\(GSX_ABI (\d+)\)", library)[1]
        self.needs = dict(re.findall(r"(htslib|libxxhash|RapidJSON)>=([\d.]+)", cmake))
        self.cmake = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", cmake)[1]
        everything = cmake + "".join(p.read_text() for p in (ROOT / "scripts/cmake").glob("*.cmake"))
        self.variables = set(re.findall(r"\bGSX_[A-Z_]+\b", everything))
        packages = re.search(r"^build_packages=\(([^)]*)\)", (ROOT / "scripts/common.sh").read_text(), re.M)
        self.packages = packages[1].split()


def check_citation(text, project):
    try:
        found = small_yaml.parse(text)
    except ValueError as error:
        yield f"CITATION.cff: {error}"
        return
    for key in ("message", "title", "authors"):
        if not found.get(key):
            yield f"CITATION.cff has no {key}"
    for key, wanted in (("cff-version", "1.2.0"), ("version", project.version), ("license", "MIT"),
                        ("date-released", project.date)):
        if found.get(key) != wanted:
            yield f"CITATION.cff: {key} is {found.get(key)}, not {wanted}"
    try:
        datetime.date.fromisoformat(found.get("date-released", ""))
    except ValueError:
        yield "CITATION.cff: date-released is no date"
    known = {"cff-version", "message", "type", "title", "abstract", "authors", "version", "date-released", "license",
             "keywords", "doi", "url", "repository-code", "identifiers", "preferred-citation", "references", "contact",
             "commit", "license-url", "repository", "repository-artifact"}
    for key in sorted(set(found) - known):
        yield f"CITATION.cff: {key} is no key of this format"
    for author in found.get("authors") or []:
        if not ({"name"} <= set(author) or {"family-names", "given-names"} <= set(author)):
            yield f"CITATION.cff: an author has no name: {author}"
    changes = re.findall(r"^## (\d[\d.]*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    if changes[:1] != [project.version]:
        yield f"the last release in CHANGELOG.md is not {project.version}"


def variants():
    """The names that the recipe is rendered with, for each variant."""
    config = small_yaml.parse((HERE / "bioconda/conda_build_config.yaml").read_text())
    for cuda in config["cuda_compiler_version"]:
        yield {"cuda_compiler_version": cuda, "PKG_HASH": "1234567",
               "compiler": lambda language: f"compiler_{language}", "stdlib": lambda language: f"stdlib_{language}",
               "pin_subpackage": lambda name, max_pin: f"{name} {max_pin}",
               "pin_compatible": lambda name, min_pin, max_pin: f"{name} {min_pin} {max_pin}"}


def check_recipe(text, project):
    """Errors, for each variant."""
    for names in variants():
        cuda = names["cuda_compiler_version"]
        where = f"the recipe, cuda {cuda}: "
        try:
            found = small_yaml.parse(recipe_template.render(text, names))
        except ValueError as error:
            yield where + str(error)
            continue
        if found["package"] != {"name": "gsx", "version": project.version}:
            yield where + f"the package is {found['package']}, not gsx {project.version}"
        if (HERE / "bioconda" / found["source"]["path"]).resolve() != ROOT:
            yield where + "the source is not this repository"
        if not (ROOT / found["about"]["license_file"]).is_file():
            yield where + f"there is no {found['about']['license_file']}"
        build, host = (found["requirements"][part] for part in ("build", "host"))
        if f"cmake >={project.cmake}" not in build:
            yield where + f"it does not need CMake {project.cmake}, as CMakeLists.txt does"
        for name, version in project.needs.items():
            if f"{name.removeprefix('lib').lower()} >={version}" not in host:
                yield where + f"it does not need {name} {version}, as CMakeLists.txt does"
        for package in build_dependencies.missing_in_recipe(found["requirements"], project.packages):
            yield where + f"it does not need {build_dependencies.CONDA.get(package, package)}"
        if ("compiler_cuda" in build) != (cuda != "None"):
            yield where + "the CUDA compiler is for the variants with CUDA"
        for file in found["test"]["source_files"]:
            if not (ROOT / file).exists():
                yield where + f"there is no {file}"
        lines = found["test"]["commands"]
        if "gsx doctor" not in lines:
            yield where + "the test does not run gsx doctor"
        for line in lines:
            for command in re.findall(r"(?:^|\| *)gsx (\S+)", line):
                if command not in project.commands:
                    yield where + f"gsx has no command {command}"
            for file in re.findall(r"data/\S+", line):
                if not (ROOT / file).is_file():
                    yield where + f"there is no {file}"


def run_recipe_tests(gsx):
    """Runs the test of the variant without CUDA; what is installed beside the program is not looked at."""
    names = next(variants())
    recipe = small_yaml.parse(recipe_template.render((HERE / "bioconda/meta.yaml").read_text(), names))
    with tempfile.TemporaryDirectory() as folder:
        binaries = Path(folder, "bin")
        binaries.mkdir()
        (binaries / "gsx").symlink_to(Path(gsx).resolve())
        shutil.copytree(ROOT / "data", Path(folder, "data"))
        environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"}
        for line in recipe["test"]["commands"]:
            if line.startswith("gsx "):
                done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder, env=environment,
                                      capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    yield f"the test of the recipe fails: {line}\n  {done.stderr.strip()}"


def check_container(text, project):
    stages = set(re.findall(r"^FROM \S+ AS (\S+)", text, re.M))
    for line in re.findall(r"^COPY (.+)", text, re.M):
        words = line.split()
        origin = re.fullmatch(r"--from=(\S+)", words[0])
        if origin and origin[1] not in stages:
            yield f"Containerfile: there is no stage {origin[1]}"
        for source in [] if origin else words[:-1]:
            if not (ROOT / source).exists():
                yield f"Containerfile: there is no {source}"
    for used in re.findall(r"\$\{(\w+)\}", text):
        if f"ARG {used}" not in text:
            yield f"Containerfile: {used} is no argument"
    if re.search(r"^ENTRYPOINT", text, re.M):
        yield "Containerfile: there is an ENTRYPOINT, but workflow systems start /bin/bash in the image"
    for package in build_dependencies.missing_in_container(text, project.packages):
        yield f"Containerfile: the build does not install {package}"


def tarball_scripts():
    return (HERE / "tarball.sh").read_text() + (HERE / "tarball/build.sh").read_text()


def check_tarball(text, project):
    for package in build_dependencies.missing_in_tarball(text, project.packages):
        yield f"tarball: the build does not have {package}"


def check_debian(control, project):
    for where, package in build_dependencies.missing_in_control(control, project.packages):
        yield f"debian/control: {where} does not need {package}"
    names = re.findall(r"^Package: (\S+)", control, re.M)
    for name in names:
        if name.startswith("libgsx") and name != "libgsx-dev" and name != f"libgsx{project.abi}":
            yield f"debian/control: {name} is not named by GSX_ABI, {project.abi}"
        if not (HERE / f"debian/{name}.install").is_file():
            yield f"debian/control: there is no {name}.install"


def check_debian_tests(control, project):
    for test in re.findall(r"^Tests: (\S+)", control, re.M):
        if not os.access(HERE / "debian/tests" / test, os.X_OK):
            yield f"debian/tests: there is no program {test}"
    for package in build_dependencies.missing_in_test(control, project.packages):
        yield f"debian/tests: the library is linked without {package}"


def check_asked_version(text, project):
    """A version of gsx that a file asks for: all of it, or its beginning."""
    found = re.findall(r"\bgsx *=+ *([\d.]+)|find_package\(gsx ([\d.]+)", text)
    for whole, begin in found:
        if whole and whole != project.version or begin and not f"{project.version}.".startswith(f"{begin}."):
            yield f"gsx {whole or begin} is asked for, not {project.version}"
    if not found:
        yield "no version of gsx is asked for"


def check_versions(project):
    files = [*(ROOT / "scripts/workflows").rglob("environment.y*ml"), *(ROOT / "tests/example").rglob("CMakeLists.txt")]
    asking = [path for path in files if path.suffix != ".txt" or "find_package(gsx" in path.read_text()]
    for path in sorted(asking) + [ROOT / "lib/README.md"]:
        yield from (f"{path.relative_to(ROOT)}: {what}" for what in check_asked_version(path.read_text(), project))


def check_formats(text, _):
    """A test of a package that does not look whether the compressed formats are read."""
    for fact in FORMATS:
        if not re.search(rf"\b{fact}\b", text) and not re.search(r"^ *check_formats ", text, re.M):
            yield f"the test does not look at {fact} of gsx doctor"


def check_all_formats(gsx):
    for name in ("common.sh", "container.sh", "tarball/check.sh", "test_packages.sh", "debian/tests/readme",
                 "bioconda/meta.yaml"):
        yield from (f"{name}: {what}" for what in check_formats((HERE / name).read_text(), None))
    if gsx:
        facts = subprocess.run([gsx, "doctor", "-q"], capture_output=True, text=True, check=True).stdout
        if tuple(re.findall(r"^(reads_\w+)\t", facts, re.M)) != FORMATS:
            yield f"gsx doctor does not tell {', '.join(FORMATS)}"


def check_variables(project):
    """Options of the build that CMake does not know."""
    for path in sorted(HERE.rglob("*")):
        if path.is_file() and path.suffix != ".py" and path.suffix != ".pyc":
            for name in re.findall(r"-D(GSX_[A-Z_]+)", path.read_text()):
                if name not in project.variables:
                    yield f"{path.relative_to(ROOT)}: the build has no variable {name}"


def check_all(project, gsx):
    yield from check_citation((ROOT / "CITATION.cff").read_text(), project)
    yield from check_recipe((HERE / "bioconda/meta.yaml").read_text(), project)
    yield from check_container((HERE / "container/Containerfile").read_text(), project)
    yield from check_tarball(tarball_scripts(), project)
    for name in ("control", "control.cuda"):
        yield from check_debian((HERE / "debian" / name).read_text(), project)
    yield from check_debian_tests((HERE / "debian/tests/control").read_text(), project)
    yield from check_versions(project)
    yield from check_all_formats(gsx)
    yield from check_variables(project)
    if gsx:
        yield from run_recipe_tests(gsx)


def without(package):
    """(check, text, text without that package) for each list of build dependencies."""
    recipe, tarball = (HERE / "bioconda/meta.yaml").read_text(), tarball_scripts()
    container, tests = (HERE / "container/Containerfile").read_text(), (HERE / "debian/tests/control").read_text()
    word = rf"(?<=[\s(]){re.escape(package)}(?=[\s),])"
    conda = build_dependencies.CONDA.get(package, package)
    conda = r'\{\{ compiler\("cxx"\) \}\}' if conda == "compiler_cxx" else re.escape(conda)
    yield check_recipe, recipe, re.sub(rf"^    - {conda}( .*)?\n", "", recipe, flags=re.M)
    yield check_container, container, re.sub(word, "", container)
    source = build_dependencies.SOURCES.get(package)
    yield check_tarball, tarball, tarball.replace(f" source {source} ", " ") if source else re.sub(word, "", tarball)
    for name in ("control", "control.cuda"):
        control = (HERE / "debian" / name).read_text()
        *_, depends, recommends = re.split(r"(?=^Package: )", control, maxsplit=1, flags=re.M)
        line = rf"^ {re.escape(package)}( \(.*\))?,?\n"
        yield check_debian, control, re.sub(line, "", depends, flags=re.M) + recommends
        if name == "control" and build_dependencies.is_library(package):
            yield check_debian, control, depends + re.sub(line, "", recommends, flags=re.M)
    if build_dependencies.is_library(package):
        yield check_debian_tests, tests, re.sub(word, "", tests)


def self_test(project):
    """Whether each check notices what is wrong."""
    citation = (ROOT / "CITATION.cff").read_text()
    recipe = (HERE / "bioconda/meta.yaml").read_text()
    container = (HERE / "container/Containerfile").read_text()
    control = (HERE / "debian/control").read_text()
    environment = (ROOT / "scripts/workflows/wrappers/gsx/count/environment.yaml").read_text()
    cmake = (ROOT / "tests/example/project/CMakeLists.txt").read_text()
    cases = [(check_citation, citation, f"version: {project.version}", "version: 9.9.9"),
             (check_citation, citation, "authors:", "writers:"),
             (check_citation, citation, "date-released: 2", "date-released: 1"),
             (check_citation, citation, "type: software", "  type: software"),
             (check_recipe, recipe, f'version = "{project.version}"', 'version = "9.9.9"'),
             (check_recipe, recipe, "gsx doctor", "gsx nurse"),
             (check_recipe, recipe, "data/lambda.fa", "data/mu.fa"),
             (check_recipe, recipe, "xxhash >=0.8", "xxhash"),
             (check_recipe, recipe, "rapidjson >=1.1", "rapidjson"),
             (check_recipe, recipe, "{% endif %}", ""),
             (check_recipe, recipe, "license_file: LICENSE", "license_file: COPYING"),
             (check_container, container, "COPY lib /", "COPY libs /"),
             (check_container, container, "--from=build", "--from=made"),
             (check_container, container, "\nCMD [", "\nENTRYPOINT ["),
             (check_debian, control, "Package: libgsx0", "Package: libgsx7"),
             (check_asked_version, environment, project.version, "0.0.9"),
             (check_asked_version, environment, "gsx ", "gsy "),
             (check_asked_version, cmake, "find_package(gsx 0", "find_package(gsx 9"),
             *((check_formats, recipe, fact, "reads_gzip") for fact in FORMATS)]
    changes = [(check, text, text.replace(old, new), f"'{old}' became '{new}'") for check, text, old, new in cases]
    for package in project.packages:
        changes += [(*change, f"{package} is gone") for change in without(package)]
    wrong = 0
    for check, text, changed, what in changes:
        if list(check(text, project)) or not list(check(changed, project)):
            print(f"{check.__name__} does not notice that {what}")
            wrong += 1
    print("self-test failed" if wrong else f"self-test: {len(changes)} files judged right")
    return 1 if wrong else 0


def main(arguments):
    project = Project()
    if arguments == ["--self-test"]:
        return self_test(project)
    if len(arguments) > 1 or any(a.startswith("-") for a in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    wrong = list(check_all(project, arguments[0] if arguments else None))
    print("\n".join(wrong) or "the files of the packages agree with the project")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
