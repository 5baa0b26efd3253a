#!/usr/bin/env bash
# scripts/format.sh [--fix] [FILE...]: checks, or with --fix applies, the rules of .clang-format
# (clang-format 14) in all C++ and CUDA files, or in the files named.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mode=(--dry-run --Werror)
if [[ ${1:-} == --fix ]]; then
  mode=(-i)
  shift
fi
files=("$@")
if ((${#files[@]} == 0)); then
  mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.cu' '*.cuh')
fi
install_packages clang-format-14
clang-format-14 "${mode[@]}" --style=file "${files[@]}"
say "${#files[@]} files are formatted"
