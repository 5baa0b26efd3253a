#!/usr/bin/env bash
# nf_scripts.sh FOLDER: the script blocks of the nf-core modules by bash, in FOLDER, which make_samples
# and by_hand have filled.
# shellcheck disable=SC2317  # functions that the checks call
set -euo pipefail
workflows=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
# shellcheck source=common.sh
source "$workflows/tests/common.sh"
cd "$1"
rm -rf nf
mkdir nf
cd nf

block() {
  "$workflows/tests/run_nf_script.py" "$workflows/nf-core/gsx/$1/main.nf" task.cpus=2 'memory=--memory-limit 500MB' \
    'device=--device cpu' "task.process=GSX" "${@:2}" 2> "$1.log"
}
reads='../reads/pairs_1.fq.gz ../reads/pairs_2.fq.gz'
expect "nf-core index" block index args= fasta=../genome.fa prefix=genome
expect "it makes the index" same genome.gsx ../by_hand/genome.gsx
expect "nf-core count" block count args= "reads=$reads" index=genome.gsx prefix=pairs
expect "its counts" same pairs.count.tsv.gz ../by_hand/pairs.count.tsv
expect "nf-core locate" block locate args= "reads=$reads" index=genome.gsx prefix=pairs suffix=tsv.gz
expect "its hits" same pairs.locate.tsv.gz ../by_hand/pairs.locate.tsv
expect "nf-core locate as BAM" block locate 'args=--max-hits 5' "reads=$reads" index=genome.gsx prefix=pairs suffix=bam
expect "versions.yml" has versions.yml "^    gsx: $(gsx --version | sed 's/^gsx //')$"
exit "$((wrong > 0))"
