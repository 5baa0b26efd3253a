#!/usr/bin/env python3
"""Makes the tables of the documents from the CSVs in results/.

  scripts/bench/tables.py --write     writes the tables into the documents
  scripts/bench/tables.py --check     exit code 1 if a table differs from its CSV, or a CSV lacks a field

A table stands between two comments: one that names its CSV, without ".csv", and may name the works
that it shows, separated by semicolons, and one that ends it.

  <!-- table: cpu_search | count, reads of 150; rank -->
  <!-- end of table -->

Without its CSV, nothing stands there. A cell is the median over the runs, followed by the least and the most of them.
"""

import csv
import re
import statistics
import sys
from pathlib import Path

from benchmark import FIELDS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DOCUMENTS = [HERE / "README.md", ROOT / "README.md"]
TABLE = re.compile(r"(<!-- table: (\S+)(?: \| (.*?))? -->\n).*?(<!-- end of table -->)", re.DOTALL)
NEEDED = ["table", "text", "work", "program", "transfer", "threads", "run", "rate", "unit", "commit", "cpu",
          "cores", "date", "command"]
COMPARED = ("gpu_build", "cpu_build", "gpu_inverse", "cpu_inverse", "programs", "mismatches", "matches",
            "repeats", "barcodes")
DEVICE_MEMORY = "peak device memory"
WITH_MEMORY = ("gpu_build",)  # which show that, of all that gsx bench has done in a run


class BadTable(Exception):
    pass


def rows_of(path):
    """The rows of a CSV; every field that a table needs must be there and filled."""
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != FIELDS:
            raise BadTable(f"{path.name} does not have the fields {','.join(FIELDS)}")
        rows = list(reader)
    if not rows:
        raise BadTable(f"{path.name} has no rows")
    for number, row in enumerate(rows, 2):
        missing = [name for name in NEEDED if not row[name]]
        if missing:
            raise BadTable(f"{path.name}, line {number} lacks {', '.join(missing)}")
    return rows


def grouped(rows, *names):
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def scaled(number, unit):
    for scale, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= scale:
            return f"{number / scale:.3g} {letter}{'' if unit.startswith('B') else ' '}{unit}".strip()
    return f"{number:.3g} {unit}".strip()


def seconds(number):
    return f"{number * 1e3:.3g} ms" if number < 0.1 else f"{number:.3g} s"


def times_of(rows):
    return [float(row["seconds"]) for row in rows if row["seconds"]]


def spread(rows):
    times = times_of(rows)
    if len(times) == 1:
        return seconds(times[0])
    return f"{seconds(statistics.median(times))} ({seconds(min(times))} to {seconds(max(times))})"


def median_rate(rows):
    return statistics.median(float(row["rate"]) for row in rows)


def name_of(program, transfer):
    return program if transfer == "none" else f"{program}, {transfer}"


def device_memory(rows):
    """The most memory that gsx took on a GPU, by text; empty if no GPU was measured."""
    shown = [row for row in rows if row["table"] in WITH_MEMORY and row["work"] == DEVICE_MEMORY and float(row["rate"])]
    return {text: scaled(max(float(row["rate"]) for row in group), group[0]["unit"])
            for (text,), group in grouped(shown, "text").items()}


def compared(rows):
    """A row per text and work, a column per program and kind of transfer, and how often gsx is as fast."""
    memory = device_memory(rows)
    rows = [row for row in rows if row["seconds"]]
    columns = list(grouped(rows, "program", "transfer"))
    works = list(grouped(rows, "work"))
    head = ["text", "symbols"] + ["work"] * (len(works) > 1)
    for program, transfer in columns:
        head += [name_of(program, transfer)] + ["times"] * (program != "gsx")
    lines = [head + [f"gsx, {DEVICE_MEMORY}"] * bool(memory)]
    for (text, work), group in grouped(rows, "text", "work").items():
        cells = grouped(group, "program", "transfer")
        own = [statistics.median(times_of(cells[key])) for key in columns if key[0] == "gsx" and key in cells]
        symbols = group[0]["symbols"]
        line = [text, scaled(float(symbols), "").strip() if float(symbols or 0) else ""] + [work] * (len(works) > 1)
        for key in columns:
            line.append(spread(cells[key]) if key in cells else "")
            if key[0] != "gsx":
                ratio = statistics.median(times_of(cells[key])) / own[0] if key in cells and own else None
                line.append(f"{ratio:.2f}" if ratio and ratio < 10 else f"{ratio:.1f}" if ratio else "")
        lines.append(line + [memory.get(text, "-")] * bool(memory))
    return lines


def listed(rows):
    """A row per text and work; its last column is the share of what the machine can do."""
    ceilings = {key: median_rate(group) for key, group in grouped(rows, "text", "work").items()
                if key[1].startswith("ceiling: ")}
    lines = [["text", "work", "time", "rate", "demand", "share of the ceiling"]]
    shown = [row for row in rows if row["seconds"] or not row["work"].startswith("ceiling: ")]
    for (text, work, program, transfer), group in grouped(shown, "text", "work", "program", "transfer").items():
        first = group[0]
        named = work if program == "gsx" or program in work else f"{work} ({name_of(program, transfer)})"
        demand = float(first["demand"]) if first["demand"] else 0
        ceiling = ceilings.get((text, "ceiling: " + first["ceiling"]))
        share = f"{100 * median_rate(group) * demand / ceiling:.0f} % of {first['ceiling']}" if ceiling else ""
        needs = f"{demand:.3g} {first['demand_unit'].replace('/s', '')}" if demand else ""
        lines.append([text, named, spread(group) if times_of(group) else "",
                      scaled(median_rate(group), first["unit"]), needs, share])
    return lines


DEVICES = ("cpu", "cuda", "auto")  # of device_choice.py
LONGEST = 20  # seconds that a cell of its grid may take


def chosen(rows):
    """A row per text and work, with the time of each device; the last column compares auto with the better one."""
    lines, cells, missed = [["text", "work", *DEVICES, "auto / better"]], 0, 0
    works = {}
    for row in rows:
        work, device = row["work"].rsplit(", ", 1)
        works.setdefault((row["text"], work), {}).setdefault(device, []).append(row)
    for (text, work), devices in works.items():
        medians = {device: statistics.median(times_of(devices[device])) for device in DEVICES if device in devices}
        others = [medians[device] for device in ("cpu", "cuda") if device in medians]
        if "auto" not in medians or not others or min([*others, medians["auto"]]) >= LONGEST:
            continue
        cells += 1
        late = medians["auto"] > 1.25 * min(others) + 0.05
        missed += late
        shown = [spread(devices[device]) if device in medians and medians[device] < LONGEST else "" for device in DEVICES]
        lines.append([text, work, *shown, f"{medians['auto'] / min(others):.2f}{' (late)' if late else ''}"])
    lines.append([f"{cells} cells", f"{missed} late: auto takes more than 1.25 times the better device and 50 ms",
                  *[""] * (len(DEVICES) + 1)])
    return lines


def footer(rows, shows=lambda row: True):
    """Where the figures come from: a paragraph per machine, commit and date, with the commands of the rows to show."""
    parts = []
    for (commit, cpu, cores, gpu, date, threads), group in grouped(
            rows, "commit", "cpu", "cores", "gpu", "date", "threads").items():
        machine = f"{cpu}, {cores} cores" + (f", {gpu}" if gpu else "")
        runs = sorted({len([r for r in g if r["seconds"]]) for g in
                       grouped(group, "text", "work", "program", "transfer").values()} - {0})
        versions = sorted({f"{r['program']} {r['version']}" for r in group if r["version"]
                           and r["program"] != "gsx"})
        shown = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}" if runs else "no"
        parts.append(f"gsx at commit {commit}" + (" beside " + ", ".join(versions) if versions else "")
                     + f"; {machine}; {threads} thread{'s' * (threads != '1')}; {date}; {shown} run{'s' * (shown != '1')} each.")
    ceilings = grouped((row for row in rows if row["work"].startswith("ceiling: ")), "work", "unit")
    if ceilings:
        parts.append("Ceilings: " + "; ".join(f"{work[len('ceiling: '):]} {scaled(median_rate(group), unit)}"
                                              for (work, unit), group in ceilings.items()) + ".")
    commands = list(dict.fromkeys(row["command"] for row in rows if shows(row)))
    return "\n".join(parts) + "\n\n```sh\n" + "\n".join(commands) + "\n```\n"


def markdown(lines):
    out = ["| " + " | ".join(line) + " |" for line in lines]
    out.insert(1, "|" + "---|" * len(lines[0]))
    return "\n".join(out) + "\n"


def table(name, works):
    """The table of results/NAME.csv, with its footer."""
    path = HERE / "results" / (name + ".csv")
    if not path.exists():
        return ""
    rows = rows_of(path)
    if works:
        wanted = [work.strip() for work in works.split(";")]
        kept = [row for row in rows if any(row["work"].startswith(work) for work in wanted)]
        if not kept:
            raise BadTable(f"{name}.csv has no row of '{works}'")
        rows = [row for row in rows if row in kept or row["work"].startswith("ceiling: ")]
    else:
        rows = [row for row in rows if row["work"] != DEVICE_MEMORY or float(row["rate"])]
    kind = rows[0]["table"]
    if kind == "device_choice":  # the commands differ in text, number and device alone
        texts = (rows[0]["text"], "no text")
        few = footer(rows, lambda row: row["text"] in texts and ", 1,0" not in row["work"] and row["work"].endswith(", auto"))
        return "\n" + markdown(chosen(rows)) + "\n" + few + "\n"
    lines = compared(rows) if kind in COMPARED else listed(rows)
    return "\n" + markdown(lines) + "\n" + footer(rows) + "\n"


def made(text):
    return TABLE.sub(lambda found: found.group(1) + table(found.group(2), found.group(3)) + found.group(4), text)


def main(arguments):
    if arguments not in (["--write"], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale, tables = 0, 0
    try:
        for path in sorted((HERE / "results").glob("*.csv")):
            rows_of(path)
        for path in DOCUMENTS:
            text = path.read_text()
            new = made(text)
            tables += len(TABLE.findall(text))
            if arguments == ["--write"]:
                path.write_text(new)
            elif new != text:
                print(f"{path.relative_to(ROOT)} differs from the results: run tables.py --write")
                stale = 1
    except (BadTable, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not stale:
        print(f"{tables} tables {'are written' if arguments == ['--write'] else 'agree with the results'}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
