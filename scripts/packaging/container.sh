#!/usr/bin/env bash
# scripts/packaging/container.sh [NAME]: builds the container image NAME (default: localhost/gsx) of the last commit, with
# podman or buildah, as root, and tries it where podman can run here: as another user, on a read-only root. The base image
# is a minimal root of Debian 12 that is made here: no registry is asked.
#
#   GSX_MIRROR=URL   the mirror of Debian (default: http://deb.debian.org/debian)
#   GSX_ROOTS=DIR    keeps roots there, for the next run
#   GSX_CCACHE=DIR   keeps compilations there
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name=${1:-localhost/gsx}
base=localhost/gsx-base
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Storage that needs no overlay of the kernel, and networks and control groups of the host: this works in containers, too.
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
store=(--root "$work/store" --runroot "$work/run")

make_root "$work/base" bookworm
tar -C "$work/base" -c . | podman "${store[@]}" import -q - "$base" > /dev/null

mkdir "$work/source"
git archive HEAD | tar -C "$work/source" -x
build=(--build-arg "BASE=$base" --pull=never --network host)
if [[ -n ${GSX_CCACHE:-} ]]; then
  build+=(-v "$GSX_CCACHE:/root/.cache/ccache" --build-arg CMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
say "building the container $name"
buildah "${store[@]}" build -q "${build[@]}" -t "$name" -f "$work/source/$packaging/container/Containerfile" \
  "$work/source" > "$work/log" 2>&1 || { cat "$work/log" >&2; die "the container cannot be built"; }
buildah "${store[@]}" images "$name" >&2

mkdir "$work/data"
cp data/lambda.fa data/reads.fq.gz "$work/data/"
chown -R 12345:12345 "$work/data"
chmod 755 "$work"

# run [OPTION]... NAME ARGUMENT...: as another user, on a root that cannot be written to. crun refuses a system that has
# control groups of both versions, so it sees those of the second one only.
run() {
  # shellcheck disable=SC2016  # the inner shell expands
  unshare --mount bash -c '
    if [[ -d /sys/fs/cgroup/unified ]]; then
      umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup
    fi
    exec podman "$@"' run "${store[@]}" run --rm --read-only --read-only-tmpfs=false --network host \
    --cgroups=disabled --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 --user 12345:12345 \
    -v "$work/data:/data" "$@"
}
say "running it"
run "$name" gsx --version
run "$name" gsx doctor -q > "$work/facts"
grep -E '^(conclusion|cuda_built)' "$work/facts"
check_formats "$work/facts"
run "$name" gsx index -q lambda.fa
run "$name" gsx verify -q --full lambda.gsx
run "$name" gsx count -q -x lambda.gsx -p GGATCC | grep -x $'GGATCC\t6\t10\t5\t5'
run "$name" gsx locate -q -x lambda.gsx reads.fq.gz --sort position --bed -o hits.bed
[[ $(stat -c %u "$work/data/hits.bed") == 12345 ]] || die "the output does not belong to the user"
code=0
run "$name" gsx index -q lambda.fa -o /lambda.gsx 2> "$work/error" || code=$?
if [[ $code != 1 ]] || ! grep -q 'Read-only file system' "$work/error"; then
  die "writing to the read-only root ends with $code: $(cat "$work/error")"
fi
# Workflow systems start a shell in the image, and measure by ps.
run "$name" /bin/bash -ue -c 'gsx --version' > /dev/null
run "$name" ps -e > /dev/null
say "the container works: $(podman "${store[@]}" image inspect --format '{{.Size}}' "$name") bytes with its base"
