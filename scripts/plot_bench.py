#!/usr/bin/env python3
"""Draws runs of `gsx bench --csv` side by side, as SVG.

  scripts/plot_bench.py RUN.csv [RUN.csv ...] [-o FILE.svg]
  scripts/plot_bench.py --self-test

Draws one bar per work and run. Its length is the rate relative to the best of these runs (also for
memory per symbol, where less is better); after it stand the rate and, if the run has it, the share of
the ceiling. Runs are named by their files. Works keep the order of the first run; works that only
later runs have follow. The drawing goes to standard output unless -o names a file. Exit code 2 for
wrong usage, 1 for a file that is not such CSV.
"""

import csv
import io
import sys
from pathlib import Path
from xml.sax.saxutils import escape

COLUMNS = ["work", "seconds", "rate", "unit", "traffic", "traffic_unit", "ceiling", "share"]
COLOURS = ["#2a6f97", "#e07a1f", "#5a8f3c", "#8e4585", "#b23a48", "#6b705c"]
LABELS, BARS, VALUES = 330, 360, 220  # widths in pixels
BAR, GAP, TOP = 14, 10, 30


class NotBenchCsv(Exception):
    pass


def read_run(text, name):
    """{work: (rate, unit, share or None)} in the file's order."""
    reader = csv.DictReader(io.StringIO(text))
    if reader.fieldnames is None or reader.fieldnames[:4] != COLUMNS[:4]:
        raise NotBenchCsv(f"{name} is not the output of gsx bench --csv")
    run = {}
    for row in reader:
        try:
            share = float(row["share"]) if row.get("share") else None
            run[row["work"]] = (float(row["rate"]), row["unit"], share)
        except (TypeError, ValueError) as error:
            raise NotBenchCsv(f"{name}, line {reader.line_num}: {error}") from error
    return run


def shown(rate, unit, share):
    for scale, letter in ((1e9, "G"), (1e6, "M")):
        if rate >= scale:
            rate, unit = rate / scale, letter + unit
            break
    text = f"{rate:.4g} {unit}"
    if share is None:
        return text
    return f"{text}, {100 * share:.0f} % of ceiling" if share >= 0.0995 else f"{text}, {100 * share:.2g} % of ceiling"


def draw(runs):
    """SVG of [(name, run)]."""
    works = []
    for _, run in runs:
        works += [work for work in run if work not in works]
    parts, y = [], TOP + 18 * len(runs)
    for k, (name, _) in enumerate(runs):
        colour = COLOURS[k % len(COLOURS)]
        parts.append(f'<rect x="{LABELS}" y="{TOP + 18 * k - 20}" width="11" height="11" '
                     f'fill="{colour}"/><text x="{LABELS + 18}" y="{TOP + 18 * k - 10}">'
                     f'{escape(name)}</text>')
    for work in works:
        best = max(run[work][0] for _, run in runs if work in run)
        middle = y + BAR * len(runs) / 2 + 4
        parts.append(f'<text x="{LABELS - 8}" y="{middle:.0f}" text-anchor="end">{escape(work)}</text>')
        for k, (_, run) in enumerate(runs):
            if work in run:
                rate, unit, share = run[work]
                width = BARS * rate / best if best > 0 else 0
                parts.append(f'<rect x="{LABELS}" y="{y + BAR * k}" width="{width:.1f}" '
                             f'height="{BAR - 2}" fill="{COLOURS[k % len(COLOURS)]}"/>'
                             f'<text x="{LABELS + width + 5:.1f}" y="{y + BAR * k + 10}">'
                             f'{escape(shown(rate, unit, share))}</text>')
        y += BAR * len(runs) + GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABELS + BARS + VALUES}" height="{y}" '
            f'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" '
            f'fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


def self_test():
    from xml.dom import minidom
    head = ",".join(COLUMNS) + "\n"
    first = head + '"ceiling: copy",0,3e+10,B/s,,,,\n"count, reads of 20",0.1,2e+06,reads/s,' \
        '5e+07,lines/s,"random lines",0.5000\n'
    second = head + '"count, reads of 20",0.2,1e+06,reads/s,5e+07,lines/s,"random lines",0.0042\n' \
        '"a < b & c",0,0,B/symbol,,,,\n'
    svg = draw([("one", read_run(first, "one")), ("two", read_run(second, "two"))])
    bars = [r for r in minidom.parseString(svg).getElementsByTagName("rect")
            if r.getAttribute("height") == str(BAR - 2)]
    widths = [float(r.getAttribute("width")) for r in bars]
    wrong = widths != [BARS, BARS, BARS / 2, 0] or "2 Mreads/s, 50 % of ceiling" not in svg \
        or "1 Mreads/s, 0.42 % of ceiling" not in svg
    for bad in ("", "work,rate\n", head + "x,0,fast,B/s,,,,\n", head + "x,0\n"):
        try:
            read_run(bad, "bad")
            wrong = True
        except NotBenchCsv:
            pass
    print("self-test failed" if wrong else "self-test: two runs drawn, four files refused")
    return 1 if wrong else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    output = None
    if "-o" in arguments[:-1]:
        at = arguments.index("-o")
        output = arguments[at + 1]
        arguments = arguments[:at] + arguments[at + 2:]
    if not arguments or any(a.startswith("-") for a in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        svg = draw([(Path(a).stem, read_run(Path(a).read_text(), a)) for a in arguments])
    except (NotBenchCsv, OSError, UnicodeDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if output:
        Path(output).write_text(svg)
    else:
        sys.stdout.write(svg)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
