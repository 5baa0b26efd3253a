#!/usr/bin/env python3
"""Draws bedGraph tracks of one region above one another, as SVG.

  scripts/plot_tracks.py REGION FILE.bedgraph [FILE.bedgraph ...] [--labels A,B,...] [--title TEXT] [-o FILE.svg]

REGION is RECORD:BEGIN-END, 0-based and half-open. Each pixel shows the mean of the values below it, between 0 and the
largest one of its track; positions without a value count as 0. Exit code 1 for a file that is not bedGraph.
"""

import argparse
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT, GAP, LEFT, TOP = 900, 60, 14, 120, 46
COLOURS = ["#2a6f97", "#5a8f3c", "#e07a1f", "#8e4585", "#b23a48"]


def means(path, record, begin, end):
    """The mean of each of WIDTH equal parts of the region."""
    sums = [0.0] * WIDTH
    scale = WIDTH / (end - begin)
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fields = line.rstrip("\n").split("\t")
            try:
                first, last, value = int(fields[1]), int(fields[2]), float(fields[3])
            except (IndexError, ValueError):
                raise SystemExit(f"error: {path}, line {number} is not bedGraph") from None
            if fields[0] != record or last <= begin or first >= end:
                continue
            at, to = (max(first, begin) - begin) * scale, (min(last, end) - begin) * scale
            while at < to:
                step = min(to, int(at) + 1.0)
                sums[min(int(at), WIDTH - 1)] += value * (step - at)
                at = step
    return sums


def area(values, most, top):
    """A closed path under the values; equal neighbours are one step."""
    path, last = [f"M{LEFT} {top + HEIGHT}"], None
    for x, value in enumerate(values):
        y = top + HEIGHT - HEIGHT * value / most
        if last is None or abs(y - last) > 0.05:
            path.append(f"H{LEFT + x}V{y:.1f}")
            last = y
    return "".join(path) + f"H{LEFT + WIDTH}V{top + HEIGHT}Z"


def draw(options, record, begin, end):
    labels = options.labels.split(",") if options.labels else options.files
    height = TOP + len(options.files) * (HEIGHT + GAP) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height}" '
           f'font-family="sans-serif" font-size="12">',
           f'<rect width="100%" height="100%" fill="white"/><text x="{LEFT}" y="24" font-size="15">'
           f'{escape(options.title or options.region)}</text>']
    for number, path in enumerate(options.files):
        values = means(path, record, begin, end)
        most = max(max(values), 1e-9)
        top = TOP + number * (HEIGHT + GAP)
        out.append(f'<text x="{LEFT - 8}" y="{top + HEIGHT / 2 + 4}" text-anchor="end">{escape(labels[number])}</text>'
                   f'<text x="{LEFT + WIDTH + 3}" y="{top + 10}" font-size="10">{most:.3g}</text>'
                   f'<path d="{area(values, most, top)}" fill="{COLOURS[number % len(COLOURS)]}"/>'
                   f'<path d="M{LEFT} {top + HEIGHT}h{WIDTH}" stroke="#888"/>')
    step = 10 ** (len(str(end - begin)) - 1)
    for position in range((begin + step - 1) // step * step, end, step):
        x = LEFT + (position - begin) * WIDTH / (end - begin)
        out.append(f'<path d="M{x:.1f} {height - 28}v5" stroke="#888"/><text x="{x:.1f}" y="{height - 10}" '
                   f'text-anchor="middle">{position:,}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("region")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--labels", help="names of the tracks, separated by commas")
    parser.add_argument("--title")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    record, _, span = options.region.rpartition(":")
    try:
        begin, end = map(int, span.split("-"))
    except ValueError:
        begin = end = 0
    if not record or begin >= end:
        parser.error(f"'{options.region}' is not RECORD:BEGIN-END")
    if options.labels and len(options.labels.split(",")) != len(options.files):
        parser.error("--labels needs a name for each file")
    text = draw(options, record, begin, end)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
