# The memory of an attempt of a job: that of the configuration first, and twice as much after each
# attempt that ended for want of memory. Not after others: what was stopped by a signal needs no more.
import re
from pathlib import Path


def is_main_process():
    """Whether this Snakemake makes the attempts: on a cluster, each job runs another Snakemake."""
    if hasattr(workflow, "is_main_process"):
        return workflow.is_main_process
    return workflow.mode == 0  # before Snakemake 8


# A job on a cluster must end after one attempt, for the next one to get more memory.
RETRIES = config["retries"] if is_main_process() else 0


def without_enough_memory(history):
    """The number of attempts that lacked memory, by the file that attempt.sh keeps."""
    lines = history.read_text(errors="replace").splitlines() if history.is_file() else []
    begun = sum(re.match(r"attempt \d+\b", line) is not None for line in lines)
    ends = [line for line in lines if line.startswith("exit code ")]
    # An attempt without an end was killed together with its shell, as the kernel does for memory.
    return begun - len(ends) + sum(line.endswith("retry: more") for line in ends)


def memory_for(rule, log):
    """A function for `resources: mem_mb`, for the job whose log has the pattern `log`."""
    def memory(wildcards, attempt):
        history = Path(log.format(**dict(wildcards.items())) + ".attempts")
        return config["mem_mb"][rule] * 2 ** (without_enough_memory(history) if attempt > 1 else 0)
    return memory


def limit_for(rule, log):
    """A function for `resources: limit_mb`: what gsx may take of mem_mb."""
    in_cluster = 300  # MB of Snakemake itself, which runs in the job, too

    def limit(wildcards, attempt):
        memory = memory_for(rule, log)(wildcards, attempt)
        return max(memory - in_cluster, memory // 2)
    return limit


def this_attempt(wildcards, attempt):
    """A function for `resources: attempt`, which attempt.sh gets."""
    return attempt
