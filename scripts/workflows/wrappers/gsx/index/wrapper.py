"""Builds an index with gsx index."""

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)
memory = snakemake.resources.get("mem_mb")
# On a cluster, Snakemake itself runs in the job, and takes up to 300 MB.
limit = f"--memory-limit {max(memory - 300, memory // 2)}MB" if memory else ""

shell("gsx index -t {snakemake.threads} {limit} {extra} {snakemake.input:q} -o {snakemake.output[0]:q} {log}")
