#!/usr/bin/env bash
# refusals.sh: search_shards.sbatch refuses what merge could not write, before a task has searched.
# shellcheck disable=SC2317  # functions that the checks call
set -euo pipefail
workflows=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
# shellcheck source=common.sh
source "$workflows/tests/common.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir slurm
printf '#!/usr/bin/env bash\necho "$*" > ran\n' > slurm/gsx_job.sh
chmod +x slurm/gsx_job.sh

# search CODE OUTPUT COMMAND [OPTION]...: the first task ends with CODE, and searches only for code 0.
search() {
  local wanted=$1 output=$2 command=$3 code=0
  shift 3
  rm -f ran
  GSX_WORKFLOWS=$folder SLURM_ARRAY_TASK_ID=0 bash "$workflows/slurm/search_shards.sbatch" 8 many.gsx "$output" "$command" \
    reads.fq "$@" 2> log || code=$?
  equal "$code" "$wanted" && equal "$([[ -e ran ]] && echo 0 || echo 2)" "$wanted"
}
expect "counts are searched" search 0 counts.tsv.gz count
expect "and hits" search 0 hits.bed.gz locate -k 1
expect "and the most hits in TSV" search 0 hits.tsv locate --max-hits 5
expect "other commands are refused" search 2 matches.tsv mem
expect "which says what to do" has log '^gsx mem: .*give many.gsx to gsx mem -x, in one job$'
expect "in any format that merge writes" search 0 hits.gff3 locate --max-hits=5
expect "and any order" search 0 hits.bed.gz locate --sort position
expect "a format that it does not write is refused" search 2 hits.sam locate
expect "nor one that gsx does not write in this order" search 2 hits.jsonl.gz locate -k 1 --sort position
expect "or with files" search 2 hits.bed locate --by-file
expect "or of counts" search 2 counts.bed.gz count
expect "by option, too" search 2 hits.tsv locate --bam
expect "a format has to be in the name" search 2 hits.tsv locate --bed
expect "which the message says" has log '^--bed: name the output \*\.bed instead$'
expect "where it may be twice" search 0 hits.bed locate --bed
expect "but the task writes a part" has ran '^locate -x many.000.gsx reads.fq -o hits.bed.parts/000.part$'
exit "$((wrong > 0))"
