#!/usr/bin/env python3
"""Turns files of gsx --summary into custom content for MultiQC, which needs no plug-in for it.

  multiqc_gsx.py [-o FOLDER] [NAME=]SUMMARY...

SUMMARY is a file that a command of gsx wrote for --summary, plain or gzip. The sample is
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

QUERY_NUMBERS = ("queries", "queries_with_hits", "queries_that_cannot_match", "hits")
NUMBERS = {"count": QUERY_NUMBERS, "locate": QUERY_NUMBERS, "mem": QUERY_NUMBERS, "ms": QUERY_NUMBERS,
           "offtarget": QUERY_NUMBERS, "amplicon": QUERY_NUMBERS,
           "filter": ("reads", "reads_matched", "reads_that_cannot_match", "reads_written"),
           "prefix": ("queries", "queries_matched", "entries", "entries_matched"),
           "neighbors": ("reads", "distinct")}
CORRECTIONS = ("exact", "corrected", "ambiguous", "unmatched")  # of neighbors --correct
SECTION = {"parent_id": "gsx", "parent_name": "gsx",
           "parent_description": "indexes biological sequences and finds matches in them."}
# What is counted of each command, and what those are called that match, and those that do not.
WORDS = {"count": ("queries", "with hits", "without hits"), "mem": ("queries", "with matches", "without matches"),
         "filter": ("reads", "match", "do not match")}
WORDS |= {"locate": WORDS["count"], "ms": WORDS["mem"], "offtarget": ("guides", "with sites", "without sites"),
          "amplicon": ("pairs", "with products", "without products"), "prefix": ("queries", "with an entry", "without an entry"),
          "neighbors": ("reads", "exact or corrected", "others")}
COLOURS = {"found": "#3b7dd8", "none": "#b9c4d0", "odd": "#e0a030", "exact": "#3b7dd8", "corrected": "#7fb2ee",
           "ambiguous": "#e0a030", "unmatched": "#b9c4d0", "distinct": "#3b7dd8", "repeated": "#b9c4d0",
           "reads_too_short": "#8a5a9e"}


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
    if command not in NUMBERS or not isinstance(summary.get("version"), str):
        raise SummaryError(f"'{path}' is no summary of gsx; gsx {', '.join(NUMBERS)} write one for --summary")
    names = NUMBERS[command]
    if command == "neighbors":
        summary.setdefault("reads_too_short", 0)
        names += ("reads_too_short",)
        if is_correction(summary):
            names += CORRECTIONS
    for name in names:
        number = summary.get(name)
        if type(number) is not int or number < 0:
            raise SummaryError(f"'{path}' has no number '{name}'")
    whole, parts = parts_of(command, summary)
    if any(part < 0 for part in parts.values()) or sum(parts.values()) != whole:
        raise SummaryError(f"'{path}' contradicts itself: of {whole} {WORDS[command][0]}, the parts are "
                           + ", ".join(f"{part} ({name})" for name, part in parts.items()))
    return summary


def is_correction(summary):
    return any(name in summary for name in CORRECTIONS)


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


def parts_of(command, summary):
    """What the bars show: the number of all, and of each part."""
    if command == "neighbors":
        whole, names = summary["reads"], [*CORRECTIONS, "reads_too_short"]
        if is_correction(summary):
            return whole, {name: summary[name] for name in names}
        distinct, short = summary["distinct"], summary["reads_too_short"]
        return whole, {"distinct": distinct, "repeated": whole - short - distinct, "reads_too_short": short}
    if command == "prefix":
        whole, found, odd = summary["queries"], summary["queries_matched"], 0
    elif command == "filter":
        whole, found, odd = summary["reads"], summary["reads_matched"], summary["reads_that_cannot_match"]
    else:
        whole, found, odd = summary["queries"], summary["queries_with_hits"], summary["queries_that_cannot_match"]
    return whole, {"found": found, "none": whole - found - odd, **({"odd": odd} if command != "prefix" else {})}


def share_of(command, summary):
    """What the general statistics show: the number of all, and of those that match; None without matches."""
    whole, parts = parts_of(command, summary)
    if command != "neighbors":
        return whole, parts["found"]
    return whole, parts["exact"] + parts["corrected"] if is_correction(summary) else None


def general_statistics(commands):
    columns, data = [], {}
    for command, samples in sorted(commands.items()):
        of, found, _ = WORDS[command]
        which = f"{of} {found}" if found.startswith("with") else f"{of} that {found}"
        if command == "neighbors":
            which = "reads whose barcode is right or corrected"
        share, number = f"gsx_{command}_share", f"gsx_{command}_number"
        columns += [
            {share: {"title": f"{command}: {found}", "description": f"Share of the {which} (gsx {command})",
                     "suffix": "%", "min": 0, "max": 100, "format": "{:,.1f}", "scale": "Blues"}},
            {number: {"title": f"{command}: {of}", "description": f"Number of {of} (gsx {command})",
                      "min": 0, "format": "{:,.0f}", "scale": "Greys", "hidden": True}}]
        for sample, summary in samples.items():
            whole, part = share_of(command, summary)
            values = data.setdefault(sample, {})
            values[number] = whole
            if part is not None:
                values[share] = per_cent(part, whole)
    return {"id": "gsx_general", "plot_type": "generalstats", "pconfig": columns, "data": data}


def bars(command, samples):
    of, matching, others = WORDS[command]
    data = {sample: parts_of(command, summary)[1] for sample, summary in samples.items()}
    names = {"found": matching, "none": others, "odd": "cannot match"}
    text = (f"The {of} of each sample; those that cannot match have letters that the index does not have, or are "
            "too short.")
    if command == "prefix":
        text = "The queries of each sample that begin with an entry of the set, and the others."
    if command == "neighbors":
        names = {name: name for name in CORRECTIONS} | {"distinct": "distinct", "repeated": "further of these"}
        names |= {"reads_too_short": "too short"}
        text = "The reads of each sample by what became of their barcode, or how many different ones there are."
    shown = {key for parts in data.values() for key in parts}
    return {"id": f"gsx_{command}", **SECTION, "section_name": f"gsx {command}", "description": text,
            "plot_type": "bargraph",
            "pconfig": {"id": f"gsx_{command}_plot", "title": f"gsx: {command}", "ylab": f"Number of {of}"},
            "categories": {key: {"name": name, "color": COLOURS[key]} for key, name in names.items() if key in shown},
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
