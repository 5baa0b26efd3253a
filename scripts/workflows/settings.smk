# The settings, checked before anything runs, and the files that they ask for.
import re

from snakemake.exceptions import WorkflowError

STEPS = ("count", "locate", "filter")
MATES = 2


def require(holds, what):
    if not holds:
        raise WorkflowError(f"config: {what}")


config.setdefault("shards", 1)


def check_settings():
    known = ("genome", "samples", "steps", "results", "keep_index", "multiqc", "shards", "locate_format",
             "filter_format", "options", "threads", "mem_mb", "retries")
    for name in known:
        require(name in config, f"'{name}' is missing; config.yaml beside the Snakefile has an example")
    for name in config:
        require(name in known, f"'{name}' is not a setting; there are {', '.join(known)}")
    for step in config["steps"]:
        require(step in STEPS, f"'{step}' is not a step; there are {', '.join(STEPS)}")
    require(config["steps"], "'steps' is empty")
    require(isinstance(config["samples"], dict) and config["samples"], "'samples' names no sample")
    for name, files in config["samples"].items():
        require(re.fullmatch(r"[\w.-]+", str(name)), f"the name of sample '{name}' has other signs than "
                "letters, digits, '_', '.' and '-'")
        require(isinstance(files, list) and files, f"sample '{name}' has no list of files")
        require("filter" not in config["steps"] or len(files) <= MATES,
                f"sample '{name}' has {len(files)} files; filter takes one, or two of mates")
    require(isinstance(config["shards"], int) and config["shards"] > 0, "'shards' is not a number above 0")
    require(config["shards"] == 1 or re.fullmatch(r"(tsv|bed|paf|jsonl|gff3|bedgraph)(\.gz)?", config["locate_format"])
            or "locate" not in config["steps"], "with 'shards', 'locate_format' is tsv, bed, paf, jsonl, gff3 or bedgraph, "
            "each also with .gz")
    for group in ("options", "threads", "mem_mb"):
        for step in ("index", *STEPS):
            require(step in config[group], f"'{group}' has no value for {step}")
    for group in ("threads", "mem_mb"):
        for step, value in config[group].items():
            require(isinstance(value, int) and value > 0, f"'{group}' of {step} is not a number above 0")


check_settings()
RESULTS = str(config["results"])
SHARDS = config["shards"]
SAMPLES = {str(name): files for name, files in config["samples"].items()}
SINGLE = [name for name, files in SAMPLES.items() if len(files) == 1]
PAIRED = [name for name, files in SAMPLES.items() if len(files) == MATES]


def one_of(names):
    """A pattern that matches these names, and nothing if there are none."""
    return "|".join(map(re.escape, names)) or "(?!)"


def reads_of(wildcards):
    return SAMPLES[wildcards.sample]


def results_of(step, sample):
    suffix = {"count": "tsv.gz"}.get(step) or config[f"{step}_format"]
    numbers = ("_1", "_2") if step == "filter" and sample in PAIRED else ("",)
    return [f"{RESULTS}/{step}/{sample}{number}.{suffix}" for number in numbers]


def require_names_of_their_own():
    files = [file for step in config["steps"] for sample in SAMPLES for file in results_of(step, sample)]
    twice = sorted({file for file in files if files.count(file) > 1})
    require(not twice, f"two samples would write {', '.join(twice)}; rename one")


def all_summaries():
    return [f"{RESULTS}/{step}/{sample}.{step}.json" for step in config["steps"] for sample in SAMPLES]


def all_results(index):
    """What the whole workflow makes."""
    files = [file for step in config["steps"] for sample in SAMPLES for file in results_of(step, sample)]
    last = f"{RESULTS}/multiqc_report.html" if config["multiqc"] else f"{RESULTS}/multiqc"
    kept = [index] if config["keep_index"] else []
    return files + kept + [last]


require_names_of_their_own()
