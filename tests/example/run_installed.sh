#!/usr/bin/env bash
# run_installed.sh BUILD CMAKE [ARGUMENT...]: installs the build folder BUILD into a temporary
# prefix, builds the example's own project against it, and runs the program.
set -euo pipefail

build=$1
cmake=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$cmake" --install "$build" --prefix "$folder/prefix" > "$folder/install.log"
"$folder/prefix/bin/gsx" --version
"$cmake" -S "$here/project" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/prefix" "$@"
"$cmake" --build "$folder/build"
"$here/run_example.sh" "$folder/build/count_and_locate"
