#!/usr/bin/env bash
# scripts/workflows/test_workflows.sh GSX [PART]...: runs the workflow files with the program GSX and real
# Snakemake, Slurm and MultiQC, and compares all results with those of gsx run by hand. The parts are
#
#   snakemake  the workflow and the wrappers, with Snakemake 7 (that of Debian 12) and 9
#   multiqc    a report of summaries
#   nf-core    the script blocks of the modules, by bash
#   slurm      the batch scripts on a Slurm of this machine; as root, in namespaces
#   cluster    the workflow of Snakemake on such a Slurm
#
# and without one, all. Installs Debian packages, and packages of PyPI in build-workflows/. Where
# namespaces cannot be made, slurm and cluster are left out, or are a failure with GSX_REQUIRE_SLURM=1.
# Exit code 0 only if every check has passed.
set -euo pipefail
# shellcheck source=../common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

if (($# == 0)) || [[ ! -x $1 ]]; then die "usage: scripts/workflows/test_workflows.sh GSX [PART]..."; fi
gsx=$(realpath "$1")
shift
parts=("$@")
if ((${#parts[@]} == 0)); then parts=(snakemake multiqc nf-core slurm cluster); fi
# shellcheck disable=SC2034  # for the file beside it
workflows=$PWD/scripts/workflows
tests=$workflows/tests
# shellcheck source=tests/common.sh
source "$tests/common.sh"

# environment NAME PACKAGE...: a virtual environment with packages of PyPI, made once.
environment() {
  local folder=$PWD/build-workflows/$1
  shift
  if [[ -f $folder/whole ]] && [[ $(cat "$folder/whole") == "$*" ]]; then return; fi
  say "installing $*"
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" -q --disable-pip-version-check install "$@"
  echo "$*" > "$folder/whole"
}

environments() {
  install_packages python3 python3-venv shellcheck
  environment snakemake snakemake==9.27.1 snakemake-executor-plugin-slurm==2.8.0 multiqc==1.35
  environment snakemake-7 snakemake==7.21.0 'pulp<2.8'
}

# may_run_slurm: whether this is root, and may make namespaces.
may_run_slurm() {
  if ((EUID == 0)) && unshare --mount --pid --fork --uts --net --mount-proc true 2> /dev/null; then
    install_packages slurmctld slurmd slurm-client munge iproute2
    return
  fi
  say "no root, or no namespaces: $1 is not run"
  if [[ -n ${GSX_REQUIRE_SLURM:-} ]]; then failed+=("$1"); fi
  return 1
}

failed=()
part() {
  local name=$1
  shift
  say "$name"
  if ! "$@"; then failed+=("$name"); fi
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$gsx" "$work/bin/gsx"
environments
for variable in $(compgen -e | grep '^\(GSX\|SLURM\)_' | grep -v '^GSX_REQUIRE_SLURM$'); do unset "$variable"; done
plain=$work/bin:$PATH
nine=$work/bin:$PWD/build-workflows/snakemake/bin:$PATH
seven=$work/bin:$PWD/build-workflows/snakemake-7/bin:$PATH

# in_folder NAME: a folder of its own with the samples, and what gsx makes of them.
in_folder() {
  make_samples "$work/$1" data
  PATH=$plain by_hand "$work/$1"
  folder=$work/$1
}

part "check of the files" env PATH="$nine" python3 scripts/check_workflows.py "$gsx"
for name in "${parts[@]}"; do
  in_folder "$name"
  case $name in
    snakemake)
      part "$name 9" env PATH="$nine" "$tests/local_snakemake.sh" "$folder"
      part "$name 7" env PATH="$seven" "$tests/local_snakemake.sh" "$folder"
      ;;
    multiqc) part "$name" env PATH="$nine" "$tests/multiqc.sh" "$folder" ;;
    nf-core) part "$name" env PATH="$plain" "$tests/nf_scripts.sh" "$folder" ;;
    slurm)
      if may_run_slurm "$name"; then
        part "$name" env PATH="$plain" "$tests/one_node_slurm.sh" "$work/daemons" "$tests/slurm_batch.sh" "$folder"
      fi
      ;;
    cluster)
      # Without limits by control groups: a job of 20 MB shows how memory grows, and Snakemake is larger.
      if may_run_slurm "$name"; then
        part "$name" env PATH="$nine" SLURM_CGROUPS=no "$tests/one_node_slurm.sh" "$work/daemons-2" \
          "$tests/slurm_snakemake.sh" "$folder"
      fi
      ;;
    *) die "unknown part '$name'; the head of $0 lists them" ;;
  esac
done
if ((${#failed[@]} > 0)); then die "failed: ${failed[*]}"; fi
say "all workflows passed: ${parts[*]}"
