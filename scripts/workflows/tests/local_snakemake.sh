#!/usr/bin/env bash
# local_snakemake.sh FOLDER: the workflow and the wrappers with the snakemake in PATH, in FOLDER, which
# make_samples and by_hand have filled.
# shellcheck disable=SC2317  # functions that the checks call
set -euo pipefail
workflows=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
# shellcheck source=common.sh
source "$workflows/tests/common.sh"
cd "$1"
name="snakemake $(snakemake --version)"

workflow() { snakemake -s "$workflows/Snakefile" --cores 2 "$@" > snakemake.log 2>&1; }

rm -rf results .snakemake
# An index in 10 MB fails, in 20 MB does not: half of mem_mb.
write_config . 20 pairs 'reads/pairs_1.fq.gz, reads/pairs_2.fq.gz' single reads/single.fq.gz
expect "$name: the workflow runs" workflow
expect_results "$name" results by_hand
expect "$name: the index is that made by hand" same results/index/genome.gsx by_hand/genome.gsx
history=results/logs/index.log.attempts
expect "$name: the index lacked memory" has $history '^exit code 6, retry: more$'
expect "$name: it got twice as much" has $history '^attempt 2: gsx index -t 2 --memory-limit 20MB'
expect "$name: and that was enough" equal "$(tail -n 1 $history)" 'exit code 0, retry: no'
expect "$name: the log has the last line of gsx" has results/logs/count/pairs.log '^info: gsx .*peak memory'
expect "$name: nothing more is to be done" workflow
expect "$name: and nothing is" has snakemake.log 'Nothing to be done'

# A sample that is not whole fails once; the others are answered.
rm -rf results
write_config . 1000 cut reads/cut.fq single reads/single.fq.gz
sed -i -e 's/^keep_index: true/keep_index: false/' -e 's/^steps: .*/steps: [count]/' config.yaml
expect_not "$name: a sample that is not whole is a failure" workflow --keep-going
history=results/logs/count/cut.log.attempts
expect "$name: gsx ran once for it" equal "$(grep -c '^attempt .*gsx count' $history)" 1
expect "$name: with exit code 3" has $history '^exit code 3, retry: no$'
expect "$name: the log says why" has $history '^error: .*cut\.fq'
expect_not "$name: and it has no result" test -e results/count/cut.tsv.gz
expect "$name: the other sample has" same results/count/single.tsv.gz by_hand/single.count.tsv
sed -i '/^  cut:/d' config.yaml
expect "$name: the workflow goes on without it" workflow
rm -rf results
expect "$name: the workflow runs without failures" workflow
expect_not "$name: the index was temporary" test -e results/index/genome.gsx

# In shards, of which a job had been killed.
rm -rf results
make_shards .
write_config . 1000 single reads/single.fq.gz
sed -i -e 's/^genome: .*/genome: pieces.fa/' -e 's/^shards: 1 /shards: 3 /' -e 's/^steps: .*/steps: [count]/' config.yaml
expect "$name: the workflow runs in shards" workflow
expect_shards "$name" results/index/genome.gsx
expect "$name: counts of shards are merged" same results/count/single.tsv.gz by_hand/many.count.tsv
expect "$name: and so is the summary" same results/count/single.count.json by_hand/many.count.json
expect_not "$name: the parts were temporary" test -e results/parts/count/single.000.part
write_config . 1000 single 'reads/pairs_1.fq.gz, reads/pairs_2.fq.gz'
sed -i -e 's/^genome: .*/genome: pieces.fa/' -e 's/^shards: 1 /shards: 3 /' -e 's/^steps: .*/steps: [locate]/' \
  -e 's/^  locate: ""/  locate: "--tag-files -k 1 --max-hits 2"/' config.yaml
rm results/index/genome.001.gsx
expect "$name: it builds a shard that is missing, and locates" workflow
expect_shards "$name" results/index/genome.gsx
expect "$name: hits of shards are merged" same results/locate/single.tsv.gz by_hand/many.locate.tsv
expect "$name: and so is their summary" same results/locate/single.locate.json by_hand/many.locate.json
rm -rf results
sed -i -e 's/^keep_index: true/keep_index: false/' -e 's/^steps: .*/steps: [locate, filter]/' config.yaml
expect "$name: it merges before shards that are not kept go" workflow
expect "$name: with the same hits" same results/locate/single.tsv.gz by_hand/many.locate.tsv
expect "$name: filter had the shards" test -s results/filter/single.filter.json
expect_not "$name: the shards were temporary" test -e results/index/genome.000.gsx
sed -i -e 's/^keep_index: false/keep_index: true/' -e 's/^locate_format: .*/locate_format: bam/' \
  -e 's/^steps: .*/steps: [locate]/' config.yaml
expect_not "$name: parts in BAM are refused" workflow
expect "$name: by name" has snakemake.log "with 'shards', 'locate_format'"
rm -rf results
write_config . 1000 single reads/single.fq.gz
sed -i -e 's/^steps: .*/steps: [count]/' config.yaml

for edit in 's/^steps: .*/steps: [cuont]/' 's/^retries: .*//' 's/^shards: 1 /shards: 0 /' 's/^  single: .*/  single: [a, b, c]/'; do
  cp config.yaml right.yaml
  sed -i -e "s/^steps: .*/steps: [filter]/" -e "$edit" config.yaml
  expect_not "$name: a wrong setting is refused ($edit)" workflow
  expect "$name: by name" has snakemake.log '^config: |: config: '
  mv right.yaml config.yaml
done

rm -rf wrapped
mkdir wrapped
cp genome.fa reads/*.gz wrapped
cd wrapped
wrapper() {
  snakemake -s "$workflows/wrappers/gsx/$1/test/Snakefile" --cores 2 --wrapper-prefix "file://$workflows/wrappers/" \
    "${@:2}" > "$1.out" 2>&1
}
expect "$name: the wrapper of index" wrapper index genome.gsx
expect "$name: the wrapper of count" wrapper count count/single.tsv.gz
expect "$name: the wrapper of locate" wrapper locate locate/pairs.bed.gz
expect "$name: the wrapper of filter" wrapper filter filter/single.fq filter/pairs_1.fq.gz
gsx index -q genome.fa --sa-rate 4 -o hand.gsx
gsx count -q -k 1 -x hand.gsx single.fq.gz -o hand.tsv --unmatched hand.fa --summary hand.json
gsx locate -q --sort position --tag-files -x hand.gsx pairs_{1,2}.fq.gz -o hand.bed
gsx filter -q --keep -L 25 -x hand.gsx single.fq.gz -o hand.fq
for pair in genome.gsx:hand.gsx count/single.tsv.gz:hand.tsv count/single.unmatched.fa:hand.fa \
  count/single.count.json:hand.json locate/pairs.bed.gz:hand.bed filter/single.fq:hand.fq \
  filter/pairs_1.fq.gz:../by_hand/pairs_1.fq filter/pairs_2.fq.gz:../by_hand/pairs_2.fq; do
  expect "$name: ${pair%%:*} of a wrapper" same "${pair%%:*}" "${pair##*:}"
done
expect "$name: a wrapper gives its memory" has logs/count/single.log 'gsx count -t 2 --memory-limit 250MB '
exit "$((wrong > 0))"
