#!/usr/bin/env bash
# check_cuda_minimum.sh SOURCE CMAKE...: checks that a CUDA toolkit that is too old is not used with
# GSX_CUDA=AUTO, and is an error with ON. The toolkit is a dummy: no compiler runs.
set -euo pipefail
source_folder=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/CMakeLists.txt" << CMAKE
cmake_minimum_required(VERSION 3.25)
project(minimum LANGUAGES CXX)
# A toolkit of the version under test, as if found before.
macro(check_language language)
  set(CMAKE_CUDA_COMPILER made-up-nvcc)
endmacro()
macro(enable_language language)
  set(CMAKE_CUDA_COMPILER_VERSION \${version})
endmacro()
macro(find_package name)
endmacro()
list(APPEND CMAKE_MODULE_PATH $source_folder/scripts/cmake)
include(GsxCuda)
message(STATUS "with CUDA: \${GSX_WITH_CUDA}")
CMAKE

# expect CODE WORDS ARGUMENT...: configures; checks the exit code (0 or 1) and that it prints WORDS.
expect() {
  local code=0 wanted=$1 words=$2
  shift 2
  rm -rf "$folder/build"
  "${cmake[@]}" -S "$folder" -B "$folder/build" "$@" > "$folder/log" 2>&1 || code=1
  # CMake wraps the lines of its messages.
  if [[ $code != "$wanted" ]] || ! tr -s ' \n' '  ' < "$folder/log" | grep -qF "$words"; then
    echo "error: $* ended with $code, not $wanted, or does not say '$words':"
    cat "$folder/log"
    exit 1
  fi
}

cmake=("$@")
expect 0 'with CUDA: ON' -DGSX_CUDA=AUTO -Dversion=12.8.61
expect 0 'with CUDA: ON' -DGSX_CUDA=ON -Dversion=13.0.48
expect 0 'CUDA back end off (CUDA 12.6.85 is older than 12.8' -DGSX_CUDA=AUTO -Dversion=12.6.85
expect 0 'with CUDA: OFF' -DGSX_CUDA=AUTO -Dversion=12.0.140
expect 1 'GSX_CUDA=ON, but CUDA 12.6.85 is older than 12.8' -DGSX_CUDA=ON -Dversion=12.6.85
expect 0 'with CUDA: OFF' -DGSX_CUDA=OFF -Dversion=13.0.48
expect 1 'it must be AUTO, ON, OFF or EMULATED' -DGSX_CUDA=yes -Dversion=13.0.48
expect 1 'GSX_CUDA=EMULATED is for tests only' -DGSX_CUDA=EMULATED -DGSX_TESTS=OFF -Dversion=13.0.48
