#!/usr/bin/env bash
# build.sh VERSION JOBS: runs in the root that tarball.sh makes. Builds gsx from /source, for the C library in
# /sysroot, with all other libraries inside of it, and puts what the tarball holds into /out/gsx-VERSION.
set -euo pipefail

version=$1 jobs=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
libraries=/sysroot/usr/lib/x86_64-linux-gnu
headers=(libspdlog-dev libfmt-dev libcli11-dev rapidjson-dev)
archives=(zlib1g-dev libdeflate-dev libbz2-dev liblzma-dev libhtscodecs-dev libxxhash-dev libzstd-dev)

# fetch_archives: headers and static libraries of Debian 12, for the sysroot.
fetch_archives() {
  mkdir -p /packages /sources
  cd /packages
  sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > /etc/apt/sources.list.d/sources.list
  apt-get -qq update
  apt-get -qq -o APT::Sandbox::User=root download "${headers[@]}" "${archives[@]}"
  for package in *.deb; do dpkg -x "$package" unpacked; done
  find unpacked -name '*.so' -delete  # links to shared libraries
  cp -a unpacked/. /sysroot/
  # Links must not lead out of the sysroot.
  find /sysroot/lib64 /sysroot/lib/x86_64-linux-gnu "$libraries" -maxdepth 1 -type l -lname '/lib/*' -printf '%p %l\n' |
    while read -r link target; do ln -sfr "/sysroot$target" "$link"; done
  rm -rf "$libraries/cmake/spdlog" "$libraries/cmake/fmt"
  mkdir -p "$libraries/cmake/spdlog"
  cp "$here/spdlog-config.cmake" "$libraries/cmake/spdlog/"
}

compiler="gcc --sysroot=/sysroot"
export CFLAGS="-O2 -fPIC" LDFLAGS="-B$libraries -L$libraries -L/sysroot/lib/x86_64-linux-gnu"

# build_htslib: without network, which gsx never uses, and which Debian's archive needs many libraries for.
build_htslib() {
  cd /sources
  apt-get -qq -o APT::Sandbox::User=root source htslib > /dev/null
  cd htslib-*/
  autoreconf -i > /dev/null
  ./configure --quiet --prefix=/usr --libdir="${libraries#/sysroot}" --host=x86_64-linux-gnu --disable-libcurl \
    --disable-gcs --disable-s3 --disable-plugins --with-external-htscodecs CC="$compiler" \
    LIBS=-lpthread
  # The archive of Debian says so in its own pkg-config file.
  make -s -j "$jobs" PACKAGE_VERSION="$(dpkg-parsechangelog -S Version | sed 's/[+-].*//')" lib-static htslib.pc.tmp
  make -s -j "$jobs" install-pkgconfig DESTDIR=/sysroot \
    PACKAGE_VERSION="$(dpkg-parsechangelog -S Version | sed 's/[+-].*//')"
  cp libhts.a "$libraries/"
  cp -r htslib /sysroot/usr/include/
}

build_isal() {
  cd /sources
  apt-get -qq -o APT::Sandbox::User=root source libisal > /dev/null
  cd libisal-*/
  ./autogen.sh > /dev/null
  ./configure --quiet --prefix=/usr --libdir="${libraries#/sysroot}" --host=x86_64-linux-gnu --disable-shared \
    CC="$compiler"
  make -s -j "$jobs" install DESTDIR=/sysroot > /dev/null
}

build_gsx() {
  $compiler -O2 -fPIE -c "$here/old_glibc.c" -o /sysroot/usr/lib/old_glibc.o
  export PKG_CONFIG_SYSROOT_DIR=/sysroot PKG_CONFIG_LIBDIR=$libraries/pkgconfig:/sysroot/usr/share/pkgconfig
  unset CFLAGS LDFLAGS
  cmake -G Ninja -S /source -B /build --toolchain "$here/toolchain.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DGSX_CUDA=OFF -DGSX_TESTS=OFF -DGSX_WERROR=OFF -DGSX_SHARED=OFF \
    -DCMAKE_CXX_STANDARD_LIBRARIES="$(pkg-config --static --libs-only-l htslib) -ldl"
  cmake --build /build -j "$jobs"
}

# licences: of each library that is in the program, and of the compiler's.
licences() {
  local package
  mkdir -p "$1"
  for package in "${headers[@]}" "${archives[@]}"; do
    cp "/sysroot/usr/share/doc/$package/copyright" "$1/$package"
  done
  cp /sources/htslib-*/debian/copyright "$1/htslib"
  cp /sources/libisal-*/debian/copyright "$1/isa-l"
  cp /usr/share/doc/libstdc++-12-dev/copyright "$1/libstdc++"
}

fetch_archives
build_htslib
build_isal
build_gsx
folder=/out/gsx-$version
rm -rf "$folder"
cmake --install /build --prefix "$folder" --strip
rm -r "${folder:?}/include" "${folder:?}/lib"  # the static library would need all others
licences "$folder/share/doc/gsx/licences"
