#!/usr/bin/env bash
# scripts/test.sh [all|release|asan|tsan]...: installs what is needed (Debian 12, as root or with
# sudo), builds gsx and its tests with warnings as errors, and runs the tests.
#
#   release   all tests on an optimised build, with CUDA when a CUDA compiler is found; device tests
#             are skipped where there is no GPU
#   asan      the CPU tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan      the unit and property tests under ThreadSanitizer, fewer property cases
#   all       these three (the default)
#
#   GSX_CUDA=AUTO|ON|OFF         the CUDA back end of the release build
#   GSX_CUDA_ARCHITECTURES=...   GPU architectures (default 90)
#   GSX_JOBS=N                   compilations and tests at the same time
# Exit code 0 only when every test of every build has passed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

failed=()

# run_tests NAME COMMAND...: ctest's lines as they come, its verdict kept for the end.
run_tests() {
  local name=$1
  shift
  say "testing $name"
  "$@" --output-on-failure --no-tests=error -j "$(jobs)" < /dev/null || failed+=("$name")
}

test_release() {
  configure release -DGSX_TESTS=ON -DGSX_WERROR=ON -DGSX_CUDA="${GSX_CUDA:-AUTO}" \
    -DCMAKE_CUDA_ARCHITECTURES="${GSX_CUDA_ARCHITECTURES:-90}"
  compile release
  run_tests release ctest --test-dir build-release
}

test_asan() {
  configure asan -DGSX_WERROR=ON
  compile asan
  # What the checks of the source tree say does not depend on the build.
  ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    run_tests asan ctest --test-dir build-asan -LE '^scripts$'
}

test_tsan() {
  configure tsan -DGSX_WERROR=ON
  compile tsan
  # With much address randomisation the ThreadSanitizer of GCC 12 does not start; containers may
  # forbid to switch it off.
  local fixed=()
  if setarch -R true 2> /dev/null; then fixed=(setarch -R); fi
  # A case takes some twenty times as long as without, so there are fewer of them.
  GSX_CASES=${GSX_CASES:-20} TSAN_OPTIONS=halt_on_error=1 \
    run_tests tsan "${fixed[@]}" ctest --test-dir build-tsan -L '^(unit|property)$'
}

what=("$@")
if ((${#what[@]} == 0)); then what=(all); fi
runs=()
for name in "${what[@]}"; do
  case $name in
    all) runs+=(release asan tsan) ;;
    release | asan | tsan) runs+=("$name") ;;
    *) printf 'usage: %s [all|release|asan|tsan]...\n' "$0" >&2; exit 2 ;;
  esac
done

install_packages "${build_packages[@]}" "${test_packages[@]}"
for name in "${runs[@]}"; do "test_$name"; done
if ((${#failed[@]} > 0)); then die "tests failed: ${failed[*]}"; fi
say "all tests passed: ${runs[*]}"
