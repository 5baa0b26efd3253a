#!/usr/bin/env python3
"""Compares bigWig files with the bedGraph of the same values, by readers that are not ours.

    scripts/compare_bigwig.py values.bw values.bedGraph [--sizes sizes.tsv]
    scripts/compare_bigwig.py --program build/tests/gsx-write-track [--cases 40] [--seed 1]

In the first form, any bigWig is compared with any bedGraph. In the second, bedGraphs are drawn at random, in many
shapes, and the program makes bigWigs of them. The reader is pyBigWig (pip install pyBigWig); pybbi, which wraps the
code of UCSC (it needs pandas), and pybigtools read too if they are installed.

Compares the records and their lengths (with --sizes, lines of name, tab, length), all intervals (which must be the
lines of the bedGraph), values per position, the header's statistics, and the statistics of drawn ranges: exact ones,
and those from the zoom levels. The latter must have the exact minimum, maximum, mean and coverage over whole records,
and inside a record may differ by what two bins at the borders hold. Prints one line per file and reader; exits with 1
if anything differs.
"""
import argparse
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

TYPES = ("mean", "min", "max", "coverage")


def as_float(text):
    """The float of 32 bits nearest to a number in decimal."""
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def read_bedgraph(path):
    """The lines of each record: {name: [(begin, end, value)]}."""
    lines = {}
    with open(path, encoding="latin-1") as file:
        for line in file:
            name, begin, end, value = line.rstrip("\n").split("\t")
            lines.setdefault(name, []).append((int(begin), int(end), as_float(value)))
    return lines


def read_sizes(path):
    with open(path, encoding="latin-1") as file:
        return {name: int(length) for name, length in (line.rstrip("\n").split("\t") for line in file)}


class Differences:
    """What differs; says the first few."""

    def __init__(self, what):
        self.what, self.count, self.checks = what, 0, 0

    def check(self, same, *about):
        self.checks += 1
        if same:
            return
        self.count += 1
        if self.count <= 5:
            print(f"  {self.what}:", *about, file=sys.stderr)

    def close(self, found, expected, *about, scale=0):
        """Checks two numbers or None; `scale` is the largest value of those that cancel out in a mean."""
        if found is None or expected is None:
            return self.check(found is None and expected is None, *about, found, expected)
        return self.check(abs(found - expected) <= 1e-5 * max(abs(expected), scale), *about, found, expected)


def statistics_of(lines, begin, end):
    """Exact statistics of a range, by type; None where there is no value."""
    parts = [(min(to, end) - max(at, begin), value) for at, to, value in lines if to > begin and at < end]
    covered = sum(length for length, _ in parts)
    if covered == 0:
        return {"mean": None, "min": None, "max": None, "coverage": None}
    return {"mean": math.fsum(length * value for length, value in parts) / covered,
            "min": min(value for _, value in parts), "max": max(value for _, value in parts),
            "coverage": covered / (end - begin)}


def ranges_of(length, drawn):
    """The whole record, its ends, and some ranges of all sizes."""
    ranges = {(0, length), (0, 1), (length - 1, length)}
    for _ in range(drawn):
        size = max(1, int(length ** random.random()))
        begin = random.randrange(length - size + 1)
        ranges.add((begin, begin + size))
    return sorted(ranges)


def check_header(found, lines, difference):
    """The statistics of the whole file."""
    runs = [run for record in lines.values() for run in record]
    covered = sum(end - begin for begin, end, _ in runs)
    difference.check(found["nBasesCovered"] == covered, "bases covered", found["nBasesCovered"], covered)
    if covered == 0:
        return
    # pyBigWig gives whole numbers here.
    difference.check(found["minVal"] == int(min(value for _, _, value in runs)), "minVal", found["minVal"])
    difference.check(found["maxVal"] == int(max(value for _, _, value in runs)), "maxVal", found["maxVal"])
    total = math.fsum((end - begin) * value for begin, end, value in runs)
    most = math.fsum((end - begin) * abs(value) for begin, end, value in runs)
    difference.check(abs(found["sumData"] - total) <= 1 + 1e-9 * most, "sumData", found["sumData"], total)


def joined(intervals):
    """Runs of equal values; some sections have an interval per position."""
    runs = []
    for begin, end, value in intervals:
        if runs and runs[-1][1] == begin and runs[-1][2] == value:
            runs[-1] = (runs[-1][0], end, value)
        else:
            runs.append((begin, end, value))
    return runs


def by_pybigwig(path, lines, sizes, drawn):
    import pyBigWig
    difference = Differences("pyBigWig")
    with_values = pyBigWig.open(path)
    chroms = with_values.chroms()
    difference.check(sizes is None or chroms == {name: length for name, length in sizes.items() if length > 0},
                     "records", len(chroms))
    difference.check(set(lines) <= set(chroms), "records without a place", sorted(set(lines) - set(chroms))[:3])
    check_header(with_values.header(), lines, difference)
    for name, length in chroms.items():
        own = lines.get(name, [])
        difference.check(joined(with_values.intervals(name) or ()) == own, "intervals of", name)
        scale = max((abs(value) for _, _, value in own), default=0)
        for begin, end in ranges_of(length, drawn if own else 2):
            exact = statistics_of(own, begin, end)
            for kind in TYPES:
                found = with_values.stats(name, begin, end, type=kind, exact=True)[0]
                if kind == "coverage" and found == 0:
                    found = None
                difference.close(found, exact[kind], "exact", kind, name, begin, end, scale=scale)
            if end - begin <= 5000:
                found = with_values.values(name, begin, end)
                expected = [math.nan] * (end - begin)
                for at, to, value in own:
                    for i in range(max(at, begin), min(to, end)):
                        expected[i - begin] = value
                difference.check(all(a == b or (a != a and b != b) for a, b in zip(found, expected)), "values", name,
                                 begin, end)
        for kind in TYPES:
            found = with_values.stats(name, 0, length, type=kind)[0]  # by a zoom level if the record is long enough
            if kind == "coverage" and found == 0:
                found = None
            expected = statistics_of(own, 0, length)[kind]
            difference.close(found, expected, "zoomed", kind, name, scale=scale)
        # Bins: their minima and maxima are between those of the record, and together have them.
        if own and length >= 100:
            bins = [value for value in with_values.stats(name, 0, length, type="max", nBins=50) if value is not None]
            difference.check(max(bins) == max(value for _, _, value in own), "maximum of bins", name)
    with_values.close()
    return difference


def by_bbi(path, lines, sizes, drawn):
    """pybbi: UCSC's own reader."""
    import bbi
    difference = Differences("pybbi")
    with bbi.open(path) as file:
        chroms = dict(file.chromsizes)
        difference.check(sizes is None or chroms == {name: length for name, length in sizes.items() if length > 0},
                         "records", len(chroms))
        for name, length in chroms.items():
            own = lines.get(name, [])
            found = [(int(row.start), int(row.end), float(row.value))
                     for row in file.fetch_intervals(name, 0, length).itertuples()]
            difference.check(joined(found) == own, "intervals of", name)
            scale = max((abs(value) for _, _, value in own), default=0)
            for begin, end in ranges_of(length, min(drawn, 5) if own else 1):
                exact = statistics_of(own, begin, end)
                for kind in ("mean", "min", "max"):
                    found = float(file.fetch(name, begin, end, bins=1, summary=kind, exact=True, missing=math.nan)[0])
                    difference.close(None if math.isnan(found) else found, exact[kind], kind, name, begin, end,
                                     scale=scale)
            if own:
                found = float(file.fetch(name, 0, length, bins=1, summary="max")[0])
                difference.close(found, max(value for _, _, value in own), "zoomed max", name)
    return difference


def by_bigtools(path, lines, sizes, drawn):
    import pybigtools
    difference = Differences("pybigtools")
    file = pybigtools.open(path)
    chroms = file.chroms()
    difference.check(sizes is None or chroms == {name: length for name, length in sizes.items() if length > 0},
                     "records", len(chroms))
    for name, length in chroms.items():
        own = lines.get(name, [])
        difference.check(joined(file.records(name)) == own, "intervals of", name)
        if own and length >= 100:
            found = file.values(name, 0, length, bins=1, summary="max", exact=False, fillna=None)[0]
            difference.close(float(found), max(value for _, _, value in own), "zoomed max", name)
    file.close()
    return difference


READERS = (("pyBigWig", by_pybigwig), ("bbi pandas", by_bbi), ("pybigtools", by_bigtools))


def compare(path, lines, sizes, drawn, what):
    """Compares by every reader that is installed; whether all agree."""
    same = True
    for modules, reader in READERS:
        try:
            for module in modules.split():
                __import__(module)
        except ImportError:
            continue
        difference = reader(path, lines, sizes, drawn)
        print(f"{'same' if difference.count == 0 else 'DIFFERENT'}  {what}, by {modules.split()[0]}: "
              f"{sum(map(len, lines.values()))} runs, {difference.checks} checks, {difference.count} differ", flush=True)
        same = same and difference.count == 0
    return same


def draw_value(shape):
    if shape == "fractions":
        return 1 / random.randint(1, 100)
    if shape == "counts":
        return float(random.randrange(50))
    if shape == "huge":
        return random.choice((-1e30, 3e30, 1e-38, -1.5, 0.0))  # the sum of many is a float still
    return random.uniform(-1000, 1000)


def draw_track(case):
    """The sizes and the lines of a drawn track: [(name, length)], {name: [(begin, end, value)]}."""
    count = (1, 3, 300, 5000)[case % 4]
    shape = ("fractions", "counts", "uniform", "huge")[case // 4 % 4]
    sizes, lines = [], {}
    names = list(range(count))
    random.shuffle(names)  # records are not in the order of their names
    for name in names:
        most = 2000000 if count <= 3 else 3000
        sizes.append((f"chr{name}", random.choice((0, 1, random.randrange(most) + 1, most)) if count > 1 else most))
        mean = random.choice((1, 2, 5, 50, 1000))
        gaps = random.choice((0, 0.2, 0.9))
        runs, at = [], random.choice((0, random.randrange(most)))
        while at < sizes[-1][1] and len(runs) < 100000 and random.random() > 1e-6:
            end = min(sizes[-1][1], at + 1 + (random.randrange(2 * mean - 1) if shape != "uniform" else mean - 1))
            value = as_float(draw_value(shape))
            if random.random() >= gaps:
                if runs and runs[-1][1] == at and runs[-1][2] == value:
                    runs[-1] = (runs[-1][0], end, value)
                else:
                    runs.append((at, end, value))
            at = end
        if runs and random.random() < 0.9:
            lines[f"chr{name}"] = runs
    return sizes, lines


def compare_drawn(program, cases):
    same = True
    with tempfile.TemporaryDirectory() as folder:
        sizes_path, graph, wig, again = (os.path.join(folder, name) for name in ("s", "g", "g.bw", "g.bedGraph"))
        for case in range(cases):
            sizes, lines = draw_track(case)
            with open(sizes_path, "w", encoding="latin-1") as file:
                file.writelines(f"{name}\t{length}\n" for name, length in sizes)
            text = "".join(f"{name}\t{begin}\t{end}\t{value!r}\n" for name, _ in sizes
                           for begin, end, value in lines.get(name, ()))
            with open(graph, "w", encoding="latin-1") as file:
                file.write(text)
            for out in (wig, again):
                subprocess.run([program, "convert", sizes_path, graph, out, "2", str(random.choice((100, 1 << 18)))],
                               check=True)
            ordered = {name: lines[name] for name, _ in sizes if name in lines}
            back = read_bedgraph(again)
            if list(back.items()) != list(ordered.items()):
                print(f"DIFFERENT  bedGraph of case {case}")
                same = False
            same = compare(wig, lines, dict(sizes), 20 if len(sizes) <= 3 else 1, f"case {case}") and same
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bigwig", nargs="?")
    parser.add_argument("bedgraph", nargs="?")
    parser.add_argument("--sizes", help="names and lengths of the records")
    parser.add_argument("--program", help="gsx-write-track, to compare drawn tracks")
    parser.add_argument("--cases", type=int, default=40, help="drawn tracks")
    parser.add_argument("--drawn", type=int, default=50, help="ranges that are drawn per record")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if (options.program is None) == (options.bedgraph is None):
        parser.error("give a bigWig and a bedGraph, or --program")
    try:
        __import__("pyBigWig")
    except ImportError:
        print("pyBigWig: not compared")
        return 0
    random.seed(options.seed)
    if options.program is not None:
        return 0 if compare_drawn(options.program, options.cases) else 1
    sizes = read_sizes(options.sizes) if options.sizes else None
    same = compare(options.bigwig, read_bedgraph(options.bedgraph), sizes, options.drawn, options.bigwig)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
