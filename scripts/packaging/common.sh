#!/usr/bin/env bash
# Shared by the scripts beside it; sourced, not run.
# shellcheck disable=SC2034  # those scripts use the variables
caller=$PWD
# From the root: for a script one folder down, shellcheck would take ../common.sh for this file, again and again.
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# The repository is the current folder from here on.

packaging=scripts/packaging
GSX_MIRROR=${GSX_MIRROR:-http://deb.debian.org/debian}

# The path from the folder that the script was called in, as an absolute one.
absolute() { (cd "$caller" && realpath -m "$1"); }

project_version() { sed -nE 's/^project\(gsx VERSION ([0-9.]+).*/\1/p' CMakeLists.txt; }

# Before the first version that Debian itself might have.
debian_version() { echo "$(project_version)-0gsx1"; }

# The seconds of the last commit, so that every build of it has the same times.
commit_time() { git log -1 --format=%ct; }

# make_root FOLDER SUITE [PACKAGE]...: a Debian root with nothing but these packages and apt. With GSX_ROOTS=DIR,
# it is kept there as an archive, and the next run unpacks that.
make_root() {
  local folder=$1 suite=$2 log archive include=()
  shift 2
  if (($# > 0)); then include=("--include=$(IFS=,; echo "$*")"); fi
  archive=${GSX_ROOTS:-$folder.archive}/$suite-$(printf '%s\n' "$@" | sha256sum | head -c 12).tar
  mkdir -p "$(dirname "$archive")" "$folder"
  if [[ ! -s $archive ]]; then
    say "making a root of $suite in $folder"
    log=$(mktemp)
    if ! mmdebstrap --variant=minbase "${include[@]}" "$suite" "$archive.part" "$GSX_MIRROR" \
      --format=tar > "$log" 2>&1; then
      cat "$log" >&2
      die "the root of $suite cannot be made"
    fi
    rm -f "$log"
    mv "$archive.part" "$archive"
  fi
  tar -C "$folder" -xf "$archive"
  if [[ -z ${GSX_ROOTS:-} ]]; then rm -rf "$folder.archive"; fi
  cp /etc/resolv.conf "$folder/etc/resolv.conf"
}

# in_root ROOT [OUTSIDE:INSIDE]... -- COMMAND...: runs the command there, as root, with a clean environment and
# processes of its own; folders from outside can be seen inside.
in_root() {
  local root=$1 binds=()
  shift
  while [[ $1 != -- ]]; do binds+=("$1"); shift; done
  shift
  # shellcheck disable=SC2016  # the inner shell expands
  unshare --mount --pid --fork bash -c '
    set -e
    root=$1 binds=$2
    shift 2
    mount -t proc proc "$root/proc"
    mkdir -p "$root/dev/pts"
    mount --bind /dev/pts "$root/dev/pts"
    for bind in $binds; do
      mkdir -p "$root/${bind#*:}"
      mount --bind "${bind%%:*}" "$root/${bind#*:}"
    done
    exec chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' \
    in_root "$(realpath "$root")" "${binds[*]}" "$@"
}

# check_formats FACTS: gsx doctor, which wrote FACTS, has the libraries of all compressed formats.
check_formats() {
  local fact
  for fact in $'gzip_inflater\tISA-L' $'reads_bzip2\tyes' $'reads_xz\tyes' $'reads_zstd\tyes'; do
    grep -qx "$fact" "$1" || die "gsx doctor does not say '$fact'"
  done
}

# The arguments of in_root, and those of env, that keep compilations in GSX_CCACHE, if that is set.
cache=() cache_variables=()
if [[ -n ${GSX_CCACHE:-} ]]; then
  cache=("$GSX_CCACHE:/ccache")
  cache_variables=(CCACHE_DIR=/ccache CCACHE_NOHASHDIR=1 CMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
