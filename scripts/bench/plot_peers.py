#!/usr/bin/env python3
"""Draws the results of programs.py as SVG.

  scripts/bench/plot_peers.py PROGRAMS.csv -o FILE.svg
  scripts/bench/plot_peers.py PROGRAMS.csv --check FILE.svg    check that the drawing is up to date

Draws one bar per program and task, whose length is the median of its CPU seconds. Exit code 1 if the drawing is out
of date.
"""

import csv
import html
import statistics
import sys
from pathlib import Path

TITLES = {"index": "Index {text}, {symbols} bases",
          "locate all exact places": "Locate reads of it, exactly, all places"}
COLOURS = {"gsx": "#2a6f97"}
OTHERS = "#b8b8b8"
LABELS, BARS, VALUES, BAR, STEP = 130, 470, 120, 16, 24  # pixels


def medians(rows):
    """{title: {program: median of the CPU seconds}}, in the order of the file."""
    runs = {}
    for row in rows:
        if row["work"] in TITLES:
            title = TITLES[row["work"]].format(symbols=f"{int(row['symbols']):,}", text=row["text"])
            runs.setdefault(title, {}).setdefault(row["program"], []).append(float(row["seconds"]))
    return {task: {program: statistics.median(times) for program, times in programs.items()}
            for task, programs in runs.items()}


def draw(tasks):
    parts, y = [], 0
    for task, programs in tasks.items():
        y += 26
        parts.append(f'<text x="8" y="{y}" font-weight="bold">{html.escape(task)}: CPU seconds, '
                     'one thread</text>')
        y += 10
        longest = max(programs.values())
        for program, seconds in programs.items():
            length = max(1, round(BARS * seconds / longest))
            parts.append(f'<text x="{LABELS - 8}" y="{y + 13}" text-anchor="end">{program}</text>')
            parts.append(f'<rect x="{LABELS}" y="{y}" width="{length}" height="{BAR}" '
                         f'fill="{COLOURS.get(program, OTHERS)}"/>')
            parts.append(f'<text x="{LABELS + length + 8}" y="{y + 13}">{seconds:.3g} s</text>')
            y += STEP
    width, height = LABELS + BARS + VALUES, y + 14
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-label="CPU seconds of gsx and other programs" '
            f'font-family="sans-serif" font-size="13">\n<rect width="{width}" height="{height}" '
            'fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


def main(arguments):
    if len(arguments) != 3 or arguments[1] not in ("-o", "--check"):
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], newline="") as file:
        drawing = draw(medians(csv.DictReader(file)))
    path = Path(arguments[2])
    if arguments[1] == "-o":
        path.write_text(drawing)
        return 0
    if path.read_text() != drawing:
        print(f"{path} is not the drawing of {arguments[0]}: make it again with -o")
        return 1
    print(f"{path} shows the figures of {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
