#!/usr/bin/env bash
# scripts/sanitize_gpu.sh [TOOL]...: runs the device tests under compute-sanitizer (default:
# memcheck and racecheck) on build-release, which is built if it is missing. Needs a GPU. Everything
# takes about a hundred times as long, so the longest tests use only a part of their texts
# (GSX_TEST_SHARE, default 100).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tools=("$@")
if ((${#tools[@]} == 0)); then tools=(memcheck racecheck); fi
for folder in "${CUDA_HOME:-/usr/local/cuda}/bin" /usr/local/cuda/bin; do PATH=$PATH:$folder; done
command -v compute-sanitizer > /dev/null || die "there is no compute-sanitizer; it comes with the CUDA toolkit"
nvidia-smi -L 2> /dev/null | grep -q GPU || die "there is no GPU"

install_packages "${build_packages[@]}" "${test_packages[@]}"
configure release -DGSX_TESTS=ON -DGSX_CUDA=ON \
  -DCMAKE_CUDA_ARCHITECTURES="${GSX_CUDA_ARCHITECTURES:-native}"
compile release gsx-test-device
export GSX_TEST_SHARE=${GSX_TEST_SHARE:-100} GSX_REQUIRE_GPU=1
failed=()
for tool in "${tools[@]}"; do
  say "compute-sanitizer --tool $tool"
  options=(--error-exitcode 9 --report-api-errors no)
  # The kernels of CUB synchronise in ways that racecheck does not know.
  if [[ $tool == racecheck ]]; then options+=(--kernel-name-exclude kernel_substring=cub); fi
  # With several streams at work, initcheck takes memory that one of them has written and another
  # frees for memory that nobody has written.
  blocking=0
  if [[ $tool == initcheck ]]; then blocking=1; fi
  # Tests that make kernels fault, or allocations fail, would report just that.
  CUDA_LAUNCH_BLOCKING=$blocking compute-sanitizer --tool "$tool" "${options[@]}" build-release/tests/gsx-test-device \
    --source-file-exclude='*test_faults.cpp,*test_memory_ladder.cpp' \
    --test-case-exclude='without room*' || failed+=("$tool")
done
if ((${#failed[@]} > 0)); then die "found something: ${failed[*]}"; fi
say "nothing found by ${tools[*]}"
