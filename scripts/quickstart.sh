#!/usr/bin/env bash
# scripts/quickstart.sh: installs what is needed (Debian 12, as root or with sudo), builds gsx into
# build-release/, indexes the sample genome of data/, and finds the sites of an enzyme and of a CRISPR guide in it.
# Afterwards, `cmake --install build-release --prefix DIR` installs the program, the library, manual pages and completions.
#
#   GSX_CUDA=AUTO|ON|OFF         the CUDA back end (AUTO: if a GPU is seen and there is a CUDA compiler)
#   GSX_CUDA_ARCHITECTURES=...   GPU architectures (default: this machine's, else 90)
#   GSX_JOBS=N                   compilations at the same time
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# == 0 ]] || die "no arguments expected; see the head of $0"
install_packages "${build_packages[@]}"

# Minutes of one core, roughly: those of CUDA depend on the GPU architectures.
minutes=16 cuda_minutes=30

# CUDA code does nothing where no GPU is.
cuda=${GSX_CUDA:-AUTO} architectures=${GSX_CUDA_ARCHITECTURES:-90}
if nvidia-smi -L 2> /dev/null | grep -q GPU; then
  architectures=${GSX_CUDA_ARCHITECTURES:-native}
elif [[ $cuda == AUTO ]]; then
  say "no GPU is seen: building without CUDA (GSX_CUDA=ON builds with it)"
  cuda=OFF
fi
configure release -DGSX_TESTS=OFF -DGSX_WERROR=OFF -DGSX_JOINED=ON -DGSX_CUDA="$cuda" \
  -DCMAKE_CUDA_ARCHITECTURES="$architectures"
if [[ $cuda != OFF ]] && grep -q '^CMAKE_CUDA_COMPILER:' build-release/CMakeCache.txt; then
  minutes=$((minutes + cuda_minutes))
fi
say "a first build takes about $((minutes / $(jobs) + 1)) minutes here"
compile release

gsx=build-release/gsx index=build-release/lambda.gsx
say "indexing the genome of phage lambda, data/lambda.fa"
"$gsx" index -q data/lambda.fa -o "$index"
say "the sites of BamHI, GGATCC: target, start, end, site, mismatches, strand"
"$gsx" locate -q "$index" -p GGATCC --strand fwd --bed | tee build-release/sites.bed
say "a CRISPR guide and the places that it may cut, by their number of mismatches"
"$gsx" offtarget -q "$index" -p CAGCAAATACCGAAATATTT
[[ $(wc -l < build-release/sites.bed) == 5 ]] || die "BamHI cuts the genome of phage lambda at five sites; the build is faulty"
say "done: the program is $gsx; cmake --install build-release --prefix DIR installs it with its library and manual pages"
