#!/usr/bin/env bash
# one_node_slurm.sh FOLDER COMMAND...: runs COMMAND on a Slurm of this machine alone, as root. The
# daemons live in namespaces of their own and keep all they write in FOLDER; they end with COMMAND.
# The packages slurmctld, slurmd, slurm-client and munge must be there. Jobs have memory limits by
# control groups where the machine has those of version 1, and not with SLURM_CGROUPS=no. COMMAND
# sees yes or no in SLURM_CGROUPS.
set -euo pipefail

start_munge() {
  (umask 077 && head -c 1024 /dev/urandom > "$1/munge/key")
  munged --force --key-file="$1/munge/key" --socket="$1/munge/socket" --pid-file="$1/munge/pid" \
    --log-file="$1/munge/log" --seed-file="$1/munge/seed"
}

configure() {
  local folder=$1 task=none cgroups=$1/no-cgroups
  if [[ $SLURM_CGROUPS == yes ]]; then task=cgroup cgroups=/sys/fs/cgroup; fi
  cat > "$folder/slurm.conf" << END
ClusterName=gsx
SlurmctldHost=$node($address)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
# A job that is requeued starts after cred_expire seconds.
AuthInfo=socket=$folder/munge/socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/$task
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=bf_interval=2,sched_interval=2,sched_min_interval=100000
GresTypes=gpu
KillWait=10
MinJobAge=3600
NodeName=$node NodeAddr=$address CPUs=$(nproc) RealMemory=4000 Gres=gpu:2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES DefMemPerCPU=200 MaxTime=60 State=UP
END
  cat > "$folder/cgroup.conf" << END
CgroupPlugin=cgroup/v1
CgroupMountpoint=$cgroups
CgroupAutomount=no
ConstrainRAMSpace=yes
ConstrainCores=no
END
  # No GPU: a file that is always there, so that Slurm sets CUDA_VISIBLE_DEVICES.
  printf 'Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n' > "$folder/gres.conf"
}

if [[ ${1:-} != --inside ]]; then
  if (($# < 2)); then
    sed -n '2s/^# //p' "$0" >&2
    exit 2
  fi
  if [[ ! -w /sys/fs/cgroup/memory/memory.limit_in_bytes ]]; then SLURM_CGROUPS=no; fi
  export SLURM_CGROUPS=${SLURM_CGROUPS:-yes}
  trap 'find /sys/fs/cgroup -depth -type d -path "*/slurm_gsxnode*" -exec rmdir {} + 2> /dev/null || true' EXIT
  # Of the namespaces, that of processes ends the daemons; the others keep the host's name and
  # network as they are.
  unshare --mount --pid --fork --kill-child --uts --net --mount-proc "$0" --inside "$@"
  exit
fi

mkdir -p "$2"
folder=$(realpath "$2")
shift 2
node=gsxnode address=10.77.0.1
ip link set lo up
ip address add "$address/32" dev lo  # Slurm refuses addresses of the loopback network, 127
hostname "$node"
mkdir -p "$folder"/{munge,state,spool,no-cgroups}
chmod 700 "$folder/munge"
{ cat /etc/hosts; echo "$address $node"; } > "$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts
mount --bind "$folder" /etc/slurm
configure "$folder"
start_munge "$folder"
slurmctld
slurmd
for ((i = 0; i < 60; ++i)); do
  if [[ $(sinfo --noheader --format %t 2> /dev/null) == idle ]]; then break; fi
  sleep 0.5
done
if ((i == 60)); then
  echo "error: the node of Slurm does not come up" >&2
  tail -n 20 "$folder/slurmctld.log" "$folder/slurmd.log" >&2
  exit 1
fi
"$@"
