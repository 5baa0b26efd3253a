#!/usr/bin/env bash
# run_examples.sh FOLDER GSX: runs the examples in FOLDER on data/, with an index that the program
# GSX makes, and compares what they print.
set -euo pipefail

programs=$(realpath "$1")
gsx=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cd "$folder"
genome=$here/../../data/lambda.fa
{
  timeout 300 "$programs/suffix_array" banana
  timeout 300 "$programs/count_runs" "$genome"
  timeout 300 "$programs/build_and_search" "$genome" GGGCGGCGACCT AGGTCGCCGCCC GGATCC ACGTNACGT
  timeout 300 "$programs/search_with_mismatches" "$genome" GGGCGRCGACCT 3
  timeout 300 "$programs/find_amplicons" "$genome" GCAGCGCTACACCCTTATCT GCGTCCATTTGAGGCCAAAC 2
  timeout 300 "$programs/find_offtargets" "$genome" CAGCAAATACCGAAATATTT GATGATGATATTGAACAGGA
  timeout 300 "$programs/find_matches" "$genome" GGGCGGCGACCTCGCGGGATTTCGCTATTTATGNGTAAAGGATCC 10
  timeout 300 "$programs/find_prefixes" ACGTTAGC ACG ACGTT ACGTTC GGC
  timeout 300 "$programs/correct_barcodes" ACGT ACGT ACGT ACGA ACCA TTNT
} > examples.out
if [[ -n $(find . -type f ! -name examples.out) ]]; then echo "an index in memory left a file"; exit 1; fi
"$gsx" index -q "$genome" -o lambda.gsx
timeout 300 "$programs/search_batch" lambda.gsx GGGCGGCGACCT GGATCC NNN >> examples.out
diff -u "$here/examples.out" examples.out
if [[ -x $programs/search_in_kernel ]]; then
  if [[ -n ${GSX_REQUIRE_GPU:-} ]] || nvidia-smi -L 2> /dev/null | grep -q GPU; then
    timeout 300 "$programs/search_in_kernel" "$genome" GGATCC > kernel.out
    for suffix in GGATCC GATCC ATCC TCC CC C; do
      printf '%s\t%s\n' $suffix "$("$gsx" count -q --strand fwd --no-header -x lambda.gsx -p $suffix | cut -f 3)"
    done | diff - kernel.out
  else
    echo "there is no GPU: the kernel of the example was built, not run"
  fi
fi
if "$programs/build_and_search" missing.fa ACGT 2> error; then exit 1; else [[ $? == 3 ]]; fi
grep -q "^error: .*missing.fa" error
echo "the output is as expected"
