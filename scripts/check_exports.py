#!/usr/bin/env python3
"""Checks that the shared library exports each function that an installed header declares.

  scripts/check_exports.py libgsx.so INCLUDE [--clang CLANG] [--cuda FOLDER]

INCLUDE is the folder of the public headers in a build folder or a prefix. CLANG parses all of
them; a function that is declared there and neither defined there nor exported would compile in a user's
program, and then not link. With --cuda, the folder of CUDA's headers, device headers are
parsed, too. Exit code 1 if a function is not exported, 2 for wrong usage.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl",
             "CXXConversionDecl"}
TEMPLATES = {"FunctionTemplateDecl", "ClassTemplateDecl", "ClassTemplateSpecializationDecl",
             "ClassTemplatePartialSpecializationDecl"}


def syntax_trees(clang, include, headers, cuda):
    """What clang makes of each part of namespace gsx in the headers."""
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.writelines(f"#include <{header}>\n" for header in headers)
        source.flush()
        command = [clang, "-std=c++20", f"-I{include}", "-fsyntax-only", "-Xclang", "-ast-dump=json",
                   "-Xclang", "-ast-dump-filter=gsx"] + ([f"-I{cuda}"] if cuda else [])
        text = subprocess.run(command + [source.name], check=True, capture_output=True,
                              text=True).stdout
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        tree, at = decoder.raw_decode(text, at)
        yield tree
        while at < len(text) and text[at].isspace():
            at += 1


def sort_functions(node, scope, declared, defined):
    """Adds the functions below `node`: the mangled name of each, and the name that it has in C++."""
    kind = node.get("kind")
    if kind in TEMPLATES:
        return
    name = f"{scope}::{node.get('name', '')}".removeprefix("::")
    inner = node.get("inner", [])
    if kind in FUNCTIONS:
        by_compiler = node.get("isImplicit") or node.get("explicitlyDeleted") or node.get("explicitlyDefaulted")
        if "mangledName" in node and not by_compiler and not node.get("pure"):
            has_body = any(child.get("kind") in ("CompoundStmt", "CXXTryStmt") for child in inner)
            (defined if has_body else declared)[node["mangledName"]] = name
    else:
        for child in inner:
            sort_functions(child, name if node.get("name") else scope, declared, defined)


def main():
    parser = argparse.ArgumentParser(description="Public functions are exported.")
    parser.add_argument("library", type=Path)
    parser.add_argument("include", type=Path)
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--cuda", type=Path)
    options = parser.parse_args()
    headers = sorted(path.relative_to(options.include).as_posix()
                     for path in options.include.rglob("*")
                     if path.suffix == ".hpp" or (options.cuda and path.suffix == ".cuh"))
    declared, defined = {}, {}
    for tree in syntax_trees(options.clang, options.include, headers, options.cuda):
        sort_functions(tree, "", declared, defined)
    symbols = subprocess.run(["nm", "--dynamic", "--defined-only", options.library], check=True,
                             capture_output=True, text=True).stdout.splitlines()
    exported = {line.split()[-1].split("@")[0] for line in symbols}
    wanted = {symbol: name for symbol, name in declared.items() if symbol not in defined}
    if not any(name == "gsx::build_index" for name in wanted.values()):
        sys.exit("error: the headers do not declare gsx::build_index: this check sees too little")
    hidden = sorted(name for symbol, name in wanted.items() if symbol not in exported)
    for name in hidden:
        print(f"{name} is declared in an installed header, and {options.library.name} hides it")
    if not hidden:
        print(f"{len(wanted)} functions of {len(headers)} headers are exported")
    return 1 if hidden else 0


if __name__ == "__main__":
    sys.exit(main())
