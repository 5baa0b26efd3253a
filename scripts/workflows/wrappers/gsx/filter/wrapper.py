"""Keeps or drops the reads that match an index with gsx filter."""

from snakemake.shell import shell

extra = snakemake.params.get("extra", "--drop")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)
memory = snakemake.resources.get("mem_mb")
# On a cluster, Snakemake itself runs in the job, and takes up to 300 MB.
limit = f"--memory-limit {max(memory - 300, memory // 2)}MB" if memory else ""
side_files = ""
if snakemake.output.get("mates"):
    side_files += " -O {snakemake.output.mates:q}"
if snakemake.output.get("summary"):
    side_files += " --summary {snakemake.output.summary:q}"

shell(
    "gsx filter -t {snakemake.threads} {limit} -x {snakemake.input.index:q} {extra} {snakemake.input.reads:q}"
    " -o {snakemake.output[0]:q}" + side_files + " {log}"
)
