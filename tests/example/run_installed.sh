#!/usr/bin/env bash
# run_installed.sh BUILD CMAKE [ARGUMENT...]: installs the build folder BUILD into a temporary
# prefix, builds the examples against it as a project of their own, with find_package and with
# pkg-config, each with the static and the shared library, and runs them.
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
if ((headers > 20)); then echo "$headers headers are installed: more than 20"; exit 1; fi
if find "$folder/prefix/include" -mindepth 1 -maxdepth 1 | grep -v '/gsx$'; then
  echo "headers outside include/gsx"; exit 1
fi

"$cmake" -S "$here/project" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/prefix" "$@"
"$cmake" --build "$folder/build"
"$here/run_examples.sh" "$folder/build/static" "$gsx"
if [[ -d $folder/build/shared ]]; then "$here/run_examples.sh" "$folder/build/shared" "$gsx"; fi

export PKG_CONFIG_PATH=$folder/prefix/lib/pkgconfig
for candidate in "$folder"/prefix/lib/*/pkgconfig; do PKG_CONFIG_PATH+=:$candidate; done
shared=$(find "$folder/prefix" -name libgsx.so)
library=$(pkg-config --variable=libdir gsx)
read -ra flags < <(pkg-config --cflags gsx)
read -ra static < <(pkg-config --static --libs gsx | sed 's/-lgsx /-l:libgsx.a /')
mkdir "$folder/pkg-static" "$folder/pkg-shared"
for example in "$here"/*.cpp; do
  name=$(basename "$example" .cpp)
  c++ -std=c++20 -Wall -Wextra -Werror -c "$example" "${flags[@]}" -o "$folder/$name.o"
  # The C compiler links: what the library needs of C++ must be among its flags.
  cc "$folder/$name.o" "${static[@]}" -o "$folder/pkg-static/$name"
  if [[ -n $shared ]]; then  # no library that gsx is made of need be known
    read -ra libraries < <(PKG_CONFIG_LIBDIR=/nowhere pkg-config --libs gsx)
    c++ "$folder/$name.o" "${libraries[@]}" "-Wl,-rpath,$library" -o "$folder/pkg-shared/$name"
  fi
done
"$here/run_examples.sh" "$folder/pkg-static" "$gsx"
if [[ -n $shared ]]; then "$here/run_examples.sh" "$folder/pkg-shared" "$gsx"; fi

# configure NAME COMPONENTS [ARGUMENT...]: a C++ project that asks for these components.
configure() {
  "$cmake" -S "$here/components" -B "$folder/$1" -DCMAKE_PREFIX_PATH="$folder/prefix" \
    "-DCOMPONENTS=$2" "${@:3}" > "$folder/$1.log" 2>&1
}
without=(-DCMAKE_DISABLE_FIND_PACKAGE_spdlog=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON
  -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
configure parts "" "$@" || { cat "$folder/parts.log"; exit 1; }
"$cmake" --build "$folder/parts"
for program in static ${shared:+shared}; do
  "$folder/parts/$program" banana | diff <(head -n 7 "$here/examples.out") -
done
if configure static_only static "${without[@]}" "$@"; then
  echo "the static library was found without what it needs"; exit 1
fi
tr -s '\n ' ' ' < "$folder/static_only.log" | grep -q "static library needs what is not found:.* htslib" ||
  { cat "$folder/static_only.log"; exit 1; }
if configure unknown "shared;fast" "$@"; then echo "an unknown component was found"; exit 1; fi
grep -q "no such component" "$folder/unknown.log"
if [[ -n $shared ]]; then
  for components in "" shared; do
    configure "only_$components" "$components" "${without[@]}" "$@" ||
      { cat "$folder/only_$components.log"; exit 1; }
    [[ $(grep component: "$folder/only_$components.log") == "-- component: shared" ]]
  done
fi
