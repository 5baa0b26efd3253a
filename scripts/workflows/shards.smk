# An index in shards: each is built and searched by a job of its own, and what the jobs found is merged.
# Included by the Snakefile where `shards` is more than 1.

DIGITS = max(3, len(str(SHARDS - 1)))
NUMBERS = [f"{number:0{DIGITS}}" for number in range(SHARDS)]
SHARD = INDEX[:-len(".gsx")] + ".{shard}.gsx"
CUT = f"--shards {SHARDS} "


def part_of(step):
    return f"{RESULTS}/parts/{step}/{{sample}}.{{shard}}.part"


wildcard_constraints:
    shard=r"\d+",


if INDEX != config["genome"]:

    rule index_shard:
        input:
            config["genome"],
        output:
            SHARD if config["keep_index"] else temp(SHARD),
        log:
            f"{RESULTS}/logs/index.{{shard}}.log",
        params:
            extra=config["options"]["index"],
            number=lambda wildcards: int(wildcards.shard),
            manifest=INDEX,
        threads: config["threads"]["index"]
        retries: RETRIES
        resources:
            mem_mb=memory_for("index", f"{RESULTS}/logs/index.{{shard}}.log"),
            limit_mb=limit_for("index", f"{RESULTS}/logs/index.{{shard}}.log"),
            attempt=this_attempt,
        shell:
            ATTEMPT + "gsx index -t {threads} --memory-limit {resources.limit_mb}MB {params.extra} " + CUT +
            "--shard {params.number} {input:q} -o {params.manifest:q}"

    rule index:
        input:
            genome=config["genome"],
            shards=expand(SHARD, shard=NUMBERS),
        output:
            INDEX if config["keep_index"] else temp(INDEX),
        log:
            f"{RESULTS}/logs/index.log",
        params:
            extra=config["options"]["index"],
        threads: config["threads"]["index"]
        retries: RETRIES
        resources:
            mem_mb=memory_for("index", f"{RESULTS}/logs/index.log"),
            limit_mb=limit_for("index", f"{RESULTS}/logs/index.log"),
            attempt=this_attempt,
        shell:
            ATTEMPT + "gsx index -t {threads} --memory-limit {resources.limit_mb}MB {params.extra} " + CUT +
            "--manifest-only {input.genome:q} -o {output:q}"


def search_rules():
    """The steps that search shards, and the formats of their results."""
    return {"count": "tsv.gz", "locate": config["locate_format"]}


for search, search_suffix in search_rules().items():

    rule:
        name: f"{search}_shard"
        input:
            index=SHARD,
            reads=reads_of,
        output:
            temp(part_of(search)),
        log:
            f"{RESULTS}/logs/{search}/{{sample}}.{{shard}}.log",
        params:
            extra=config["options"][search],
            search=search,
        threads: config["threads"][search]
        retries: RETRIES
        resources:
            mem_mb=memory_for(search, f"{RESULTS}/logs/{search}/{{sample}}.{{shard}}.log"),
            limit_mb=limit_for(search, f"{RESULTS}/logs/{search}/{{sample}}.{{shard}}.log"),
            attempt=this_attempt,
        shell:
            ATTEMPT + "gsx {params.search} " + SEARCH + "-o {output:q}"

    rule:
        name: search
        input:
            index=INDEX,  # whose shards have been checked
            shards=expand(SHARD, shard=NUMBERS) if INDEX != config["genome"] else [],
            parts=expand(part_of(search), shard=NUMBERS, allow_missing=True),
        output:
            merged=f"{RESULTS}/{search}/{{sample}}.{search_suffix}",
            summary=summary_of(search),
        log:
            log_of(search),
        retries: RETRIES
        resources:
            mem_mb=memory_for(search, log_of(search)),
            attempt=this_attempt,
        shell:
            ATTEMPT + "gsx merge -t {threads} -x {input.index:q} {input.parts:q} -o {output.merged:q} "
            "--summary {output.summary:q}"
