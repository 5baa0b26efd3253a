#!/usr/bin/env bash
# scripts/test.sh [TIER | STEP]...: installs what is needed (Debian 12, as root or with sudo), and
# builds and tests gsx with warnings as errors. A tier is a list of steps:
#
#   quick      units                                           minutes; for every change
#   default    format tidy-changed release, and asan-library, asan-program or tsan, which the seed chooses: an hour on
#              two cores; also with no argument
#   nightly    format tidy release headers asan-full emulated tsan-full fuzz long-text gpu packages
#              wheel workflows                                 hours
#
#   format     clang-format on the C++ and CUDA files, shellcheck on the shell scripts
#   tidy       clang-tidy on lib/ and apps/
#   tidy-changed  the same, without the analyzer, on the sources that changed last
#   units      the unit, property and cli tests and the checks of the tree, without CUDA
#   release    all tests, with CUDA if there is a CUDA compiler
#   headers    every header of lib/ compiles alone; the tests of release try one in eight
#   asan-library  the unit and property tests and short runs of the fuzz targets, under AddressSanitizer and
#              UndefinedBehaviorSanitizer
#   asan-program  the same of the tests that start processes, which take ten times as long: only one in five runs,
#              with one in seven points of its sweeps; the seed chooses which
#   emulated   the tests of the GPU on an emulated one, with a hundredth of their work, under the same
#              sanitizers; threads and blocks run in an order that the seed chooses
#   tsan       one in three of the unit and property tests under ThreadSanitizer, with fewer property cases; the
#              seed chooses which
#   asan-full  as both, with every test and every point of the sweeps, and the tests themselves under
#              UndefinedBehaviorSanitizer
#   tsan-full  as tsan, with all tests and property cases
#   fuzz       scripts/fuzz.sh, GSX_FUZZ_SECONDS (default 600) for each target
#   long-text  a text of 4.4 Gbp, beyond 2^32: built, verified in full and searched; 45 GB of memory
#              and 10 GB of disk in TMPDIR, or nothing is run
#   gpu        scripts/sanitize_gpu.sh; nothing if there is no GPU
#   packages   scripts/packaging/test_packages.sh: Debian packages, tarball and container, made and tested in
#              clean roots, which only root can make
#   wheel      the Python package by way of a source distribution and a wheel; packages of PyPI
#   workflows  scripts/workflows/test_workflows.sh: Snakemake, Slurm and MultiQC; packages of PyPI
#
#   GSX_CUDA=AUTO|ON|OFF         the CUDA back end of the release build
#   GSX_CUDA_ARCHITECTURES=...   GPU architectures (default 90)
#   GSX_JOBS=N                   compilations and tests at the same time
#   GSX_SEED=N                   repeats a run that printed this seed
#   GSX_REQUIRE_GPU=1            no GPU is a failure
# Exit code 0 only if every step has passed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# A forgotten #include may pass where sources are joined; tidy, packages and wheel build without.
build_options=(-DGSX_TESTS=ON -DGSX_WERROR=ON -DGSX_JOINED=ON)
# The step release has seen the warnings of the same sources, and GCC warns falsely of what sanitizers add.
sanitized_options=("${build_options[@]}" -DGSX_WERROR=OFF)

failed=()    # names of steps
failures=()  # what they printed
stages=()

# timed NAME COMMAND...: runs the command and records its wall time and the CPU time of its
# processes.
timed() {
  local name=$1 code=0 wall=$EPOCHREALTIME cpu
  shift
  cpu=$(cpu_seconds)
  "$@" || code=$?
  stages+=("$(awk -v name="$name" -v from="$wall" -v to="$EPOCHREALTIME" -v before="$cpu" \
    -v after="$(cpu_seconds)" \
    'BEGIN { printf "%-18s %7.0f s wall %7.0f s CPU", name, to - from, after - before }')")
  return "$code"
}

# CPU time of all processes that this script has waited for.
cpu_seconds() {
  local field
  # utime and stime of the children follow the name, which may contain blanks.
  read -r -a field <<< "$(sed 's/.*) //' "/proc/$$/stat")"
  awk -v ticks="$((field[13] + field[14]))" -v hertz="$(getconf CLK_TCK)" 'BEGIN { print ticks / hertz }'
}

# run_tests NAME COMMAND...: prints the lines of ctest as they come; keeps its
# verdict, and what the tests that failed printed, for the end.
run_tests() {
  local name=$1 log
  shift
  log=$(mktemp)
  say "testing $name"
  # One more than there are cores: many tests wait, for a clock or for a process.
  if ! timed "$name: tests" "$@" --output-on-failure --output-log "$log" --no-tests=error \
    -j "$(($(jobs) + 1))" < /dev/null; then
    failed+=("$name")
    failures+=("$(sed -nE '/\*\*\*(Failed|Timeout|Exception)/,/^ *Start /p' "$log" | awk 'NR <= 100')")
  fi
  rm -f "$log"
}

# check NAME COMMAND...: runs a check of the sources; keeps its verdict and what it printed for the
# end.
check() {
  local name=$1 log
  shift
  log=$(mktemp)
  if ! timed "$name" "$@" > "$log" 2>&1; then
    failed+=("$name")
    failures+=("$(head -n 100 "$log")")
  fi
  cat "$log"
  rm -f "$log"
}

step_format() {
  check format scripts/format.sh
  install_packages shellcheck
  check shellcheck shellcheck -x -P SCRIPTDIR scripts/*.sh scripts/*/*.sh scripts/packaging/*/*.sh \
    scripts/packaging/debian/tests/{readme,completion,library} scripts/workflows/slurm/*.sbatch tests/*/*.sh .ci/run
}

step_tidy() { check tidy scripts/tidy.sh; }

step_tidy_changed() { check tidy-changed scripts/tidy.sh --changed; }

step_units() {
  configure cpu-only -DGSX_TESTS=ON -DGSX_WERROR=ON
  timed "units: build" compile cpu-only gsx-program gsx-pages gsx-shared gsx-test-unit gsx-test-property \
    gsx-test-cli gsx-sample-cases
  run_tests units ctest --test-dir build-cpu-only -L '^(unit|property|cli|scripts)$' -E '^scripts.headers$'
}

has_gpu() { [[ $(nvidia-smi -L 2> /dev/null || true) == *GPU* ]]; }

# How device code is compiled: where none will run, optimising it takes half the time of compiling CUDA.
device_code() {
  local flags=
  if ! has_gpu && [[ $(nvcc --help 2> /dev/null || true) == *--Ofast-compile* ]]; then flags=--Ofast-compile=max; fi
  printf '%s' "-DCMAKE_CUDA_FLAGS=$flags"
}

release_options=("${build_options[@]}" -DGSX_CUDA="${GSX_CUDA:-AUTO}"
  -DCMAKE_CUDA_ARCHITECTURES="${GSX_CUDA_ARCHITECTURES:-90}")

step_release() {
  configure release "${release_options[@]}" "$(device_code)"
  timed "release: build" compile release
  run_tests release ctest --test-dir build-release
}

step_headers() {
  configure release "${release_options[@]}"
  local nvcc=()
  if command -v nvcc > /dev/null; then nvcc=(--nvcc nvcc); fi
  check headers scripts/check_headers.py build-release "${nvcc[@]}"
}

# step_asan NAME [library | program]: one half of the tests, or, in full, both. The checks of the source tree do not
# depend on the build, and the example is not a test of memory.
step_asan() {
  local half=${2:-} some=()
  configure asan "${sanitized_options[@]}" -DGSX_SANITIZE_TESTS="${GSX_FULL_SWEEPS:-0}"
  export ASAN_OPTIONS=detect_stack_use_after_return=1
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  if [[ $half != program ]]; then
    timed "$1: build" compile asan gsx-tests-of-library
    run_tests "$1" ctest --test-dir build-asan -L '^(unit|property|fuzz)$'
  fi
  if [[ -z $half ]]; then
    timed "$1: build" compile asan gsx-tests-of-program
    run_tests "$1" ctest --test-dir build-asan -L '^(cli|robustness|faults)$'
  elif [[ $half == program ]]; then
    some=(-I "$((1 + GSX_SEED % 5)),,5")
    timed "$1: build" compile asan gsx-program gsx-test-robustness
    run_tests "$1, robustness" ctest --test-dir build-asan -L '^robustness$' "${some[@]}"
    # The other tests only start gsx: those of the release build start this one.
    configure release "${release_options[@]}" "$(device_code)"
    timed "$1: tests of release" compile release gsx-test-cli gsx-test-faults
    GSX_TEST_PROGRAM=$PWD/build-asan/gsx GSX_TEST_SANITIZED=1 \
      run_tests "$1" ctest --test-dir build-release -L '^(cli|faults)$' "${some[@]}"
  fi
}

step_emulated() {
  install_packages libboost-context-dev
  configure emulated "${sanitized_options[@]}"
  timed "emulated: build" compile emulated gsx-test-device
  ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    GSX_TEST_SHARE=${GSX_TEST_SHARE:-100} GSX_EMULATED_GPUS=2 GSX_EMULATION_SEED=$GSX_SEED GSX_REQUIRE_GPU=1 \
    run_tests emulated ctest --test-dir build-emulated -L '^device$'
}

step_tsan() {
  configure tsan "${sanitized_options[@]}"
  timed "tsan: build" compile tsan gsx-test-unit gsx-test-property
  # With much address randomisation, the ThreadSanitizer of GCC 12 does not start. Containers may
  # forbid switching it off.
  local fixed=() some=(-I "$((1 + GSX_SEED / 3 % 3)),,3")
  if [[ ${GSX_FULL_SWEEPS:-0} != 0 ]]; then some=(); fi
  if setarch -R true 2> /dev/null; then fixed=(setarch -R); fi
  TSAN_OPTIONS=halt_on_error=1 \
    run_tests "$1" "${fixed[@]}" ctest --test-dir build-tsan -L '^(unit|property)$' "${some[@]}"
}

step_fuzz() { timed "fuzz" scripts/fuzz.sh "${GSX_FUZZ_SECONDS:-600}" || failed+=(fuzz); }

step_long_text() {
  local memory
  memory=$(awk '/MemAvailable/ {print int($2 / 1000000)}' /proc/meminfo)
  if ((memory < 45)); then
    say "$memory GB of memory are free, and a text beyond 2^32 takes 45: it is not built"
    if [[ -n ${GSX_REQUIRE_MEMORY:-} ]]; then failed+=(long-text); fi
    return
  fi
  configure release -DGSX_TESTS=ON
  compile release gsx-test-robustness gsx-program
  GSX_TEST_SYMBOLS=${GSX_TEST_SYMBOLS:-4400000000} timed "long-text" \
    build-release/tests/gsx-test-robustness --test-case='a long text*' || failed+=(long-text)
}

step_gpu() {
  if ! has_gpu; then
    say "no GPU: compute-sanitizer is not run"
    if [[ -n ${GSX_REQUIRE_GPU:-} ]]; then failed+=(gpu); fi
    return
  fi
  timed "gpu" scripts/sanitize_gpu.sh || failed+=(gpu)
}

step_packages() {
  if ((EUID != 0)); then
    say "packages need root: they are not made"
    if [[ -n ${GSX_REQUIRE_ROOT:-} ]]; then failed+=(packages); fi
    return
  fi
  timed "packaging" scripts/packaging/test_packages.sh || failed+=(packages)
}

step_wheel() {
  configure release -DGSX_TESTS=ON
  timed "wheel: build" compile release gsx-program
  GSX_REQUIRE_PYPI=1 timed "wheel" scripts/check_python.py build-release --wheel || failed+=(wheel)
}

step_workflows() {
  configure release -DGSX_TESTS=ON
  compile release gsx-program
  timed "workflows" scripts/workflows/test_workflows.sh build-release/gsx || failed+=(workflows)
}

run_step() {
  case $1 in
    format | tidy | units | release | headers | emulated | fuzz | gpu | packages | wheel | workflows) "step_$1" ;;
    tidy-changed) step_tidy_changed ;;
    long-text) step_long_text ;;
    asan-library) step_asan asan-library library ;;
    asan-program) step_asan asan-program program ;;
    tsan) step_tsan tsan ;;
    asan-full) GSX_FULL_SWEEPS=1 step_asan asan-full ;;
    tsan-full) GSX_FULL_SWEEPS=1 step_tsan tsan-full ;;
  esac
}

# One seed for everything random; each test prints it if it fails.
export GSX_SEED=${GSX_SEED:-$((RANDOM << 15 | RANDOM))}
say "seed $GSX_SEED: GSX_SEED=$GSX_SEED repeats this run"

tiers=("$@")
if ((${#tiers[@]} == 0)); then tiers=(default); fi
steps=()
for name in "${tiers[@]}"; do
  case $name in
    quick) steps+=(units) ;;
    default | all)
      steps+=(format tidy-changed release)
      sanitized=(asan-library asan-program tsan)
      steps+=("${sanitized[GSX_SEED % 3]}")
      ;;
    nightly) steps+=(format tidy release headers asan-full emulated tsan-full fuzz long-text gpu packages wheel workflows) ;;
    format | tidy | tidy-changed | units | release | headers | asan-library | asan-program | emulated | tsan | \
      asan-full | tsan-full | fuzz | long-text | gpu | packages | wheel | workflows) steps+=("$name") ;;
    *) printf "error: unknown tier or step '%s'; the head of %s lists them\n" "$name" "$0" >&2; exit 2 ;;
  esac
done

timed "packages" install_packages "${build_packages[@]}" "${test_packages[@]}"
for name in "${steps[@]}"; do run_step "$name"; done
if ((${#failures[@]} > 0)); then
  say "what failed"
  printf '%s\n' "${failures[@]}" >&2
fi
printf '   %s\n' "${stages[@]}" >&2
say "$((SECONDS / 60)) minutes $((SECONDS % 60)) seconds in all"
if ((${#failed[@]} > 0)); then die "failed: ${failed[*]} (seed $GSX_SEED)"; fi
say "all steps passed: ${steps[*]}"
