"""Counts queries in an index with gsx count."""

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=False, stderr=True)
memory = snakemake.resources.get("mem_mb")
# On a cluster, Snakemake itself runs in the job, and takes up to 300 MB.
limit = f"--memory-limit {max(memory - 300, memory // 2)}MB" if memory else ""
side_files = "".join(
    f" --{name} {{snakemake.output.{name}:q}}" for name in ("summary", "unmatched") if snakemake.output.get(name)
)

shell(
    "gsx count -t {snakemake.threads} {limit} -x {snakemake.input.index:q} {extra} {snakemake.input.reads:q}"
    " -o {snakemake.output[0]:q}" + side_files + " {log}"
)
