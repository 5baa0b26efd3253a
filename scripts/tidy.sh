#!/usr/bin/env bash
# scripts/tidy.sh [BUILD [FILE...]]: runs clang-tidy 14 with .clang-tidy on the sources of lib/ and
# apps/, or on the files named. BUILD is a build folder without CUDA (default build-cpu-only, which
# is configured if it is missing).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build=${1:-build-cpu-only}
shift || true
files=("$@")
if ((${#files[@]} == 0)); then
  mapfile -t files < <(git ls-files --cached --others --exclude-standard 'lib/*.cpp' 'apps/*.cpp')
fi
install_packages clang-tidy-14 "${build_packages[@]}" "${test_packages[@]}"
if [[ ! -f $build/compile_commands.json ]]; then
  [[ $build == build-cpu-only ]] || die "$build is not a configured build folder"
  configure cpu-only
fi
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(jobs)" clang-tidy-14 -p "$build" --quiet \
    --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option 2>&1 |
  { grep -v ' warnings generated\.$' || true; }
say "${#files[@]} files are tidy"
