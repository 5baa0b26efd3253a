#!/usr/bin/env bash
# attempt.sh LOG N COMMAND...: runs COMMAND as the Nth attempt of a job, with standard error to LOG.
#
# LOG.attempts keeps, for all attempts, the exit code and what exit_codes.sh says of it; retry.smk
# reads there how much memory the next attempt gets. (Snakemake removes LOG before each attempt.)
# Where another attempt cannot help, as with bad input, COMMAND is not run again: a workflow manager
# that repeats every job that failed loses no time by that.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/exit_codes.sh"

if (($# < 3)) || [[ ! $2 =~ ^[1-9][0-9]*$ ]]; then
  sed -n '2s/^# //p' "$0" >&2
  exit 2
fi
log=$1 attempt=$2 history=$1.attempts
shift 2
if ((attempt == 1)); then
  : > "$history"
elif [[ $(tail -n 1 "$history" 2> /dev/null) =~ ^exit\ code\ ([1-9][0-9]*),\ retry:\ no ]]; then
  # The log of an attempt that is not made has the errors of the last one that was.
  tac "$history" | sed -n '/^error: /p; /^attempt [0-9]*: /q' | tac > "$log"
  echo "attempt $attempt is not made: exit code ${BASH_REMATCH[1]} would come again" | tee -a "$log" >> "$history"
  echo "exit code ${BASH_REMATCH[1]}, retry: no" >> "$history"
  exit "${BASH_REMATCH[1]}"
fi
printf 'attempt %s: %s\n' "$attempt" "$*" >> "$history"
code=0
run_to_end "$@" 2> "$log" || code=$?
grep '^error: ' "$log" >> "$history" || true
printf 'exit code %s, retry: %s\n' "$code" "$(retry_rule "$code")" >> "$history"
exit "$code"
