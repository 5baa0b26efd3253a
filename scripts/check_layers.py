#!/usr/bin/env python3
"""Checks that the source tree keeps its layers.

  scripts/check_layers.py [ROOT]      check a tree (the one of this script by default)
  scripts/check_layers.py --self-test check this script on small bad trees

Rules:
  order     a file of lib/ includes only its own folder or one before it in LAYERS; likewise a file of
            kernels/ and KERNEL_LAYERS, and of apps/gsx/ and APP_LAYERS
  library   lib/ includes nothing of apps/, kernels/ or tests/; apps/ nothing of kernels/ or tests/,
            but for the files of apps/python/device, which are compiled with CUDA only
  root      a quoted include names an existing file from an include root, without ".."; our own
            headers are never included with angle brackets, except <gsx/...> in the examples
  cuda      CUDA files, headers and words occur only in kernels/, in its emulation, in the examples,
            in tests/device_calls and in apps/python/device
  macro     __CUDACC__ and __CUDA_ARCH__ occur only in lib/base/host_device.hpp
  path      sources of lib/ ask best_cpu_path() only in CPU_PATH_PLACES; all others are told which
            path to take
  names     no two headers of lib/ and of tests/support/ define a type or a constant of one name at the left
            margin: a source could not include both, and the linker would take one for the other. Nor do
            the unnamed namespaces of two sources in one folder, which may be joined (GSX_JOINED)
  bits      a header with GSX_HD functions does not use std:: bit functions: nvcc compiles them for
            the device without a working definition

Exit code 0 if all rules hold, 1 if one is broken, 2 for wrong usage.
"""

import re
import sys
import tempfile
from pathlib import Path

# The folders of lib/ in order, and the folders in them. Files that stand beside such folders, as those of lib/index/sa
# beside lib/index/sa/groups, may include and be included by all of them.
LAYERS = {
    "base": {},
    "bytes": {"compression": {}},
    "records": {"formats": {}, "lists": {}},
    "arrays": {"packing": {}, "minima": {}, "rank": {}, "wavelet": {}},
    "text": {},
    "index": {"sa": {"groups": {}, "ranks": {}, "phrases": {}, "bstar": {}, "blocks": {}}, "lcp": {}, "bwt": {}, "fm": {},
              "store": {}, "lookup": {}},
    "search": {"exact": {}, "mismatches": {}, "edits": {}, "sites": {}, "matches": {}, "sets": {}},
    "device": {"cpu": {}, "circular": {}, "shards": {}},
    "output": {"lines": {}, "json": {}, "summary": {}, "tracks": {}, "page": {}, "parts": {}, "merge": {}},
    "analysis": {"barcodes": {}, "lz77": {}, "mappability": {}, "repeats": {}, "guides": {}, "primers": {}},
    "run": {},
    "gsx": {},
    "bench": {},
}
# Those of kernels/: the twins of folders of lib/.
KERNEL_LAYERS = {
    "base": {},
    "arrays": {"packing": {}, "minima": {}, "rank": {}, "wavelet": {}},
    "text": {},
    "index": {"sa": {}, "lcp": {}, "bwt": {}, "fm": {}},
    "search": {"exact": {}, "mismatches": {}, "sites": {}, "matches": {}, "sets": {}},
    "analysis": {"mappability": {}},
    "device": {},
    "gsx": {},
    "bench": {},
}
# Those of apps/gsx/.
APP_LAYERS = {"process": {}, "options": {}, "pages": {}, "outputs": {}, "inputs": {}, "queries": {}, "commands": {},
              "bench": {}}
LAYERED = {("lib",): LAYERS, ("kernels",): KERNEL_LAYERS, ("apps", "gsx"): APP_LAYERS}
DEVICE_CALLS = "tests/device_calls/"
EXAMPLES = "tests/example/"
EMULATION = "tests/emulation/"
DEVICE = "apps/python/device/"
CUDA_PLACES = ("kernels/", DEVICE_CALLS, EXAMPLES, EMULATION, DEVICE)
HOST_DEVICE = "lib/base/host_device.hpp"
CXX = {".hpp", ".h", ".cpp", ".cc", ".cu", ".cuh"}
# Include roots of each top folder, besides the folder of the file itself in apps/ and tests/.
ROOTS = {
    "lib": ["lib"],
    "apps": ["lib", "apps/gsx", "apps/python/src"],
    "kernels": ["lib", "."],
    "tests": ["lib", "tests", "."],
}
FORBIDDEN = {"lib": {"apps", "kernels", "tests"}, "apps": {"kernels", "tests"}, "kernels": {"apps", "tests"}}

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
CPU_PATH_PLACES = ("lib/base/", "lib/gsx/", "lib/device/backend.cpp")
TYPE = re.compile(r"^(?:class|struct)\s+(?:GSX_API\s+)?([A-Za-z]\w*)\b(?!::)(?=[^;<>()]*\{)", re.MULTILINE)
CONSTANTS = re.compile(r"^(?:inline |static )?(?:constexpr|thread_local|std::atomic)\b[^;(){]*?[=;{][^;]*;?",
                       re.MULTILINE)
CONSTANT = re.compile(r"(?<![:\w])([A-Za-z]\w*)(?:\[\w*\])?\s*(?:=(?!=)|\{)")
UNNAMED = re.compile(r"^namespace \{$.*?^\} ", re.MULTILINE | re.DOTALL)  # whose end has a comment
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


def layered_top(parts):
    """The top folder in LAYERED that a file is in, given the parts of its name; None if it is in none."""
    return next((top for top in LAYERED if tuple(parts[:len(top)]) == top), None)


def place_of(parts):
    """The positions in LAYERED of the folders that a file is in, given the parts of its name; None if a folder is not
    listed. Sources of apps/gsx may stand beside its folders."""
    top = layered_top(parts)
    layers = LAYERED[top]
    place = []
    for folder in parts[len(top):-1]:
        if folder not in layers:
            return None
        place.append(list(layers).index(folder))
        layers = layers[folder]
    return place if place or top[0] == "apps" else None


def without_twin(layers, twins, above=""):
    """The folders that are listed in `layers` only."""
    for folder, inner in layers.items():
        if folder not in twins:
            yield above + folder
        else:
            yield from without_twin(inner, twins[folder], f"{above}{folder}/")


class Checker:
    def __init__(self, root):
        self.root = root
        self.errors = []
        self.names = {}  # of types and constants: (scope, name) -> file
        self.arrows = set()  # pairs of folders of which the first includes the second

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
            if name.startswith(("lib/", "tests/support/")) and name.endswith(".hpp"):
                self.check_names("headers", name, words, 0, len(words))
            elif top != "tests" and name.endswith((".cpp", ".cu")):
                for part in UNNAMED.finditer(words):
                    self.check_names((Path(name).parent, Path(name).suffix), name, words, *part.span())
        return self.errors

    def check_names(self, scope, name, text, begin, end):
        found = [(match.group(1), match.start()) for match in TYPE.finditer(text, begin, end)]
        for constants in CONSTANTS.finditer(text, begin, end):
            found += [(match.group(1), constants.start()) for match in CONSTANT.finditer(constants.group())]
        for defined, place in found:
            other = self.names.setdefault((scope, defined), name)
            if other != name:
                self.fail(name, text, place, "names", f"{other} defines {defined}, too")

    def check_place(self, top, name):
        if layered_top(name.split("/")) and place_of(name.split("/")) is None:
            self.errors.append(f"{name}:1: [order] not in a folder of {top}/ that is listed")
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
        if not name.startswith(("kernels/", DEVICE_CALLS, EMULATION, DEVICE)) and CUDA_HEADER.match(target):
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
        self.add_arrow(name.split("/"), owner)
        if name.startswith(DEVICE) and owner[0] == "kernels":
            return None
        if owner[0] in FORBIDDEN.get(top, ()):
            return "library", f"{top}/ must not include {owner[0]}/ ({target})"
        inside = layered_top(name.split("/"))
        if inside and layered_top(owner) == inside:
            here, there = place_of(name.split("/")) or [], place_of(owner) or []
            if next((a < b for a, b in zip(here, there) if a != b), False):
                return "order", f"its folder comes before that of {target}"
        return None

    def add_arrow(self, *files):
        """Notes that the first file includes the second. kernels/ is one folder here, and tests are none."""
        first, second = ("kernels" if parts[0] == "kernels" else "/".join(parts[:2]) for parts in files)
        if first != second and not any(parts[0] == "tests" for parts in files):
            self.arrows.add((first, second))

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
    "lib/index/sa/groups/a.hpp": "int a;\n",
    "lib/index/sa/ranks/b.hpp": '#include "index/sa/groups/a.hpp"\n',
    "lib/arrays/rank/y.cpp": "namespace {\nvoid f() {\n}\nconstexpr int most = 1;\n}  // namespace\n",
    "lib/arrays/rank/view.hpp": '#include "base/host_device.hpp"\n// std::popcount is not for GSX_HD\n'
                                'GSX_HD int f() { return 1\'000; }\n',
    "lib/index/fm/fm.cpp": '#include "arrays/rank/view.hpp"\nconst char* s = "cudaMalloc"; // cudaFree\n',
    "apps/gsx/main.cpp": '#include "options/options.hpp"\n#include "index/fm/fm.hpp"\n',
    "apps/gsx/options/options.hpp": "#include <vector>\n",
    "apps/python/device/array.cpp": '#include <cuda_runtime_api.h>\n#include "array.hpp"\n'
                                    '#include "kernels/arrays/rank/blocks.hpp"\n#include "arrays.hpp"\n',
    "apps/python/device/array.hpp": "cudaStream_t f();\n",
    "apps/python/src/arrays.hpp": "int a;\n",
    "lib/index/fm/fm.hpp": "void make_cuda_backend();\nstruct Hit {\n  struct View {};\n};\n",
    "lib/index/sa/view.hpp": "struct Hit;\nstruct View {};\n",
    "kernels/index/sort.cu": '#include <cuda_runtime.h>\n#include "base/bits.hpp"\n__global__ void k();\n',
    "kernels/arrays/rank/blocks.hpp": '#include "arrays/rank/view.hpp"\n',
    "kernels/index/fm/table.cu": '#include "kernels/arrays/rank/blocks.hpp"\n',
    "kernels/device/back_end.cpp": '#include "kernels/index/fm/table.cu"\n',
    "tests/example/search.cu": '#include <gsx/device.cuh>\n__global__ void k();\n',
    "tests/emulation/include/emulation/warp.hpp": "#pragma once\n",
    "tests/emulation/block.cpp": '#include <cuda.h>\n#include "emulation/warp.hpp"\ncudaError_t e;\n',
    "tests/unit/test_fm.cpp": '#include "index/fm/fm.hpp"\n#include "support/texts.hpp"\n',
    "tests/support/texts.hpp": "#pragma once\n",
}
BAD = [  # a file to add to GOOD, and the rule that it breaks
    ("order", "lib/arrays/rank/a.hpp", '#include "index/fm/fm.hpp"\n'),
    ("order", "lib/arrays/rank/a.cpp", '  #  include "index/fm/fm.hpp"\n'),
    ("order", "lib/extra/a.hpp", "int a;\n"),
    ("order", "lib/a.hpp", "int a;\n"),
    ("order", "lib/index/sa/other/a.hpp", "int a;\n"),
    ("order", "lib/arrays/rank/groups/a.hpp", "int a;\n"),
    ("order", "lib/base/c.hpp", '#include "index/sa/groups/a.hpp"\n'),
    ("order", "lib/index/sa/groups/c.hpp", '#include "index/sa/ranks/b.hpp"\n'),
    ("order", "kernels/base/a.cu", '#include "kernels/arrays/rank/blocks.hpp"\n'),
    ("order", "kernels/index/fm/a.cu", '#include "kernels/device/back_end.cpp"\n'),
    ("order", "kernels/extra/a.cu", "int a;\n"),
    ("order", "apps/gsx/process/a.cpp", '#include "options/options.hpp"\n'),
    ("order", "apps/gsx/extra/a.cpp", "int a;\n"),
    ("library", "lib/run/a.cpp", '#include "gsx/options/options.hpp"\n'),
    ("library", "lib/run/a.cpp", '#include "tests/support/texts.hpp"\n'),
    ("library", "lib/device/a.cpp", '#include "kernels/index/sort.cu"\n'),
    ("library", "apps/gsx/a.cpp", '#include "kernels/index/sort.cu"\n'),
    ("library", "apps/python/src/a.cpp", '#include "kernels/index/sort.cu"\n'),
    ("library", "apps/python/device/a.cpp", '#include "tests/support/texts.hpp"\n'),
    ("root", "lib/arrays/rank/a.cpp", '#include "view.hpp"\n'),
    ("root", "lib/arrays/rank/a.cpp", '#include "../rank/view.hpp"\n'),
    ("root", "lib/arrays/rank/a.cpp", '#include "arrays/rank/none.hpp"\n'),
    ("root", "lib/arrays/rank/a.cpp", "#include <arrays/rank/view.hpp>\n"),
    ("root", "kernels/arrays/rank/a.cu", '#include "blocks.hpp"\n'),
    ("root", "tests/unit/a.cpp", '#include "arrays/rank/blocks.hpp"\n'),
    ("cuda", "lib/arrays/rank/a.cu", "int a;\n"),
    ("cuda", "lib/arrays/rank/a.cpp", "#include <cuda_runtime.h>\n"),
    ("cuda", "apps/gsx/a.cpp", "#include <cub/cub.cuh>\n"),
    ("cuda", "apps/python/src/a.cpp", "#include <cuda_runtime_api.h>\n"),
    ("cuda", "lib/arrays/rank/a.cpp", "void* p; int e = cudaMalloc(&p, 1);\n"),
    ("cuda", "lib/arrays/rank/a.hpp", "__device__ int f();\n"),
    ("cuda", "tests/unit/a.cpp", "void g() { k<<<1, 1>>>(); }\n"),
    ("macro", "lib/arrays/rank/a.hpp", "#ifdef __CUDA_ARCH__\n#endif\n"),
    ("macro", "kernels/text/a.cu", "#if defined(__CUDACC__)\n#endif\n"),
    ("names", "lib/arrays/rank/a.hpp", "class GSX_API Hit final : public View {\n};\n"),
    ("names", "lib/arrays/rank/a.hpp", "inline constexpr std::uint32_t Hit = 0x0A0B0C0D;\n"),
    ("names", "lib/arrays/rank/z.cpp", "namespace {\nconstexpr int a = 1,\n              most = 2;\n}  // namespace\n"),
    ("path", "lib/run/a.cpp", "bool f() { return best_cpu_path() == CpuPath::avx2; }\n"),
    ("bits", "lib/arrays/rank/a.hpp", "GSX_HD int f(unsigned x) { return std::popcount(x); }\n"),
    ("bits", "kernels/text/a.cuh", "GSX_HD int f(unsigned x) { return std :: countr_zero(x); }\n"),
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
    wrong += [f"kernels/{folder} has no twin in lib/" for folder in without_twin(KERNEL_LAYERS, LAYERS)]
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
    rooms = {room for arrow in checker.arrows for room in arrow}
    print("\n".join(errors) or f"{count} files keep the layers: "
          f"{len(checker.arrows)} arrows between {len(rooms)} folders")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
