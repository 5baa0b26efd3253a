#!/usr/bin/env python3
"""Checks the files of scripts/workflows against the program GSX.

  scripts/check_workflows.py GSX [ROOT]      check a tree (that of this script by default)
  scripts/check_workflows.py GSX --self-test check this script on wrong files

Every command and option of gsx that a file uses is in `gsx COMMAND --help`; the files parse; the
table of exit codes in README.md names all of `gsx --help`, and agrees with exit_codes.sh, with the
configuration of the nf-core modules and with the recipe for Nextflow; multiqc_gsx.py and gsx report name
samples alike; each meta.yml names the channels of its main.nf. Exit code 1 if something is wrong.
"""

import ast
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import small_yaml

OPTION = re.compile(r"(?<![\w.$/{-])(--[a-z][a-z0-9-]*|-[A-Za-z])(?![\w-])")
CALL = re.compile(r"(?:(?<![\w.$/{<-])gsx|\bgsx_job\.sh\"?) ([a-z0-9]+)\b([^|;&)>#`\n]*)")
# Files about one command, by folder; all options in them are its own.
ONE_COMMAND = re.compile(r"(?:wrappers|nf-core)/gsx/([a-z0-9]+)/(?:wrapper\.py|meta\.ya?ml|main\.nf|test/Snakefile)$")
HERE = Path(__file__).resolve().parent / "workflows"
OTHERS = {"--retries"}  # options of other programs in such files
# Where a script adds options to any command.
ADDED = re.compile(r"options\+=\((.*?)\)|\bwants (--?.*?);")


class Program:
    def __init__(self, path):
        self.path = path
        self.pages = {}
        page = self.run("--help")
        names = page.split("\nCommands:\n", 1)[1].split("\n\n", 2)[:2]
        self.commands = re.findall(r"^  ([a-z0-9]+) ", "\n".join(names), re.MULTILINE)
        self.exit_codes = {int(code) for code in re.findall(r"^  (\d+) ", page.split("Exit codes:")[1], re.MULTILINE)}

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], check=True, capture_output=True, text=True).stdout

    def options(self, command):
        if command not in self.pages:
            lines = self.run(command, "--help").splitlines()
            self.pages[command] = {option for line in lines if line.startswith("  -")
                                   for option in OPTION.findall(line[:29].split("  ", 2)[1] + " ")}
            self.pages[command] |= {option for line in lines if line.startswith("Tuning: ")
                                    for option in OPTION.findall(line)}
        return self.pages[command]


def joined(text):
    """The text with continued lines in one, and constants of a Snakefile put where they are used."""
    text = re.sub(r"\\\n\s*", " ", text)
    for name, value in re.findall(r'^([A-Z]+) = "(.*)"$', text, re.MULTILINE):
        text = re.sub(rf'"\s*\+ {name} \+ f?"', lambda _, value=value: value, text)
    return re.sub(r'"\n\s*f?"', "", text)


def wrong_options(path, text, program):
    """Commands and options that the program does not have."""
    one = ONE_COMMAND.search(str(path))
    if one:
        code = re.sub(r"\bsed '[^']*'|gsx --version|-\} ", "", text)
        for option in sorted(set(OPTION.findall(code)) - program.options(one[1]) - OTHERS):
            yield f"gsx {one[1]} has no option {option}"
    for command, rest in CALL.findall(joined(text)):
        if command not in program.commands:
            if not re.match(r"[\s\"']*(-|\{|\$|\w+\.)", rest):
                continue  # prose: "gsx indexes sequences"
            yield f"gsx has no command '{command}'"
            continue
        for option in OPTION.findall(rest):
            if option not in program.options(command):
                yield f"gsx {command} has no option {option}"
    for option in OPTION.findall(" ".join(map(" ".join, ADDED.findall(text)))):
        if option not in program.options("count"):
            yield f"gsx count has no option {option}"
    if path.name == "config.yaml":
        for command, options in re.findall(r'^  (index|count|locate|filter): +"(.*)"', text, re.MULTILINE):
            for option in set(OPTION.findall(options)) - program.options(command):
                yield f"gsx {command} has no option {option}"


def calls_in(text, program):
    return sum(command in program.commands for command, _ in CALL.findall(joined(text)))


def syntax_errors(path, text):
    if path.suffix == ".py":
        try:
            ast.parse(text)
        except SyntaxError as error:
            yield f"line {error.lineno}: {error.msg}"
    if path.suffix in (".sh", ".sbatch"):
        done = subprocess.run(["bash", "-n", path], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield done.stderr.strip()
    if path.suffix in (".nf", ".test", ".config"):
        for one, other in ("{}", "()", "[]"):
            if text.count(one) != text.count(other):
                yield f"there are {text.count(one)} '{one}' and {text.count(other)} '{other}'"
        if text.count('"""') % 2 != 0:
            yield 'a """ is open'


def rules_of_table(text):
    """{exit code: no, same or more} of the table in README.md."""
    rows = re.findall(r"^\| ([\d, ]+) \|[^|]*\| (no|same|more)\b", text, re.MULTILINE)
    return {int(code): rule for codes, rule in rows for code in codes.split(",")}


def wrong_retries(text, rules):
    """Where a text for Nextflow has other rules, or tries again for more memory and does not ask for it."""
    codes = re.search(r"exitStatus in \[([\d, ]+)\] \? 'retry'", text)
    tried = {int(code) for code in codes[1].split(",")} if codes else set()
    if tried != {code for code, rule in rules.items() if rule != "no"}:
        yield f"tries again after {sorted(tried)}, which is not what README.md says"
    for memory in re.findall(r"^ *memory\b(.*)", text, re.MULTILINE) or [""]:
        if "task.attempt" not in memory:
            yield "asks for as much memory in each attempt"


def wrong_rules(folder, program):
    rules = rules_of_table((folder / "README.md").read_text())
    for code in sorted(program.exit_codes - {0} - set(rules)):
        yield f"README.md has no rule for exit code {code}"
    for code, rule in sorted(rules.items()):
        done = subprocess.run(["bash", "-c", f"source {folder}/exit_codes.sh && retry_rule {code}"],
                              capture_output=True, text=True, check=True).stdout.strip()
        if done != rule:
            yield f"exit code {code}: README.md says {rule}, exit_codes.sh {done}"
    config = (folder / "nf-core/gsx/retry.config").read_text()
    yield from (f"retry.config {what}" for what in wrong_retries(config, rules))
    recipes = folder.parent.parent / "apps/gsx/doc/recipes.md"
    for block in re.findall(r"^```groovy\n(.*?)^```", recipes.read_text(), re.MULTILINE | re.DOTALL):
        yield from (f"{recipes.name} {what}" for what in wrong_retries(block, rules))


SAMPLES = {"S1.count.json": "S1", "S2.json": "S2", "S3.summary.json": "S3", "S4.count.json.gz": "S4",
           "S5.count.summary.json": "S5.count", "S6.locate.json": "S6.locate", "count.json": "count", ".json": ".json",
           "S7.txt": "S7.txt", "S8.json.json": "S8.json", "S9.summary.count.json.bgz": "S9"}


def wrong_samples(converter, program):
    """Files whose samples have other names than they should, in MultiQC or on the page of gsx report."""
    summary = json.dumps({"version": "0", "command": "count", "queries": 4, "queries_with_hits": 3, "hits": 5,
                          "queries_that_cannot_match": 0, "queries_truncated": 0}).encode()
    with tempfile.TemporaryDirectory() as folder:
        for name in SAMPLES:
            Path(folder, name).write_bytes(gzip.compress(summary) if name.endswith("gz") else summary)
        subprocess.run([sys.executable, converter, "-o", "mqc", *SAMPLES], cwd=folder, check=True)
        shown = list(json.loads(Path(folder, "mqc/gsx_count_mqc.json").read_text())["data"])
        page = subprocess.run([Path(program.path).resolve(), "report", "-q", "--summary", *SAMPLES], cwd=folder,
                              check=True, capture_output=True, text=True).stdout
    for who, names in (("multiqc_gsx.py", shown), ("gsx report", re.findall(r"<bdi>(.*)</bdi></th><td>count", page))):
        if names != list(SAMPLES.values()):
            yield f"{who} names the samples {names}, not {list(SAMPLES.values())}"


def names_in(value):
    """The names of channels: keys of the maps in nested lists."""
    if isinstance(value, dict):
        return list(value)
    return [name for part in value for name in names_in(part)]


def wrong_meta(path, meta):
    """Differences between a meta.yml and the main.nf beside it."""
    main = path.with_name("main.nf").read_text()
    blocks = dict(re.findall(r"^    (input|output):\n((?:    \S.*\n)+)", main, re.MULTILINE))
    inputs = [re.findall(r"(?:val|path)\(\"?([^\")]+)", line) for line in blocks["input"].splitlines()]
    if inputs != [names_in(channel) for channel in meta["input"]]:
        yield f"input is {inputs} in main.nf, and not in meta.yml"
    outputs = {}
    for line in blocks["output"].splitlines():
        parts, name = line.rsplit("emit: ", 1)
        outputs[name] = re.findall(r"(?:val\(|path\(|path )\"?([^\")]+)", parts)
    if outputs != {name: names_in(channel) for name, channel in meta["output"].items()}:
        yield f"output is {outputs} in main.nf, and not in meta.yml"
    if f"process {meta['name'].upper()} " not in main:
        yield f"the process is not {meta['name'].upper()}"


def wrong_yaml(folder):
    for path in sorted(folder.rglob("*.y*ml")):
        try:
            content = small_yaml.parse(path.read_text())
            if path.name == "meta.yml":
                yield from (f"{path.relative_to(folder)}: {what}" for what in wrong_meta(path, content))
        except (ValueError, KeyError) as error:
            yield f"{path.relative_to(folder)}: {error!r}"


def check(folder, program):
    """(errors, number of calls of gsx)"""
    errors, calls = [], 0
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if "__pycache__" in path.parts:
            continue
        text = path.read_text()
        calls += calls_in(text, program)
        for what in (*syntax_errors(path, text), *wrong_options(path, text, program)):
            errors.append(f"{path.relative_to(folder)}: {what}")
    errors += wrong_samples(folder / "multiqc_gsx.py", program)
    return errors + [*wrong_rules(folder, program), *wrong_yaml(folder)], calls


def self_test(program):
    cases = [
        ("a.sbatch", "gsx count -x a.gsx r.fq -o c.tsv\n", 0), ("a.sh", "gsx count -x a --sumary s\n", 1),
        ("a.sbatch", "exec gsx_job.sh count \\\n  -x a --bed\n", 1), ("a.sh", "gsx cuont -x a\n", 1),
        ("a.sh", "exec \"x/gsx_job.sh\" filter -x \"$1\" --dorp\n", 1), ("a.sh", "options+=(--thread 1)\n", 1),
        ("wrappers/gsx/count/test/Snakefile", 'extra="-Z 1"\n', 1),
        ("a.sh", "if true\n", 1), ("Snakefile", 'R = "-t 1 --nix {x} "\nshell: "gsx count " + R + "-o x"\n', 1),
        ("Snakefile", 'shell:\n    "gsx count {x} "\n    "--unmatch y"\n', 1),
        ("wrappers/gsx/filter/wrapper.py", 'x = " --unmatched {y}"\n', 1),
        ("nf-core/gsx/index/main.nf", "gsx index --threads 1 --gpu x\n", 2), ("a.nf", "process A { (\n", 2),
        ("config.yaml", 'options:\n  filter: "--dorp"\n', 1), ("a.py", "x = (\n", 1),
    ]
    wrong = 0
    with tempfile.TemporaryDirectory() as root:
        for name, text, expected in cases:
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            found = [*syntax_errors(path, text), *wrong_options(path, text, program)]
            if len(found) != expected:
                print(f"{name}: {text!r}: {found}, not {expected} errors")
                wrong += 1
        module, folder = HERE / "nf-core/gsx/count", Path(root, "yaml")
        folder.mkdir()
        (folder / "main.nf").write_text((module / "main.nf").read_text())
        metas = [((module / "meta.yml").read_text(), 0), ("name: gsx_count\ninput: []\noutput: {}\n", 2),
                 ("name: x: y\n", 1), ("name: x\n", 1)]
        for text, expected in metas:
            (folder / "meta.yml").write_text(text)
            found = list(wrong_yaml(folder))
            if len(found) != expected:
                print(f"meta.yml: {text!r}: {found}, not {expected} errors")
                wrong += 1
    table = rules_of_table("| 1 | a | same |\n| 2, 3 | b | no: c |\n")
    wrong += table != {1: "same", 2: "no", 3: "no"}
    for text, expected in (("memory { 4.GB * task.attempt }\n x { task.exitStatus in [1, 6] ? 'retry' : 'finish' }\n", 0),
                           ("memory '4 GB'\n x { task.exitStatus == 6 ? 'retry' : 'finish' }\n", 2)):
        wrong += len(list(wrong_retries(text, {1: "same", 3: "no", 6: "more"}))) != expected
    print("self-test failed" if wrong else f"self-test: {len(cases) + len(metas) + 3} files judged right")
    return 1 if wrong else 0


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    program = Program(arguments[0])
    if arguments[1:] == ["--self-test"]:
        return self_test(program)
    root = Path(arguments[1]) if arguments[1:] else Path(__file__).resolve().parent.parent
    errors, calls = check(root / "scripts/workflows", program)
    print("\n".join(errors) or f"{calls} calls of gsx have commands and options that exist")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
