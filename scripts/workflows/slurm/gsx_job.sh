#!/usr/bin/env bash
# gsx_job.sh COMMAND [ARGUMENT]...: runs gsx COMMAND in a job of Slurm, with what the job was given.
#
#   threads   -t from SLURM_CPUS_PER_TASK, or all CPUs that the job has on the node
#   memory    GSX_MEMORY_LIMIT from SLURM_MEM_PER_NODE or SLURM_MEM_PER_CPU. These count MiB, and the
#             limit MB, so that 5 % are left for pages of files and for this shell
#   GPUs      --device cuda where CUDA_VISIBLE_DEVICES names some (all of them where gsx can), else cpu
#   TMPDIR    a folder of this job in TMPDIR, or in /tmp; removed at the end
#
# An option or a variable that is given already stays. What happens after the end of gsx depends on its
# exit code, as in exit_codes.sh: the job is put back into the queue, with twice the memory where it was
# that, at most GSX_RETRIES times (default: 3); or it ends with the code. SIGTERM, which a job gets
# before its time limit with --signal=B:TERM@60, and when it is preempted, ends gsx and requeues the job.
# The job needs --requeue. sbatch runs a copy of a script: to submit this one itself, export GSX_WORKFLOWS,
# the folder that holds slurm/.
set -euo pipefail
# shellcheck source=../exit_codes.sh
source "${GSX_WORKFLOWS:-$(dirname "${BASH_SOURCE[0]}")/..}/exit_codes.sh"

if (($# == 0)); then
  sed -n '2s/^# //p' "$0" >&2
  exit 2
fi
command=$1
shift
options=() given=" $* "
help=$(gsx "$command" --help)  # exit code 2 for what is no command

# wants OPTION SHORT: whether the command has the option, and it is not given.
wants() { [[ $help == *" $1 "* && $given != *" $1"[\ =]* && $given != *" $2"* ]]; }

cpus=${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-}}
if [[ $cpus ]] && wants --threads -t; then options+=(--threads "$cpus"); fi

memory=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_ON_NODE:-0}))}
if ((memory > 0)); then export GSX_MEMORY_LIMIT=${GSX_MEMORY_LIMIT:-${memory}MB}; fi

if wants --device --device; then
  case ${CUDA_VISIBLE_DEVICES:-} in
    '' | NoDevFiles | -1) options+=(--device cpu) ;;
    *,*) if [[ $(gsx help --man "$command") == *cuda:all* ]]; then options+=(--device cuda:all); else options+=(--device cuda); fi ;;
    *) options+=(--device cuda) ;;
  esac
fi

TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/gsx-${SLURM_JOB_ID:-job}.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

code=0
run_to_end gsx "$command" "${options[@]}" "$@" || code=$?
rule=$(retry_rule "$code")
restarts=${SLURM_RESTART_COUNT:-0}
echo "gsx $command: exit code $code after $restarts restarts, retry: $rule" >&2
if [[ $rule == no || -z ${SLURM_JOB_ID:-} ]] || ((restarts >= ${GSX_RETRIES:-3})); then exit "$code"; fi

more=''
if [[ $rule == more ]] && ((memory > 0)); then
  # Where sinfo does not tell, Slurm itself refuses what no node has.
  partition=${SLURM_JOB_PARTITION:-}
  largest=$(sinfo --noheader ${partition:+--partition "$partition"} --format %m 2> /dev/null |
    tr -d + | sort -n | tail -n 1) || largest=''
  if [[ $largest =~ ^[0-9]+$ ]] && ((2 * memory > largest)); then
    echo "error: $((2 * memory)) MiB is more than a node of ${partition:-this cluster} has" >&2
    exit "$code"
  fi
  more=MinMemoryNode=$((2 * memory))
  if [[ -z ${SLURM_MEM_PER_NODE:-} ]]; then more=MinMemoryCPU=$((2 * SLURM_MEM_PER_CPU)); fi
fi

# Slurm stops the job when it requeues it. What follows is done in the time until it kills the job:
# only a job that is in the queue can get more memory.
trap '' TERM
job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID:-}}
job=${job:-$SLURM_JOB_ID}
scontrol requeue "$job" || exit "$code"
if [[ $more ]] && ! scontrol update "JobId=$job" "$more"; then
  echo "error: the job may not have $more; it is held: see scontrol release and scancel" >&2
  scontrol hold "$job" || true
fi
exit "$code"
