#!/usr/bin/env bash
# multiqc.sh FOLDER: a report by the multiqc in PATH of summaries, in FOLDER, which make_samples and
# by_hand have filled.
# shellcheck disable=SC2317  # functions that the checks call
set -euo pipefail
workflows=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
# shellcheck source=common.sh
source "$workflows/tests/common.sh"
cd "$1"
rm -rf summaries report
mkdir summaries
for sample in single pairs_1 pairs_2; do
  reads=reads/$sample.fq.gz
  for command in count locate mem ms; do
    gsx "$command" -q -x by_hand/genome.gsx "$reads" -o /dev/null --summary "summaries/$sample.$command.json"
  done
  gsx filter -q -x by_hand/genome.gsx "$reads" --drop -o /dev/null --summary "summaries/$sample.filter.json"
done

for sample in single pairs_1; do
  gsx neighbors -q "reads/$sample.fq.gz" --at 1-8 --correct -o /dev/null --summary "summaries/$sample.neighbors.json"
  gsx prefix -q --entry ACG --entry TT "reads/$sample.fq.gz" --counts -o /dev/null --summary "summaries/$sample.prefix.json"
done
gsx neighbors -q reads/pairs_2.fq.gz --at 1-8 -o /dev/null --summary summaries/pairs_2.neighbors.json

convert() { "$workflows/multiqc_gsx.py" -o summaries/mqc "$@" 2> convert.log; }
code_of() {
  local code=0
  "$@" || code=$?
  echo "$code"
}
expect "summaries become custom content" convert summaries/*.json
expect "multiqc" multiqc --quiet --force -o report summaries/mqc 2> multiqc.log
data=report/multiqc_data

# value FILE SAMPLE COLUMN: of a table that multiqc wrote; the name of the column ends in COLUMN.
value() {
  awk -F '\t' -v sample="$2" -v column="$3\$" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i ~ column) at = i }
    $1 == sample { print $at }' "$1"
}
number() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$@"; }
for sample in single pairs_1 pairs_2; do
  for command in count locate mem ms; do
    all=$(number "summaries/$sample.$command.json" queries)
    found=$(number "summaries/$sample.$command.json" queries_with_hits)
    shown=$(value $data/multiqc_general_stats.txt "$sample" "gsx_${command}_share")
    expect "multiqc shows the share of $command of $sample: $shown" \
      awk -v shown="$shown" -v found="$found" -v all="$all" 'BEGIN { d = shown - 100 * found / all; exit !(all > 0 && d * d < 1e-6) }'
  done
  shown=$(value $data/multiqc_general_stats.txt "$sample" gsx_filter_number)
  expect "multiqc shows the reads of $sample" equal "${shown%.0}" "$(number "summaries/$sample.filter.json" reads)"
done
for sample in single pairs_1 pairs_2; do
  shown=$(value $data/multiqc_general_stats.txt "$sample" gsx_neighbors_number)
  expect "multiqc shows the barcodes of $sample" equal "${shown%.0}" "$(number "summaries/$sample.neighbors.json" reads)"
done
for command in count locate mem ms filter neighbors prefix; do
  expect "multiqc has bars of $command" has report/multiqc_report.html "gsx_${command}_plot"
done
expect "multiqc has the version of gsx" grep -qE "gsx.*$(gsx --version | sed 's/^gsx //')" $data/multiqc_software_versions.txt

cp summaries/single.count.json summaries/other.json
expect "a name can be given" convert A=summaries/single.count.json B=summaries/other.json
expect "and is used" equal "$(python3 -c 'import json; print(*sorted(json.load(open("summaries/mqc/gsx_count_mqc.json"))["data"]))')" 'A B'
expect "two summaries of a sample are refused" equal "$(code_of convert single=summaries/other.json summaries/single.count.json)" 3
expect "with the reason" has convert.log '^error: .*another summary of count'
echo '{"command": "count"}' > none.json
expect "what is no summary is refused" equal "$(code_of convert none.json)" 3
sed 's/"queries_that_cannot_match": *[0-9]*/"queries_that_cannot_match": 1000000/' summaries/other.json > odd.json
expect "more queries than all are refused" equal "$(code_of convert odd.json)" 3
expect "with the sum" has convert.log '^error: .*contradicts itself'
expect "what is not JSON is refused" equal "$(code_of convert genome.fa)" 3
expect "what is not there is refused" equal "$(code_of convert nothing.json)" 3
expect "no file is wrong usage" equal "$(code_of convert)" 2
expect "a folder that cannot be made is an error" equal "$(code_of "$workflows/multiqc_gsx.py" -o genome.fa/x summaries/other.json 2> convert.log)" 1
exit "$((wrong > 0))"
