#!/usr/bin/env bash
# scripts/packaging/test_packages.sh [PART]...: makes the packages of the last commit in clean roots of Debian 12, as root,
# and tests them in fresh ones. Without a PART: all.
#
#   deb        gsx, libgsx0 and libgsx-dev: built in a root without CUDA, looked at by lintian, installed in a root that
#              has nothing else, where the quick start and the tests of debian/tests run; removed again
#   cuda       gsx-cuda, by the toolkit of this machine; nothing if there is none. GSX_PREBUILT=BUILD takes the
#              program from a build folder
#   tarball    scripts/packaging/tarball.sh
#   container  scripts/packaging/container.sh
#
#   GSX_MIRROR=URL   the mirror of Debian (default: http://deb.debian.org/debian)
#   GSX_ROOTS=DIR    keeps roots there, for the next run
#   GSX_CCACHE=DIR   keeps compilations there
#   GSX_JOBS=N       compilations at the same time
#   GSX_OUT=DIR      keeps the packages there
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

((EUID == 0)) || die "roots need root"
parts=("$@")
if ((${#parts[@]} == 0)); then parts=(deb cuda tarball container); fi
for part in "${parts[@]}"; do
  [[ $part =~ ^(deb|cuda|tarball|container)$ ]] || { printf 'error: no part %s\n' "$part" >&2; exit 2; }
done
install_packages mmdebstrap dpkg-dev lintian autopkgtest python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
out=$(absolute "${GSX_OUT:-$work/out}")
debian=$(debian_version)

# check_lintian CHANGES: no error and no warning; the distribution may be one that lintian does not know yet.
check_lintian() {
  lintian --allow-root --fail-on error,warning --display-info --no-tag-display-limit "$1" ||
    die "lintian finds faults in $1"
}

part_deb() {
  local folder=$out/deb root=$work/build-root fresh=$work/fresh-root
  make_root "$root" bookworm build-essential debhelper "${build_packages[@]}" libdeflate-dev python3 ${GSX_CCACHE:+ccache}
  "$packaging/deb.sh" --root "$root" "$folder"
  check_lintian "$folder/gsx_${debian}_amd64.changes"

  say "installing the packages in a fresh root"
  make_root "$fresh" bookworm
  in_root "$fresh" -- apt-get -qq update
  in_root "$fresh" "$folder:/packages" -- sh -c "apt-get -qq install -y --no-install-recommends \
    /packages/gsx_${debian}_amd64.deb > /dev/null"
  in_root "$fresh" "$PWD/data:/data" -- sh -euc '
    cd /tmp
    gsx doctor -q > /facts
    grep conclusion /facts
    gsx index /data/lambda.fa -o lambda.gsx
    gsx count -x lambda.gsx /data/reads.fq.gz | head -n 4
    if find /usr -name "libgsx*" | grep .; then echo "the program brings the library"; exit 1; fi
    apt-get -qq purge -y gsx > /dev/null
    if find /usr /etc /var/lib -name "*gsx*" | grep .; then echo "this stays when gsx is removed"; exit 1; fi'
  check_formats "$fresh/facts"

  say "running debian/tests"
  autopkgtest -B "$folder"/*.deb "$folder/gsx_$debian.dsc" -- chroot "$fresh"
}

part_cuda() {
  local folder=$out/cuda fresh=$work/cuda-root arguments=()
  if [[ -n ${GSX_PREBUILT:-} ]]; then
    arguments=(--prebuilt "$GSX_PREBUILT")
  elif ! command -v nvcc > /dev/null && [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
    say "there is no CUDA toolkit: gsx-cuda is not made"
    if [[ -n ${GSX_REQUIRE_CUDA:-} ]]; then die "GSX_REQUIRE_CUDA is set"; fi
    return
  fi
  install_packages debhelper libdeflate-dev "${build_packages[@]}"
  "$packaging/deb.sh" --cuda "${arguments[@]}" "$folder"
  check_lintian "$folder/gsx-cuda_${debian}_amd64.changes"

  say "installing gsx-cuda in a fresh root, in place of gsx"
  make_root "$fresh" bookworm
  in_root "$fresh" -- apt-get -qq update
  in_root "$fresh" "$out:/packages" "$PWD/data:/data" -- sh -euc "
    if ls /packages/deb/gsx_*.deb; then apt-get -qq install -y --no-install-recommends /packages/deb/gsx_*.deb; fi
    apt-get -qq install -y --no-install-recommends /packages/cuda/gsx-cuda_${debian}_amd64.deb
    if dpkg -s gsx 2> /dev/null | grep '^Status: .* installed'; then exit 1; fi
    cd /tmp
    gsx doctor -q | tee /facts | grep -E '^(cuda|conclusion)'
    grep -x 'cuda_built	yes' /facts
    gsx index /data/lambda.fa -o lambda.gsx
    gsx count -x lambda.gsx -p GGATCC | grep -x 'GGATCC	6	10	5	5'
    code=0
    gsx count --device cuda -x lambda.gsx -p GGATCC || code=\$?
    test \$code = 7
    if ldd /usr/bin/gsx | grep cudart; then exit 1; fi" > "$work/log" 2>&1 || { cat "$work/log" >&2; die "gsx-cuda fails"; }
  check_formats "$fresh/facts"
  grep -E '^(cuda|conclusion)' "$work/log"
}

part_tarball() { "$packaging/tarball.sh" "$out/tarball"; }

part_container() {
  install_packages podman buildah crun
  "$packaging/container.sh"
}

for part in "${parts[@]}"; do
  say "packages: $part"
  "part_$part"
done
say "the packages are right: ${parts[*]}"
