#!/usr/bin/env python3
"""Translates a source of kernels/ into C++ that runs on the emulation of this folder.

  translate.py SOURCE TARGET

Lines stay where they are, and #line names the source in errors.

  __global__ void k(P p) { body }      void k(P p) { emulation::start([=]() mutable { body }); }
  k<T><<<grid, block>>>(a);            emulation::configure("k", grid, block), k<T>(a);
  __shared__ T name[n];                auto& name = emulation::shared<T[n], ...>();
  extern __shared__ T name[];          T* const name = emulation::dynamic_shared<T>();
"""

import re
import sys
from pathlib import Path

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
                   re.DOTALL)
SHARED = re.compile(r"(extern\s+)?__shared__\s+([^;]*?)\b(\w+)\s*((?:\[[^;]*\])?)\s*;")
NAMED = re.compile(r"[A-Za-z_][\w:]*$")


class Broken(Exception):
    pass


def blanked(text):
    """The text with comments and strings blanked: every place stays the same."""
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def closing(text, begin):
    """Where the bracket at `begin` is closed."""
    pairs, open_ones = {"(": ")", "{": "}", "[": "]"}, []
    for at in range(begin, len(text)):
        if text[at] in pairs:
            open_ones.append(pairs[text[at]])
        elif open_ones and text[at] == open_ones[-1]:
            open_ones.pop()
            if not open_ones:
                return at
    raise Broken(f"line {text.count(chr(10), 0, begin) + 1}: a bracket is not closed")


def open_angle(text, end):
    """Where the template arguments begin that the > at `end` closes."""
    depth = 0
    for at in range(end, -1, -1):
        if text[at] == ">":
            depth += 1
        elif text[at] == "<":
            depth -= 1
            if depth == 0:
                return at
        elif text[at] in ";{}":
            break
    raise Broken(f"line {text.count(chr(10), 0, end) + 1}: no < for this >")


def kernels(text):
    """Edits that make the bodies of kernels closures."""
    edits = []
    for match in re.finditer(r"\b__global__\b", text):
        at = match.end()
        while text[at] not in "{;":
            at = closing(text, at) + 1 if text[at] in "([" else at + 1
        if text[at] == "{":
            edits.append((at + 1, at + 1, " ::gsx::emulation::start([=]() mutable {"))
            end = closing(text, at)
            edits.append((end, end, "});"))
    return edits


def launches(text):
    edits = []
    for match in re.finditer("<<<", text):
        begin, end = match.start(), text.index(">>>", match.end())
        last = begin - 1
        while text[last].isspace():
            last -= 1
        named = open_angle(text, last) if text[last] == ">" else last + 1
        name = NAMED.search(text[:named].rstrip())
        if name is None:
            raise Broken(f"line {text.count(chr(10), 0, begin) + 1}: no kernel before <<<")
        config = text[match.end():end]
        edits.append((name.start(), name.start(),
                      f'::gsx::emulation::configure("{name.group()}", {config}), '))
        edits.append((begin, end + 3, ""))
    return edits


def shared(text):
    edits = []
    for match in SHARED.finditer(text):
        dynamic, kind, name, dims = match.groups()
        kind = kind.strip()
        if dynamic:
            new = f"{kind}* const {name} = ::gsx::emulation::dynamic_shared<{kind}>();"
        else:
            new = f"auto& {name} = ::gsx::emulation::shared<{kind}{dims}, decltype([] {{}})>();"
        edits.append((match.start(), match.end(), new))
    return edits


def translate(text):
    words = blanked(text)
    for begin, end, new in sorted(kernels(words) + launches(words) + shared(words), reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    try:
        text = translate(source.read_text(encoding="utf-8"))
    except Broken as error:
        sys.exit(f"{source}: {error}")
    head = "" if source.suffix == ".cuh" else "#include <cuda_runtime.h>\n"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f'{head}#line 1 "{source}"\n{text}', encoding="utf-8")


if __name__ == "__main__":
    main()
