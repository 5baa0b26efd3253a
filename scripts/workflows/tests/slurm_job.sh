#!/usr/bin/env bash
# slurm_job.sh: gsx_job.sh ends with the exit code of gsx, whatever Slurm does not tell; by stubs of gsx and of Slurm.
# shellcheck disable=SC2016,SC2317  # the stubs expand; functions that the checks call
set -euo pipefail
workflows=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
# shellcheck source=common.sh
source "$workflows/tests/common.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin
# All that gsx_job.sh calls, but nothing of a Slurm that is installed here.
for program in bash dirname mktemp rm sed sort tail tr; do ln -s "$(command -v "$program")" bin/; done

# stub NAME COMMANDS: a program that notes its arguments.
stub() {
  printf '#!%s/bin/bash\necho "%s $*" >> calls\n%s\n' "$folder" "$1" "$2" > "bin/$1"
  chmod +x "bin/$1"
}
stub gsx 'if [[ $* == *--help* ]]; then echo " --threads "; else exit "$(< code)"; fi'
stub scontrol 'if [[ $1 == "$(< fails)" ]]; then exit 1; fi'

# ends_with CODE [VARIABLE=VALUE]...: that of the job.
ends_with() {
  local code=0 wanted=$1
  shift
  : > calls
  env -i PATH="$folder/bin" GSX_WORKFLOWS="$workflows" SLURM_JOB_ID=7 "$@" \
    bash "$workflows/slurm/gsx_job.sh" index genome.fa 2> log || code=$?
  equal "$code" "$wanted"
}
more=SLURM_MEM_PER_NODE=1000 partition=SLURM_JOB_PARTITION=all
echo 6 > code
echo none > fails
expect "without sinfo, the exit code is that of gsx" ends_with 6 $more $partition
expect "and the job gets more memory" has calls '^scontrol update JobId=7 MinMemoryNode=2000$'
stub sinfo 'echo "sinfo: error: no controller" >&2; exit 1'
expect "where sinfo fails, it is that of gsx" ends_with 6 $more $partition
expect "and the job gets more memory" has calls '^scontrol update JobId=7 MinMemoryNode=2000$'
stub sinfo 'echo 1500+; echo 900'
expect "without a partition, it is that of gsx" ends_with 6 $more
expect "and no more is asked for than a node has" has log '^error: 2000 MiB is more than a node of this cluster has$'
expect_not "nor is the job requeued" has calls scontrol
expect "with a partition, it is that of gsx" ends_with 6 $more $partition
expect "its nodes are asked for" has calls '^sinfo --noheader --partition all --format %m$'
expect "by its name" has log '^error: 2000 MiB is more than a node of all has$'
expect "what a node has is asked for" ends_with 6 SLURM_MEM_PER_CPU=300 SLURM_CPUS_ON_NODE=2 $partition
expect "by CPU" has calls '^scontrol update JobId=7 MinMemoryCPU=600$'
expect "a task of an array" ends_with 6 SLURM_MEM_PER_NODE=10 SLURM_ARRAY_JOB_ID=5 SLURM_ARRAY_TASK_ID=3
expect "has its own name" has calls '^scontrol requeue 5_3$'
for name in requeue update hold; do
  echo $name > fails
  expect "where scontrol $name fails, it is that of gsx" ends_with 6 SLURM_MEM_PER_NODE=10
done
stub scontrol 'if [[ $1 != requeue ]]; then exit 1; fi'
expect "where no more memory may be had, it is that of gsx" ends_with 6 SLURM_MEM_PER_NODE=10
expect "the job is held" has calls '^scontrol hold 7$'
rm bin/scontrol
expect "without scontrol, it is that of gsx" ends_with 6 SLURM_MEM_PER_NODE=10
echo 3 > code
expect "bad input is the exit code of gsx" ends_with 3 $more
echo 0 > code
expect "and so is success" ends_with 0 $more
exit "$((wrong > 0))"
