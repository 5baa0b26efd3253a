"""What each package installs to build gsx, for comparison with `build_packages` of scripts/common.sh."""

import re

# What conda calls a Debian package.
CONDA = {"g++": "compiler_cxx", "ninja-build": "ninja", "zlib1g-dev": "zlib", "libhts-dev": "htslib", "libisal-dev": "isa-l",
         "libxxhash-dev": "xxhash", "libbz2-dev": "bzip2", "liblzma-dev": "xz", "libzstd-dev": "zstd",
         "libspdlog-dev": "spdlog", "libcli11-dev": "cli11", "rapidjson-dev": "rapidjson"}
# Libraries that the tarball builds from Debian's source, which has this name.
SOURCES = {"libhts-dev": "htslib", "libisal-dev": "libisal"}


def is_library(package):
    """Whether a static gsx is linked with it; CLI11 is for the program only, and RapidJSON is headers."""
    return package.endswith("-dev") and package not in ("libcli11-dev", "rapidjson-dev")


def debian_field(control, package, field):
    """The packages that a field of a control file names; of the source where `package` is None."""
    for stanza in re.split(r"\n\s*\n", control):
        if re.search(rf"^Package: {re.escape(package)}$" if package else r"^Source: ", stanza, re.M):
            found = re.search(rf"^{field}:(.*(?:\n .*)*)", stanza, re.M)
            return set(re.findall(r"(?:^|,)\s*([a-z0-9][a-z0-9+.-]+)", found[1])) if found else set()
    return set()


def missing_in_control(control, packages):
    """(where, package): what a source, or who links to its library, does not get."""
    needed = debian_field(control, None, "Build-Depends")
    yield from (("the build", package) for package in packages if package not in needed)
    if "Package: libgsx-dev" in control:
        needed = debian_field(control, "libgsx-dev", "Recommends")
        yield from (("libgsx-dev", package) for package in packages if is_library(package) and package not in needed)


def missing_in_test(control, packages):
    """The same for the test that links to the static library."""
    for stanza in re.split(r"\n\s*\n", control):
        if "Tests: library" in stanza:
            needed = re.findall(r"[\w.+-]+", stanza)
            yield from (package for package in packages if is_library(package) and package not in needed)
            return
    yield from packages


def missing_in_container(text, packages):
    build = text.split("AS build", 1)[-1].split("\nFROM ", 1)[0]
    installed = re.search(r"apt-get [^\n]*\binstall\b((?:.*\\\n)*.*)", build)
    words = installed[1].split() if installed else []
    yield from (package for package in packages if package not in words)


def missing_in_tarball(text, packages):
    """`text` is that of tarball.sh, which makes a root, and of tarball/build.sh, which runs there."""
    arrays = re.findall(r"^(?:headers|archives)=\(([^)]*)\)", text, re.M)
    words = {word for array in arrays for word in array.split()}
    sources = set(re.findall(r"^ *apt-get .*\bsource (\S+)", text, re.M))
    tools = re.search(r'^make_root "\$work/root" ((?:.*\\\n)*.*)', text, re.M)
    words |= set(tools[1].split()) if tools else set()
    yield from (package for package in packages if package not in words and SOURCES.get(package) not in sources)


def missing_in_recipe(requirements, packages):
    words = {line.split()[0] for part in ("build", "host") for line in requirements[part]}
    yield from (package for package in packages if CONDA.get(package, package) not in words)
