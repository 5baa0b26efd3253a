#!/usr/bin/env bash
# scripts/fuzz.sh [SECONDS] [TARGET]...: fuzzes each target (bwt, index, merge, parts, phrases, queries,
# sequences, summary; default all) for SECONDS (default 600) under AddressSanitizer and
# UndefinedBehaviorSanitizer, from its seeds and the inputs that failed once
# (tests/fuzz/regressions). With clang++, libFuzzer does it, guided by coverage, and
# build-fuzz/corpus keeps what it finds from run to run. Otherwise tests/fuzz/driver.cpp does it. The
# random seed is new in each run, and printed. Exit code 0 only if nothing was found; findings are in
# build-fuzz/.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seconds=600
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
  seconds=$1
  shift
fi
targets=("$@")
if ((${#targets[@]} == 0)); then targets=(bwt index merge parts phrases queries sequences summary); fi

install_packages "${build_packages[@]}" "${test_packages[@]}"
sanitize=address,undefined
compiler=()
if command -v clang++ > /dev/null; then
  sanitize=fuzzer-no-link,$sanitize
  compiler=(-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)
fi
cmake -B build-fuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGSX_CUDA=OFF -DGSX_TESTS=ON -DGSX_WERROR=OFF \
  -DGSX_SANITIZE="$sanitize" "${compiler[@]}" > /dev/null
cmake --build build-fuzz -j "$(jobs)" --target "${targets[@]/#/gsx-fuzz-}" > /dev/null

export ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
cd build-fuzz
failed=()
for target in "${targets[@]}"; do
  say "fuzzing $target for $seconds s"
  program=tests/gsx-fuzz-$target
  if ((${#compiler[@]} > 0)); then
    mkdir -p "corpus/$target"
    GSX_FUZZ_SEEDS="corpus/$target" "$program"
    "$program" -max_total_time="$seconds" -max_len=16384 -timeout=60 -rss_limit_mb=4096 \
      -print_final_stats=1 -artifact_prefix="failure-$target-" "corpus/$target" \
      "../tests/fuzz/regressions/$target" > "$target.log" 2>&1 || failed+=("$target")
    grep -E '^(INFO: Seed|stat::|==|ERROR|SUMMARY|fuzz|artifact)' "$target.log" || true
  else
    end=$((SECONDS + seconds))
    while ((SECONDS < end)); do
      "$program" -runs=20000 -seed="$RANDOM$RANDOM" "../tests/fuzz/regressions/$target" ||
        { failed+=("$target"); break; }
    done
  fi
done
if ((${#failed[@]} > 0)); then die "found something: ${failed[*]}"; fi
