#!/usr/bin/env bash
# slurm_batch.sh FOLDER: the batch scripts, on the Slurm that one_node_slurm.sh started, in FOLDER,
# which make_samples and by_hand have filled.
# shellcheck disable=SC2317  # functions that the checks call
set -euo pipefail
workflows=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
# shellcheck source=common.sh
source "$workflows/tests/common.sh"
cd "$1"
export GSX_WORKFLOWS=$workflows
scripts=$workflows/slurm

# submit OPTION...: the exit code of the job, when it has ended for good.
submit() {
  local code=0
  sbatch --wait --parsable "$@" > submitted || code=$?
  job=$(cut -d ';' -f 1 submitted)
  return "$code"
}
ends_with() {
  local code=0 wanted=$1
  shift
  submit "$@" || code=$?
  equal "$code" "$wanted"
}
field() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
leftovers() { find . -name '.*.gsx-*.tmp' | grep -q .; }

expect "index.sbatch" ends_with 0 -c 2 --mem=1000 -o index.log "$scripts/index.sbatch" genome.fa genome.gsx
expect "it makes the index" same genome.gsx by_hand/genome.gsx
expect "with the CPUs of the job" has index.log 'gsx index --threads 2 --device cpu genome.fa'

printf '%s\n' $'single\treads/single.fq.gz' $'pairs\treads/pairs_1.fq.gz\treads/pairs_2.fq.gz' \
  $'slow\treads/slow.fq' $'cut\treads/cut.fq' \
  $'late\treads/late.fq' $'killed\treads/killed.fq' > samples.tsv
array=(-c 1 --mem=300 "$scripts/count_array.sbatch" genome.gsx samples.tsv counts)
expect "count_array.sbatch" ends_with 0 --array=1-2 -o 'array-%a.log' "${array[@]}"
for sample in single pairs; do
  expect "it counts $sample" same "counts/$sample.tsv.gz" "by_hand/$sample.count.tsv"
done
expect "and writes a summary" same counts/single.count.json by_hand/single.count.json
expect "the log ends with the exit code" has array-2.log '^gsx count: exit code 0 after 0 restarts, retry: no$'

expect "bad input ends a task with its exit code" ends_with 3 --array=4 -o cut.log "${array[@]}"
expect "it is not tried again" equal "$(field "${job}_4" Restarts)" 0
expect_not "and has no result" test -e counts/cut.tsv.gz
expect "a line that is not there is bad input" ends_with 3 --array=9 -o none.log "${array[@]}"

expect "too little memory is asked for again" ends_with 0 -c 1 --mem=5 -o small.log "$scripts/index.sbatch" genome.fa small.gsx
expect "after exit code 6" has small.log '^gsx index: exit code 6 after 0 restarts, retry: more$'
expect "twice" has small.log '^gsx index: exit code 0 after 2 restarts, retry: no$'
expect "with four times the memory" equal "$(field "$job" MinMemoryNode)" 20M
expect "the index is right" same small.gsx by_hand/genome.gsx

code=0
GSX_RETRIES=1 submit -c 1 --mem=4 -o never.log "$scripts/index.sbatch" genome.fa never.gsx || code=$?
expect "the number of retries has a limit" equal "$code" 6
expect "which is GSX_RETRIES" has never.log '^gsx index: exit code 6 after 1 restarts, retry: more$'
expect_not "and there is no index" test -e never.gsx
expect "more memory than a node has is not asked for" ends_with 6 -c 1 --mem=3000 -o huge.log \
  "$scripts/gsx_job.sh" index --memory-limit 1MB genome.fa -o huge.gsx
expect "the log says so" has huge.log '^error: 6000 MiB is more than a node of all has$'
expect "memory by CPU grows, too" ends_with 0 -c 1 --mem-per-cpu=10 -o by_cpu.log "$scripts/gsx_job.sh" index genome.fa -o by_cpu.gsx
expect "twice" equal "$(field "$job" MinMemoryCPU)" 20M

expect "a GPU that is not usable is exit code 7" ends_with 7 -c 1 --mem=300 -o gpu.log \
  "$scripts/filter_gpu.sbatch" genome.gsx reads/pairs_1.fq.gz reads/pairs_2.fq.gz clean
expect_not "and the CPU does not stand in" test -e clean_1.fq.gz

begun() { compgen -G "counts/.$1.tsv.gz.gsx-*.tmp" > /dev/null; }
state() { [[ $(field "$1" JobState) == "$2" ]]; }

# interrupted TASK SAMPLE COMMAND...: a task of the array waits for reads from a pipe until COMMAND, with
# the number of the task behind it, stops it; it finds a file when it runs again.
interrupted() {
  local task=$1 sample=$2 writer
  shift 2
  mkfifo "reads/$sample.fq"
  TMPDIR=$PWD/scratch sbatch --parsable --array="$task" -o "$sample.log" "${array[@]}" > submitted
  job=$(cut -d ';' -f 1 submitted)_$task
  sleep 600 > "reads/$sample.fq" &  # a writer that does not write
  writer=$!
  expect "$sample: the task has begun" until_true 30 begun "$sample"
  expect "$sample: it has a folder in TMPDIR" has_scratch
  "$@" "$job"
  rm "reads/$sample.fq"
  gunzip < reads/single.fq.gz > "reads/$sample.fq"
  expect_not "$sample: what was begun does not have its name" test -e "counts/$sample.tsv.gz"
  kill "$writer"
  expect "$sample: the task runs again, to its end" until_true 60 state "$job" COMPLETED
  expect "$sample: it was restarted" has "$sample.log" '^gsx count: exit code 0 after 1 restarts, retry: no$'
  expect "$sample: the counts are right" same "counts/$sample.tsv.gz" by_hand/single.count.tsv
  expect_not "$sample: nothing is left of outputs that were begun" leftovers
}
has_scratch() { compgen -G 'scratch/gsx-*' > /dev/null; }
kill_gsx() {
  local process
  for process in /proc/[0-9]*; do
    if [[ $(tr '\0' ' ' < "$process/cmdline" 2> /dev/null) == gsx\ count*reads/killed.fq* ]]; then
      kill -KILL "${process#/proc/}"
    fi
  done
}
mkdir scratch
interrupted 3 slow scancel --batch --signal=TERM  # as before the time limit
expect "SIGTERM ended gsx" has slow.log '^gsx count: exit code 143 after 0 restarts, retry: same$'
expect "it got the same memory" equal "$(field "$job" MinMemoryNode)" 300M
interrupted 5 late scontrol requeue               # as for a job of higher priority
interrupted 6 killed kill_gsx                     # as the kernel does for memory
expect "SIGKILL ended gsx" has killed.log '^gsx count: exit code 137 after 0 restarts, retry: more$'
expect "it got twice the memory" equal "$(field "$job" MinMemoryNode)" 600M
expect "no folder is left in TMPDIR but that of the job that Slurm killed" test "$(compgen -G 'scratch/*' | wc -l)" -le 1

# Shards: a task for each, then the manifest; the same with searches.
make_shards .
index=(-c 1 --mem=500 "$scripts/index_shards.sbatch" 3 many.gsx pieces.fa)
expect "index_shards.sbatch builds the shards" ends_with 0 --array=0-2 -o 'shard-%a.log' "${index[@]}"
expect_not "and no manifest" test -e many.gsx
expect "which a job without array writes" ends_with 0 -o manifest.log "${index[@]}"
expect_shards "index_shards.sbatch" many.gsx
cp many.002.gsx many.001.gsx
expect "shards that are mixed are not joined" ends_with 5 -o mixed.log "${index[@]}"
expect "the log says which one" has mixed.log "^error: 'many.001.gsx' is not shard 1 of this input"
expect "the task is run again" ends_with 0 --array=1 -o again.log "${index[@]}"
expect "and then they are" ends_with 0 -o joined.log "${index[@]}"
for run in 'many.tsv.gz count' 'many.bed locate'; do
  read -r output command <<< "$run"
  search=(-c 1 --mem=300 "$scripts/search_shards.sbatch" 3 many.gsx "$output" "$command" reads/single.fq.gz)
  expect "search_shards.sbatch: $command" ends_with 0 --array=0-2 -o "$command-%a.log" "${search[@]}"
  expect "and merges" ends_with 0 -o "$command.log" "${search[@]}"
done
expect "counts of shards are merged" same many.tsv.gz by_hand/many.count.tsv
expect "and so are the hits" same many.bed by_hand/many.bed
expect "and the summaries" same many.tsv.gz.json by_hand/many.count.json

# killed_in_build SIGNAL...: a task that builds a shard is stopped, and runs again.
python3 -c 'import random
random.seed(4)
for name in "ab":
    print(">" + name, "".join(random.choices("ACGT", k=15000000)), sep="\n")' > two.fa
gsx index -q -t 1 --shards 2 two.fa -o by_hand/two.gsx
building() { compgen -G ".two.001.gsx.gsx-*.tmp" > /dev/null; }
kill_build() {
  local process
  for process in /proc/[0-9]*; do
    if [[ $(tr '\0' ' ' < "$process/cmdline" 2> /dev/null) == gsx\ index*two.fa* ]]; then
      kill -KILL "${process#/proc/}"
    fi
  done
}
for stop in 'scancel --batch --signal=TERM' 'scontrol requeue' kill_build; do
  rm -f two.*gsx
  sbatch --parsable --array=1 -o stopped.log -c 1 --mem=500 "$scripts/index_shards.sbatch" 2 two.gsx two.fa > submitted
  job=$(cut -d ';' -f 1 submitted)_1
  expect "$stop: the build of a shard has begun" until_true 30 building
  if [[ $stop == kill_build ]]; then kill_build; else $stop "$job"; fi
  expect_not "$stop: there is no shard" test -e two.001.gsx
  expect "$stop: the task runs again, to its end" until_true 120 state "$job" COMPLETED
  expect "$stop: the shard has the same bytes" cmp two.001.gsx by_hand/two.001.gsx
  expect_not "$stop: nothing is left of what was begun" leftovers
  rm -f stopped.log
done

if [[ $SLURM_CGROUPS == yes ]]; then
  sbatch --wait -o doctor.log -c 1 --mem=300 --wrap 'gsx doctor' > submitted
  expect "gsx reads the control group of a job" has doctor.log 'memory_limit_cgroup_bytes[[:blank:]]314572800$'
  python3 -c 'import random; print(">r", "".join(random.choices("ACGT", k=20000000)), sep="\n")' > large.fa
  expect "gsx keeps below it, whatever it is told" env GSX_MEMORY_LIMIT=2GB sbatch --wait -o large.log -c 1 --mem=60 \
    "$scripts/index.sbatch" large.fa large.gsx
  expect "by building in blocks" has large.log '^info: memory is short: building the suffix array in blocks'
  expect "the index is whole" gsx verify -q large.gsx
else
  echo "no control groups of version 1: limits of memory are not tested"
fi
exit "$((wrong > 0))"
