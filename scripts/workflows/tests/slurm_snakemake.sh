#!/usr/bin/env bash
# slurm_snakemake.sh FOLDER: the workflow with the snakemake in PATH, on the Slurm that one_node_slurm.sh
# started, in FOLDER, which make_samples and by_hand have filled.
# shellcheck disable=SC2317  # functions that the checks call
set -euo pipefail
workflows=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
# shellcheck source=common.sh
source "$workflows/tests/common.sh"
cd "$1"
name="snakemake and Slurm"

rm -rf results .snakemake
write_config . 20 pairs 'reads/pairs_1.fq.gz, reads/pairs_2.fq.gz' single reads/single.fq.gz cut reads/cut.fq
sed -i -e 's/^steps: .*/steps: [count, locate, filter]/' -e 's/^keep_index: .*/keep_index: true/' config.yaml
# This Slurm keeps no accounts of jobs that have ended: squeue is asked.
workflow() {
  snakemake -s "$workflows/Snakefile" --workflow-profile "$workflows/profiles/slurm" --slurm-status-command squeue \
    --slurm-init-seconds-before-status-checks 2 --seconds-between-status-checks 2 > slurm_snakemake.log 2>&1
}
expect_not "$name: a sample that is not whole is a failure" workflow
expect_results "$name" results by_hand
history=results/logs/index.log.attempts
expect "$name: the index lacked memory" equal "$(grep -c '^exit code 6, retry: more$' $history)" 1
expect "$name: and got twice as much" has $history '^attempt 2: gsx index -t 2 --memory-limit 20MB'
expect "$name: Slurm knew of it" equal "$(scontrol show job | grep -A 30 'Comment=rule_index\|JobName' |
  sed -n 's/.*MinMemoryNode=\([0-9]*M\).*/\1/p' | sort | grep -c '^[24]0M$')" 2
for step in count locate filter; do
  history=results/logs/$step/cut.log.attempts
  expect "$name: gsx $step ran once for what is not whole" equal "$(grep -c '^attempt .*gsx' $history)" 1
  expect "$name: with exit code 3" has $history '^exit code 3, retry: no$'
  expect_not "$name: which has no result" compgen -G "results/$step/cut.*"
done
exit "$((wrong > 0))"
