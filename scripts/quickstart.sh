#!/usr/bin/env bash
# scripts/quickstart.sh: installs what is needed (Debian 12, as root or with sudo), builds gsx into
# build-release/, indexes the sample genome of data/ and counts the sample reads.
#
#   GSX_CUDA=AUTO|ON|OFF         the CUDA back end (AUTO: if there is a CUDA compiler)
#   GSX_CUDA_ARCHITECTURES=...   GPU architectures (default: this machine's, else 90)
#   GSX_JOBS=N                   compilations at the same time
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# == 0 ]] || die "no arguments expected; see the head of $0"
install_packages "${build_packages[@]}"

architectures=${GSX_CUDA_ARCHITECTURES:-}
if [[ -z $architectures ]]; then
  if nvidia-smi -L 2> /dev/null | grep -q GPU; then architectures=native; else architectures=90; fi
fi
configure release -DGSX_TESTS=OFF -DGSX_WERROR=OFF -DGSX_CUDA="${GSX_CUDA:-AUTO}" \
  -DCMAKE_CUDA_ARCHITECTURES="$architectures"
compile release gsx-program

gsx=build-release/gsx
say "indexing data/lambda.fa"
"$gsx" index data/lambda.fa -o build-release/lambda.gsx
say "counting data/reads.fq.gz"
"$gsx" count -x build-release/lambda.gsx data/reads.fq.gz -o build-release/counts.tsv
head -n 6 build-release/counts.tsv
awk -F '\t' 'NR > 1 { reads++; found += $3 > 0; all += $3 }
  END { printf "%d of %d reads occur exactly, %d occurrences in all\n", found, reads, all }' \
  build-release/counts.tsv
say "done: the program is $gsx, all counts are in build-release/counts.tsv"
