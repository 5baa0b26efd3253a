#!/usr/bin/env python3
"""Checks that the source tree keeps its layers.

  scripts/check_layers.py [ROOT]      check a tree (the one of this script by default)
  scripts/check_layers.py --self-test check this script on small bad trees

Rules:
  order     a file of lib/ includes only its own folder or one before it in LAYERS; likewise a file of
            kernels/ and KERNEL_LAYERS. Files of kernels/ itself come after all of its folders.
            ROOMS orders the folders within a layer
  library   lib/ includes nothing of apps/, kernels/ or tests/; apps/ nothing of kernels/ or tests/,
            but for the files of apps/python/device, which are compiled with CUDA only
  root      a quoted include names an existing file from an include root, without ".."; our own
            headers are never included with angle brackets, except <gsx/...> in the examples
  cuda      CUDA files, headers and words occur only in kernels/, in its emulation, in the examples
            and in apps/python/device
  macro     __CUDACC__ and __CUDA_ARCH__ occur only in lib/base/host_device.hpp
  path      sources of lib/ ask best_cpu_path() only in CPU_PATH_PLACES; all others are told which
            path to take
  types     no two headers of lib/ define a type of one name at the left margin: the linker would take
            the members of one for those of the other
  bits      a header with GSX_HD functions does not use std:: bit functions: nvcc compiles them for
            the device without a working definition

Exit code 0 if all rules hold, 1 if one is broken, 2 for wrong usage.
"""

import re
import sys
import tempfile
from pathlib import Path

LAYERS = ["base", "machine", "pack", "io", "seq", "text", "rmq", "sa", "lcp", "rank", "wavelet", "bwt",
          "fm", "store", "search", "scan", "match", "report", "sets", "backend", "lz77", "circular", "shards", "merge",
          "page", "track", "mappability", "repeats", "query", "offtarget", "amplicon", "gsx", "bench"]
KERNEL_LAYERS = ["runtime", "pack", "text", "rmq", "sa", "lcp", "rank", "bwt", "fm", "search", "wavelet", "match",
                 "scan", "mappability", "sets", "gsx", "bench"]
KERNEL_TESTS = "testing"  # of kernels/: what only tests call, which may include all of kernels/
# Folders within a layer, in order: a file in one may include only its own or an earlier one.
ROOMS = {"sa": ["groups", "ranks", "phrases", "bstar", "blocks"], "backend": ["cpu"]}
EXAMPLES = "tests/example/"
EMULATION = "tests/emulation/"
DEVICE = "apps/python/device/"
CUDA_PLACES = ("kernels/", EXAMPLES, EMULATION, DEVICE)
HOST_DEVICE = "lib/base/host_device.hpp"
CXX = {".hpp", ".h", ".cpp", ".cc", ".cu", ".cuh"}
# Include roots of each top folder, besides the folder of the file itself in apps/ and tests/.
ROOTS = {
    "lib": ["lib"],
    "apps": ["lib", "apps/gsx", "apps/python/src"],
    "kernels": ["lib", "tests", "."],
    "tests": ["lib", "tests", "."],
}
FORBIDDEN = {"lib": {"apps", "kernels", "tests"}, "apps": {"kernels", "tests"}, "kernels": {"apps"}}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
CUDA_HEADER = re.compile(r"^(cuda|cub/|thrust/|nv/|cooperative_groups|curand|nvtx|nvml|vector_types)")
CUDA_WORD = re.compile(
    r"\b(__global__|__device__|__host__|__shared__|__constant__|__managed__|__launch_bounds__"
    r"|cuda[A-Z]\w*|cu[A-Z]\w*\s*\(|threadIdx|blockIdx|blockDim|gridDim)|<<<")
NVCC_MACRO = re.compile(r"\b(__CUDACC\w*|__CUDA_ARCH\w*|__NVCC__)\b")
STD_BITS = re.compile(
    r"\bstd\s*::\s*(popcount|countl_zero|countl_one|countr_zero|countr_one|bit_width|bit_ceil"
    r"|bit_floor|has_single_bit|rotl|rotr)\b")
CPU_PATH = re.compile(r"\bbest_cpu_path\s*\(")
# Where it is defined, where the caller cannot say, and where a GPU's back end searches on the CPU.
CPU_PATH_PLACES = ("lib/machine/", "lib/gsx/", "lib/backend/backend.cpp")
TYPE = re.compile(r"^(?:class|struct)\s+(?:GSX_API\s+)?([A-Za-z]\w*)\b(?!::)(?=[^;<>()]*\{)", re.MULTILINE)
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
                   re.DOTALL)


def without_comments(text, keep_strings):
    """The text with comments blanked, and strings unless kept; line numbers stay the same."""
    def blank(match):
        piece = match.group()
        if keep_strings and piece[0] in "\"'":
            return piece
        return re.sub(r"[^\n]", " ", piece)
    return NOISE.sub(blank, text)


def room_of(parts):
    """The position of a file's folder in ROOMS; None if it is in none of them."""
    return (parts[1], ROOMS[parts[1]].index(parts[2])) if len(parts) == 4 and parts[0] == "lib" \
        and parts[2] in ROOMS.get(parts[1], []) else None


class Checker:
    def __init__(self, root):
        self.root = root
        self.errors = []
        self.types = {}  # of the headers of lib/: name -> file

    def fail(self, path, text, offset, rule, what):
        line = text.count("\n", 0, offset) + 1
        self.errors.append(f"{path}:{line}: [{rule}] {what}")

    def files(self):
        for top in ROOTS:
            folder = self.root / top
            for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
                if path.suffix in CXX and path.is_file():
                    yield top, path

    def check(self):
        for top, path in self.files():
            text = path.read_text(encoding="utf-8", errors="replace")
            name = path.relative_to(self.root).as_posix()
            self.check_place(top, name)
            self.check_includes(top, path, name, without_comments(text, keep_strings=True))
            words = without_comments(text, keep_strings=False)
            self.check_words(top, name, words)
            if top == "lib" and name.endswith(".hpp"):
                self.check_types(name, words)
        return self.errors

    def check_types(self, name, text):
        for match in TYPE.finditer(text):
            other = self.types.setdefault(match.group(1), name)
            if other != name:
                self.fail(name, text, match.start(), "types", f"{other} defines {match.group(1)}, too")

    def check_place(self, top, name):
        parts = name.split("/")
        if top == "lib" and (len(parts) not in (3, 4) or parts[1] not in LAYERS):
            self.errors.append(f"{name}:1: [order] not in a folder of lib/ that LAYERS lists")
        elif top == "lib" and len(parts) == 4 and parts[2] not in ROOMS.get(parts[1], []):
            self.errors.append(f"{name}:1: [order] not in a folder of lib/{parts[1]} in ROOMS")
        if top == "kernels" and (len(parts) > 3 or self.kernel_layer(parts) is None):
            self.errors.append(f"{name}:1: [order] not in a folder that KERNEL_LAYERS lists")
        if name.endswith((".cu", ".cuh")) and not name.startswith(CUDA_PLACES):
            self.errors.append(f"{name}:1: [cuda] CUDA files belong in kernels/")

    def check_includes(self, top, path, name, text):
        for match in INCLUDE.finditer(text):
            quote, target = match.groups()
            error = self.include_error(top, path, name, quote, target)
            if error:
                self.fail(name, text, match.start(), *error)

    def include_error(self, top, path, name, quote, target):
        first = target.split("/")[0]
        if not name.startswith(("kernels/", EMULATION, DEVICE)) and CUDA_HEADER.match(target):
            return "cuda", f"{target} may be included in kernels/ only"
        if quote == "<":
            if name.startswith(EXAMPLES) and first == "gsx":
                return None  # the form that users write
            if first in LAYERS and (self.root / "lib" / target).exists():
                return "root", f'<{target}> is ours: write "{target}"'
            return None
        if ".." in target.split("/"):
            return "root", f"{target} leaves its folder: name it from lib/"
        found = self.resolve(top, path, target)
        if found is None:
            return "root", f"{target} is in none of the include roots"
        owner = found.relative_to(self.root).parts
        if name.startswith(DEVICE) and owner[0] == "kernels":
            return None
        if owner[0] in FORBIDDEN.get(top, ()):
            return "library", f"{top}/ must not include {owner[0]}/ ({target})"
        if top == "kernels" and owner[0] == "kernels":
            here, there = self.kernel_layer(name.split("/")), self.kernel_layer(owner)
            if here is not None and there is not None and there > here:
                return "order", f"{name.split('/')[1]} comes before the folder of {target}"
        if top == "lib":
            here, there = room_of(name.split("/")), room_of(owner)
            if here is not None and there is not None and here[0] == there[0] and there > here:
                return "order", f"{name.split('/')[2]} comes before the folder of {target}"
            layer = name.split("/")[1]
            if layer in LAYERS and owner[1] in LAYERS \
                    and LAYERS.index(owner[1]) > LAYERS.index(layer):
                return "order", f"{layer} comes before {owner[1]} and must not include {target}"
        return None

    @staticmethod
    def kernel_layer(parts):
        """Position of a file of kernels/, given the parts of its name; None if unknown."""
        if len(parts) == 2:
            return len(KERNEL_LAYERS)
        if parts[1] == KERNEL_TESTS:
            return len(KERNEL_LAYERS) + 1
        return KERNEL_LAYERS.index(parts[1]) if parts[1] in KERNEL_LAYERS else None

    def resolve(self, top, path, target):
        """The file that a quoted include names, even if the rules forbid it; None if unknown."""
        roots = [self.root / root for root in ROOTS[top]]
        if top in ("apps", "tests"):
            roots.insert(0, path.parent)
        if path.is_relative_to(self.root / EMULATION):
            roots.insert(0, self.root / EMULATION / "include")
        roots += [self.root] + [self.root / other for other in FORBIDDEN.get(top, ())]
        return next((root / target for root in roots if (root / target).is_file()), None)

    def check_words(self, top, name, text):
        if name != HOST_DEVICE:
            if not name.startswith(CUDA_PLACES):
                for match in CUDA_WORD.finditer(text):
                    self.fail(name, text, match.start(), "cuda",
                              f"{match.group().strip()} belongs in kernels/")
            for match in NVCC_MACRO.finditer(text):
                self.fail(name, text, match.start(), "macro",
                          f"{match.group()} belongs in {HOST_DEVICE}")
        if top == "lib" and name.endswith(".cpp") and not name.startswith(CPU_PATH_PLACES):
            for match in CPU_PATH.finditer(text):
                self.fail(name, text, match.start(), "path",
                          "best_cpu_path() belongs to the caller: take a CpuPath")
        if name.endswith((".hpp", ".cuh", ".h")) and "GSX_HD" in text:
            for match in STD_BITS.finditer(text):
                self.fail(name, text, match.start(), "bits",
                          f"{match.group()} in a header with GSX_HD: use base/host_device.hpp")


GOOD = {
    HOST_DEVICE: "#ifdef __CUDACC__\n#define GSX_HD __host__ __device__\n#endif\n",
    "lib/base/bits.hpp": "#include <bit>\ninline int w(unsigned x) { return std::bit_width(x); }\n",
    "lib/sa/groups/a.hpp": "int a;\n",
    "lib/sa/ranks/b.hpp": '#include "sa/groups/a.hpp"\n',
    "lib/rank/view.hpp": '#include "base/host_device.hpp"\n// std::popcount is not for GSX_HD\n'
                         'GSX_HD int f() { return 1\'000; }\n',
    "lib/fm/fm.cpp": '#include "rank/view.hpp"\nconst char* s = "cudaMalloc"; // cudaFree\n',
    "apps/gsx/main.cpp": '#include "options.hpp"\n#include "fm/fm.hpp"\n',
    "apps/gsx/options.hpp": "#include <vector>\n",
    "apps/python/device/array.cpp": '#include <cuda_runtime_api.h>\n#include "array.hpp"\n'
                                    '#include "kernels/rank/blocks.hpp"\n#include "arrays.hpp"\n',
    "apps/python/device/array.hpp": "cudaStream_t f();\n",
    "apps/python/src/arrays.hpp": "int a;\n",
    "lib/fm/fm.hpp": "void make_cuda_backend();\nstruct Hit {\n  struct View {};\n};\n",
    "lib/sa/view.hpp": "struct Hit;\nstruct View {};\n",
    "kernels/sort.cu": '#include <cuda_runtime.h>\n#include "base/bits.hpp"\n__global__ void k();\n',
    "kernels/rank/blocks.hpp": '#include "rank/view.hpp"\n',
    "kernels/fm/table.cu": '#include "kernels/rank/blocks.hpp"\n',
    "kernels/back_end.cpp": '#include "kernels/fm/table.cu"\n',
    "tests/example/search.cu": '#include <gsx/device.cuh>\n__global__ void k();\n',
    "tests/emulation/include/emulation/warp.hpp": "#pragma once\n",
    "tests/emulation/block.cpp": '#include <cuda.h>\n#include "emulation/warp.hpp"\ncudaError_t e;\n',
    "tests/unit/test_fm.cpp": '#include "fm/fm.hpp"\n#include "support/texts.hpp"\n',
    "tests/support/texts.hpp": "#pragma once\n",
}
BAD = [  # a file to add to GOOD, and the rule that it breaks
    ("order", "lib/rank/a.hpp", '#include "fm/fm.hpp"\n'),
    ("order", "lib/rank/a.cpp", '  #  include "fm/fm.hpp"\n'),
    ("order", "lib/extra/a.hpp", "int a;\n"),
    ("order", "lib/a.hpp", "int a;\n"),
    ("order", "lib/sa/other/a.hpp", "int a;\n"),
    ("order", "lib/rank/groups/a.hpp", "int a;\n"),
    ("order", "lib/sa/groups/c.hpp", '#include "sa/ranks/b.hpp"\n'),
    ("order", "kernels/text/a.cu", '#include "kernels/rank/blocks.hpp"\n'),
    ("order", "kernels/fm/a.cu", '#include "kernels/back_end.cpp"\n'),
    ("order", "kernels/extra/a.cu", "int a;\n"),
    ("library", "lib/query/a.cpp", '#include "gsx/options.hpp"\n'),
    ("library", "lib/query/a.cpp", '#include "tests/support/texts.hpp"\n'),
    ("library", "lib/backend/a.cpp", '#include "kernels/sort.cu"\n'),
    ("library", "apps/gsx/a.cpp", '#include "kernels/sort.cu"\n'),
    ("library", "apps/python/src/a.cpp", '#include "kernels/sort.cu"\n'),
    ("library", "apps/python/device/a.cpp", '#include "tests/support/texts.hpp"\n'),
    ("root", "lib/rank/a.cpp", '#include "view.hpp"\n'),
    ("root", "lib/rank/a.cpp", '#include "../rank/view.hpp"\n'),
    ("root", "lib/rank/a.cpp", '#include "lib_rank/none.hpp"\n'),
    ("root", "lib/rank/a.cpp", "#include <rank/view.hpp>\n"),
    ("root", "kernels/rank/a.cu", '#include "blocks.hpp"\n'),
    ("root", "tests/unit/a.cpp", '#include "rank/blocks.hpp"\n'),
    ("cuda", "lib/rank/a.cu", "int a;\n"),
    ("cuda", "lib/rank/a.cpp", "#include <cuda_runtime.h>\n"),
    ("cuda", "apps/gsx/a.cpp", "#include <cub/cub.cuh>\n"),
    ("cuda", "apps/python/src/a.cpp", "#include <cuda_runtime_api.h>\n"),
    ("cuda", "lib/rank/a.cpp", "void* p; int e = cudaMalloc(&p, 1);\n"),
    ("cuda", "lib/rank/a.hpp", "__device__ int f();\n"),
    ("cuda", "tests/unit/a.cpp", "void g() { k<<<1, 1>>>(); }\n"),
    ("macro", "lib/rank/a.hpp", "#ifdef __CUDA_ARCH__\n#endif\n"),
    ("macro", "kernels/a.cu", "#if defined(__CUDACC__)\n#endif\n"),
    ("types", "lib/rank/a.hpp", "class GSX_API Hit final : public View {\n};\n"),
    ("path", "lib/query/a.cpp", "bool f() { return best_cpu_path() == CpuPath::avx2; }\n"),
    ("bits", "lib/rank/a.hpp", "GSX_HD int f(unsigned x) { return std::popcount(x); }\n"),
    ("bits", "kernels/a.cuh", "GSX_HD int f(unsigned x) { return std :: countr_zero(x); }\n"),
]


def errors_of(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Checker(Path(folder)).check()


def self_test():
    wrong = [f"a good tree fails: {error}" for error in errors_of(GOOD)]
    for rule, name, text in BAD:
        errors = errors_of({**GOOD, name: text})
        if not any(name in error and f"[{rule}]" in error for error in errors):
            wrong.append(f"not found: [{rule}] in {name}: {text.strip()} (got {errors})")
    print("\n".join(wrong) or f"self-test: 1 good and {len(BAD)} bad trees judged right")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1 or any(a.startswith("-") for a in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    checker = Checker(root)
    count = sum(1 for _ in checker.files())
    if count == 0:
        print(f"error: no sources under {root}", file=sys.stderr)
        return 2
    errors = checker.check()
    print("\n".join(errors) or f"{count} files keep the layers")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
