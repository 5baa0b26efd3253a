#!/usr/bin/env bash
# run_example.sh PROGRAM: runs the example on data/ in a temporary folder, compares its output.
set -euo pipefail

program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cd "$folder"
timeout 300 "$program" "$here/../../data/lambda.fa" lambda.gsx \
  GGGCGGCGACCT AGGTCGCCGCCC GGATCC ACGTNACGT > count_and_locate.out
diff -u "$here/count_and_locate.out" count_and_locate.out
echo "the output is as expected"
