#!/usr/bin/env bash
# What conda-build runs, in the folder of the source; it sets the variables that are not set here.
set -euo pipefail

cuda=(-DGSX_CUDA=OFF)
if [[ ${cuda_compiler_version:-None} != None ]]; then
  cuda=(-DGSX_CUDA=ON "-DCMAKE_CUDA_ARCHITECTURES=75-real;80-real;86-real;89-real;90")
fi
read -ra conda_arguments <<< "${CMAKE_ARGS:-}"

cmake -S . -B build -G Ninja "${conda_arguments[@]}" "${cuda[@]}" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DGSX_TESTS=OFF -DGSX_WERROR=OFF
cmake --build build --parallel "${CPU_COUNT:-2}"
cmake --install build
