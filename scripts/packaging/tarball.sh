#!/usr/bin/env bash
# scripts/packaging/tarball.sh FOLDER: makes gsx-VERSION-linux-x86_64.tar.gz of the last commit in FOLDER, as root.
# Unpacked anywhere, its program runs on x86-64 distributions with glibc 2.30 or later: all other libraries are inside
# of it. It is compiled by Debian 12's GCC against the C library of Debian 11, and then tried in a bare root of that.
# It has no CUDA back end.
#
#   GSX_MIRROR=URL   the mirror of Debian (default: http://deb.debian.org/debian)
#   GSX_ROOTS=DIR    keeps roots there, for the next run
#   GSX_CCACHE=DIR   keeps compilations there
#   GSX_JOBS=N       compilations at the same time
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

(($# == 1)) || die "one argument, the folder, is expected; see the head of $0"
oldest_glibc=2.30
version=$(project_version)
out=$(absolute "$1")
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_root "$work/root" bookworm g++ cmake ninja-build pkg-config dpkg-dev autoconf automake libtool nasm \
  ${GSX_CCACHE:+ccache}
make_root "$work/sysroot" bullseye libc6-dev
make_root "$work/bare" bullseye
mkdir "$work/source"
git archive HEAD | tar -C "$work/source" -x

say "building the tarball of gsx $version"
in_root "$work/root" "$work/source:/source" "$work/sysroot:/sysroot" "$out:/out" "${cache[@]}" -- \
  env "${cache_variables[@]}" "/source/$packaging/tarball/build.sh" "$version" "$(jobs)"

name=gsx-$version-linux-x86_64
rm -rf "${out:?}/$name"
mv "$out/gsx-$version" "$out/$name"
tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(commit_time)" -c "$name" |
  gzip -9n > "$out/$name.tar.gz"
rm -r "${out:?}/$name"
"$packaging/tarball/check.sh" "$out/$name.tar.gz" "$work/bare" "$oldest_glibc"
