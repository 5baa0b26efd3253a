#!/usr/bin/env bash
# Shared by the scripts beside it; sourced, not run.
# shellcheck disable=SC2034  # the arrays are used by those scripts

# The repository is the current folder from here on.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Compilations at the same time: GSX_JOBS, or one per core, with at least 2 GB of memory for each.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo)
  if ((memory < 1)); then memory=1; fi
  echo "${GSX_JOBS:-$((cores < memory ? cores : memory))}"
}

# install_packages NAME...: installs the Debian packages that are missing, without questions.
install_packages() {
  local package missing=() sudo=()
  command -v dpkg-query > /dev/null || { say "not a Debian system: these packages must be there: $*"; return; }
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true) == installed ]] ||
      missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  say "installing ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo > /dev/null || die "run as root, or install sudo, or install: ${missing[*]}"
    sudo=(sudo)
  fi
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600)
  local log
  log=$(mktemp)
  if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } \
    < /dev/null > "$log" 2>&1; then
    cat "$log" >&2
    die "the packages could not be installed"
  fi
  rm -f "$log"
}

build_packages=(g++ cmake ninja-build pkg-config zlib1g-dev libhts-dev libisal-dev libxxhash-dev
  libbz2-dev liblzma-dev libzstd-dev libspdlog-dev libcli11-dev rapidjson-dev)
test_packages=(python3 python3-dev python3-venv doctest-dev libdivsufsort-dev tmux mandoc zsh fish bsdextrautils)

# configure PRESET [ARGUMENT...]: configures a build; prints nothing unless that fails.
configure() {
  local preset=$1 log
  shift
  log=$(mktemp)
  if ! cmake --preset "$preset" "$@" > "$log" 2>&1; then
    cat "$log" >&2
    die "the build '$preset' cannot be configured"
  fi
  sed -n 's/^-- gsx: /== /p' "$log" >&2
  rm -f "$log"
}

# show_compilation LOG: keeps the output of a build in LOG and shows its progress: on a terminal in
# one line, elsewhere in a line every 15 seconds or tenth of the work.
show_compilation() {
  local line tenth=0 told=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    local done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    if [[ -t 2 ]]; then
      printf '\r\033[K== step %d of %d' "$done" "$all" >&2
    elif ((done * 10 / all > tenth || SECONDS - told >= 15)); then
      say "step $done of $all"
      tenth=$((done * 10 / all)) told=$SECONDS
    fi
  done > "$1"
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}

# compile PRESET [TARGET]...: builds; shows the output of the compiler if that fails.
compile() {
  local preset=$1 log targets=()
  shift
  if (($# > 0)); then targets=(--target "$@"); fi
  log=$(mktemp)
  say "building $preset"
  if ! cmake --build "build-$preset" -j "$(jobs)" "${targets[@]}" 2>&1 | show_compilation "$log"; then
    grep -v '^\[' "$log" >&2 || true
    die "the build '$preset' failed"
  fi
  rm -f "$log"
}
