#!/usr/bin/env python3
"""Turns files of gsx --summary into custom content for MultiQC, which needs no plug-in for it.

  multiqc_gsx.py [-o FOLDER] [NAME=]SUMMARY...

SUMMARY is a file that gsx count, locate, mem, ms or filter wrote for --summary, plain or gzip. The sample is
NAME, else as in gsx report the name of the file without .gz, .json, the command and .summary at its end:
S1.count.json, S1.summary.json and S1.json are of the sample S1. FOLDER (the current one by default) gets the files gsx_*_mqc.json and
gsx_mqc_versions.yml; give it to multiqc. Exit code 2 for wrong usage, 3 for a file that is no summary,
1 if a file cannot be written.
"""

import gzip
import json
import os
import sys
import zlib
from pathlib import Path

QUERY_COMMANDS = ("count", "locate", "mem", "ms")
QUERY_NUMBERS = ("queries", "queries_with_hits", "queries_that_cannot_match", "hits")
READ_NUMBERS = ("reads", "reads_matched", "reads_that_cannot_match", "reads_written")
SECTION = {"parent_id": "gsx", "parent_name": "gsx",
           "parent_description": "indexes biological sequences and finds matches in them."}
# What is counted of each command, and what those are called that match, and those that do not.
WORDS = {"count": ("queries", "with hits", "without hits"), "mem": ("queries", "with matches", "without matches"),
         "filter": ("reads", "match", "do not match")}
WORDS |= {"locate": WORDS["count"], "ms": WORDS["mem"]}
COLOURS = {"found": "#3b7dd8", "none": "#b9c4d0", "odd": "#e0a030"}


class SummaryError(Exception):
    pass


def read_summary(path):
    try:
        content = Path(path).read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        summary = json.loads(content.decode("utf-8"))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise SummaryError(f"cannot read '{path}': {error}") from error
    command = summary.get("command") if isinstance(summary, dict) else None
    if command not in (*QUERY_COMMANDS, "filter") or not isinstance(summary.get("version"), str):
        raise SummaryError(f"'{path}' is no summary of gsx; gsx count, locate, mem, ms and filter write "
                           "one for --summary")
    for name in READ_NUMBERS if command == "filter" else QUERY_NUMBERS:
        number = summary.get(name)
        if type(number) is not int or number < 0:
            raise SummaryError(f"'{path}' has no number '{name}'")
    whole, found, odd = shares_of(command, summary)
    if found + odd > whole:
        raise SummaryError(f"'{path}' contradicts itself: of {whole} {WORDS[command][0]}, {found} match and {odd} "
                           "cannot match")
    return summary


def sample_of(path, command):
    name = Path(path).name
    for suffix in (".gz", ".bgz", ".json", f".{command}", ".summary"):
        name = name.removesuffix(suffix) or name
    return name


def read_all(arguments):
    """{command: {sample: summary}}, and the versions of gsx that wrote them."""
    commands, versions = {}, set()
    for argument in arguments:
        name, _, path = argument.rpartition("=")
        if name and Path(argument).exists():
            name, path = "", argument
        summary = read_summary(path)
        command = summary["command"]
        sample = name or sample_of(path, command)
        if sample in commands.setdefault(command, {}):
            raise SummaryError(f"'{path}' is another summary of {command} for the sample '{sample}'; "
                               "tell them apart by NAME=FILE")
        commands[command][sample] = summary
        versions.add(summary["version"])
    return commands, sorted(versions)


def per_cent(part, whole):
    return 100 * part / whole if whole else 0


def shares_of(command, summary):
    """What the columns of the general statistics and the bars show: (all, found, odd)."""
    if command == "filter":
        return summary["reads"], summary["reads_matched"], summary["reads_that_cannot_match"]
    return summary["queries"], summary["queries_with_hits"], summary["queries_that_cannot_match"]


def general_statistics(commands):
    columns, data = [], {}
    for command, samples in sorted(commands.items()):
        of, found, _ = WORDS[command]
        which = f"{of} {found}" if found.startswith("with") else f"{of} that {found}"
        share, number = f"gsx_{command}_share", f"gsx_{command}_number"
        columns += [
            {share: {"title": f"{command}: {found}", "description": f"Share of the {which} (gsx {command})",
                     "suffix": "%", "min": 0, "max": 100, "format": "{:,.1f}", "scale": "Blues"}},
            {number: {"title": f"{command}: {of}", "description": f"Number of {of} (gsx {command})",
                      "min": 0, "format": "{:,.0f}", "scale": "Greys", "hidden": True}}]
        for sample, summary in samples.items():
            whole, part, _ = shares_of(command, summary)
            data.setdefault(sample, {}).update({share: per_cent(part, whole), number: whole})
    return {"id": "gsx_general", "plot_type": "generalstats", "pconfig": columns, "data": data}


def bars(command, samples):
    of, matching, others = WORDS[command]
    data = {}
    for sample, summary in samples.items():
        whole, found, odd = shares_of(command, summary)
        data[sample] = {"found": found, "none": whole - found - odd, "odd": odd}
    names = {"found": matching, "none": others, "odd": "cannot match"}
    return {"id": f"gsx_{command}", **SECTION, "section_name": f"gsx {command}",
            "description": f"The {of} of each sample; those that cannot match have letters that the index "
                           "does not have, or are too short.",
            "plot_type": "bargraph",
            "pconfig": {"id": f"gsx_{command}_plot", "title": f"gsx: {command}", "ylab": f"Number of {of}"},
            "categories": {key: {"name": name, "color": COLOURS[key]} for key, name in names.items()},
            "data": data}


def write(path, content):
    """The file has its name only when it is whole."""
    begun = path.with_name(f".{path.name}.{os.getpid()}")
    begun.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    begun.replace(path)


def main(arguments):
    folder = Path(".")
    if arguments[:1] == ["-o"] and len(arguments) > 1:
        folder, arguments = Path(arguments[1]), arguments[2:]
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stdout if arguments[:1] in (["-h"], ["--help"]) else sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    try:
        commands, versions = read_all(arguments)
    except SummaryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / "gsx_general_mqc.json", general_statistics(commands))
        for command, samples in commands.items():
            write(folder / f"gsx_{command}_mqc.json", bars(command, samples))
        write(folder / "gsx_mqc_versions.yml", {"gsx": {"gsx": versions}})  # JSON is YAML
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
