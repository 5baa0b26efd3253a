#!/usr/bin/env bash
# run_installed.sh BUILD CMAKE [ARGUMENT...]: installs the build folder BUILD into a temporary
# prefix, builds the examples against it as a project of their own, with find_package and with
# pkg-config, and runs them.
set -euo pipefail

build=$1
cmake=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$cmake" --install "$build" --prefix "$folder/prefix" > "$folder/install.log"
gsx=$folder/prefix/bin/gsx
"$gsx" --version

headers=$(find "$folder/prefix/include" -name '*.hpp' -o -name '*.cuh' | wc -l)
if ((headers > 40)); then echo "$headers headers are installed: more than 40"; exit 1; fi
if find "$folder/prefix/include" -mindepth 1 -maxdepth 1 | grep -v '/gsx$'; then
  echo "headers outside include/gsx"; exit 1
fi

"$cmake" -S "$here/project" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/prefix" "$@"
"$cmake" --build "$folder/build"
"$here/run_examples.sh" "$folder/build/static" "$gsx"
if [[ -d $folder/build/shared ]]; then "$here/run_examples.sh" "$folder/build/shared" "$gsx"; fi

export PKG_CONFIG_PATH=$folder/prefix/lib/pkgconfig
for candidate in "$folder"/prefix/lib/*/pkgconfig; do PKG_CONFIG_PATH+=:$candidate; done
if [[ -n $(find "$folder/prefix" -name 'libgsx.so') ]]; then
  mkdir "$folder/pkg-config"
  library=$(pkg-config --variable=libdir gsx)
  for example in "$here"/*.cpp; do
    # shellcheck disable=SC2046  # flags are words
    c++ -std=c++20 -Wall -Wextra -Werror "$example" $(pkg-config --cflags --libs gsx) \
      "-Wl,-rpath,$library" -o "$folder/pkg-config/$(basename "$example" .cpp)"
  done
  "$here/run_examples.sh" "$folder/pkg-config" "$gsx"
fi
