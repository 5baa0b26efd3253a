# Checks of the tests beside this file; sourced. A check that fails says so and is counted.
# Its user sets `workflows`, the folder above.
# shellcheck shell=bash disable=SC2154

wrong=0

# expect WHAT COMMAND...: COMMAND must succeed.
expect() {
  local what=$1
  shift
  if "$@"; then
    echo "ok: $what"
  else
    echo "WRONG: $what: $*"
    wrong=$((wrong + 1))
  fi
}

# expect_not WHAT COMMAND...: COMMAND must fail.
expect_not() {
  local what=$1
  shift
  if "$@"; then
    echo "WRONG: $what: $*"
    wrong=$((wrong + 1))
  else
    echo "ok: $what"
  fi
}

# same FILE FILE: equal contents, of which each may be compressed; not empty.
same() { [[ -s $1 ]] && cmp <(zcat -f -- "$1") <(zcat -f -- "$2"); }

# equal TEXT TEXT
equal() {
  if [[ $1 == "$2" ]]; then return; fi
  echo "   '$1' is not '$2'"
  return 1
}

# has FILE PATTERN: a line of FILE matches.
has() {
  if grep -qE -- "$2" "$1"; then return; fi
  tail -n 20 "$1" | sed 's/^/   /'
  return 1
}

# until_true SECONDS COMMAND...: waits for COMMAND to succeed.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if ((SECONDS > end)); then return 1; fi
    sleep 0.2
  done
}

# make_samples FOLDER DATA: a genome, and reads of a single sample, of one with mates and of one that
# is not whole.
make_samples() {
  mkdir -p "$1/reads"
  cp "$2/lambda.fa" "$1/genome.fa"
  cp "$2/reads.fq.gz" "$1/reads/single.fq.gz"
  zcat "$2/reads.fq.gz" | sed -n '1,1200p' | gzip > "$1/reads/pairs_1.fq.gz"
  # The mate of a read has its name and the sequence of the next read.
  zcat "$2/reads.fq.gz" | awk 'NR % 4 == 1 { name[NR] = $0 } NR > 4 && NR <= 1204 { print NR % 4 == 1 ? name[NR - 4] : $0 }' |
    gzip > "$1/reads/pairs_2.fq.gz"
  { zcat "$2/reads.fq.gz" | sed -n 1,8p; printf '@cut\nACGT\n'; } > "$1/reads/cut.fq"
}

# make_shards FOLDER: pieces of the genome as records, so that there are some to share out, and by hand their
# index in three shards, and what all of it gives for the samples.
make_shards() (
  cd "$1" || exit
  mkdir -p by_hand
  sed 1d genome.fa | tr -d '\n' | fold -w 5000 | awk '{ print ">piece" NR; print }' > pieces.fa
  gsx index -q --shards 3 pieces.fa -o by_hand/many.gsx
  gsx count -q -x by_hand/many.gsx reads/single.fq.gz -o by_hand/many.count.tsv --summary by_hand/many.count.json
  gsx locate -q --tag-files -k 1 --max-hits 2 -x by_hand/many.gsx reads/pairs_{1,2}.fq.gz \
    -o by_hand/many.locate.tsv --summary by_hand/many.locate.json
  gsx locate -q -x by_hand/many.gsx reads/single.fq.gz -o by_hand/many.bed
)

# expect_shards NAME INDEX: the files of an index are those of make_shards(), which the manifest names.
expect_shards() {
  local shard
  for shard in 000 001 002; do
    expect "$1: shard $shard" cmp "${2%.gsx}.$shard.gsx" by_hand/many.$shard.gsx
  done
  expect "$1: the manifest is right" gsx verify -q "$2"
}

# by_hand FOLDER: what gsx makes of the samples, into FOLDER/by_hand.
by_hand() (
  cd "$1" || exit
  mkdir -p by_hand
  gsx index -q genome.fa -o by_hand/genome.gsx
  gsx count -q -x by_hand/genome.gsx reads/single.fq.gz -o by_hand/single.count.tsv --summary by_hand/single.count.json
  gsx count -q -x by_hand/genome.gsx reads/pairs_{1,2}.fq.gz -o by_hand/pairs.count.tsv
  gsx locate -q -x by_hand/genome.gsx reads/single.fq.gz -o by_hand/single.locate.tsv
  gsx locate -q -x by_hand/genome.gsx reads/pairs_{1,2}.fq.gz -o by_hand/pairs.locate.tsv
  gsx filter -q -x by_hand/genome.gsx reads/single.fq.gz --drop -o by_hand/single.fq --summary by_hand/single.filter.json
  gsx filter -q -x by_hand/genome.gsx reads/pairs_{1,2}.fq.gz --drop -o by_hand/pairs_1.fq -O by_hand/pairs_2.fq
)

# expect_results NAME RESULTS BY_HAND: the files of the Snakemake workflow are those made by hand.
expect_results() {
  local sample
  for sample in single pairs; do
    expect "$1: count of $sample" same "$2/count/$sample.tsv.gz" "$3/$sample.count.tsv"
    expect "$1: locate of $sample" same "$2/locate/$sample.tsv.gz" "$3/$sample.locate.tsv"
  done
  expect "$1: filter of reads" same "$2/filter/single.fq.gz" "$3/single.fq"
  expect "$1: filter of first mates" same "$2/filter/pairs_1.fq.gz" "$3/pairs_1.fq"
  expect "$1: filter of second mates" same "$2/filter/pairs_2.fq.gz" "$3/pairs_2.fq"
  expect "$1: the summary of count" same "$2/count/single.count.json" "$3/single.count.json"
  expect "$1: the summary of filter" same "$2/filter/single.filter.json" "$3/single.filter.json"
}

# write_config FOLDER INDEX_MB [SAMPLE FILES]...: the example of the configuration, filled in.
write_config() {
  local folder=$1 memory=$2 sample files
  shift 2
  sed -e 's|^genome: .*|genome: genome.fa|' -e '/^  sample[12]:/d' -e 's/^threads: .*/threads: {index: 2, count: 1, locate: 1, filter: 1}/' \
    -e "s/^mem_mb: .*/mem_mb: {index: $memory, count: 400, locate: 400, filter: 400}/" \
    "$workflows/config.yaml" > "$folder/config.yaml"
  while (($# > 0)); do
    sample=$1 files=$2
    shift 2
    sed -i "s|^samples:.*|&\n  $sample: [$files]|" "$folder/config.yaml"
  done
}
