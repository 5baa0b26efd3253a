#!/usr/bin/env bash
# scripts/tidy.sh [BUILD [FILE...]]: runs clang-tidy 14 with .clang-tidy on the sources of lib/ and
# apps/gsx, or on the files named; apps/python needs headers that only pip has. BUILD is a build
# folder without CUDA (default build-cpu-only, which is configured if it is missing).
#
# scripts/tidy.sh --changed takes a minute: it runs all checks but those of the static analyzer on
# the 8 sources that changed last, committed or not.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

most_changed=8

# changed_sources: the sources that changed last; for a header, the source of that name.
changed_sources() {
  local name
  {
    git diff --name-only HEAD
    git ls-files --others --exclude-standard
    git log --format= --name-only --max-count=100
  } 2> /dev/null | sed -nE 's,^((lib|apps/gsx)/.*)\.[ch]pp$,\1.cpp,p' | awk '!seen[$0]++' |
    while read -r name; do
      if [[ -f $name ]]; then echo "$name"; fi
    done | head -n "$most_changed"
}

only=()
if [[ ${1:-} == --changed ]]; then
  shift
  mapfile -t files < <(changed_sources)
  only=(--checks=-clang-analyzer-*)
  set -- build-cpu-only "${files[@]}"
  if ((${#files[@]} == 0)); then say "no source has changed"; exit; fi
fi
build=${1:-build-cpu-only}
shift || true
files=("$@")
if ((${#files[@]} == 0)); then
  mapfile -t files < <(git ls-files --cached --others --exclude-standard 'lib/*.cpp' 'apps/gsx/*.cpp')
fi
install_packages clang-tidy-14 "${build_packages[@]}" "${test_packages[@]}"
if [[ ! -f $build/compile_commands.json ]]; then
  [[ $build == build-cpu-only ]] || die "$build is not a configured build folder"
  configure cpu-only
fi
# Clang warns of more than GCC does, and that is no error here.
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(jobs)" clang-tidy-14 -p "$build" --quiet "${only[@]}" \
    --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-error 2>&1 |
  { grep -v ' warnings generated\.$' || true; }
say "${#files[@]} files are tidy"
