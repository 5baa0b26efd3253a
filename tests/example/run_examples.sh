#!/usr/bin/env bash
# run_examples.sh FOLDER GSX: runs the examples of FOLDER on data/, with an index made by the program
# GSX, and compares what they print.
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
  timeout 300 "$programs/build_and_search" "$genome" GGGCGGCGACCT AGGTCGCCGCCC GGATCC ACGTNACGT
} > examples.out
if [[ -n $(find . -type f ! -name examples.out) ]]; then echo "an index in memory left a file"; exit 1; fi
"$gsx" index -q "$genome" -o lambda.gsx
timeout 300 "$programs/search_batch" lambda.gsx GGGCGGCGACCT GGATCC NNN >> examples.out
diff -u "$here/examples.out" examples.out
if "$programs/build_and_search" missing.fa ACGT 2> error; then exit 1; else [[ $? == 3 ]]; fi
grep -q "^error: .*missing.fa" error
echo "the output is as expected"
