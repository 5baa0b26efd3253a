#!/usr/bin/env python3
"""Compares the coverage of gsx locate with what bedtools makes of its hits, and reads its bigWig by pyBigWig.

    scripts/compare_coverage.py GSX INDEX QUERIES...

For both strands together and for each of them, `gsx locate --bedgraph` must have the lines that `bedtools genomecov -bg`
makes of `gsx locate --bed`, and the intervals of `--bigwig` must be those lines (scripts/compare_bigwig.py). Also with
mismatches, at most one hit per query, and one thread. Prints a line per comparison; exits with 1 if anything differs.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

WAYS = ((), ("--strand", "fwd"), ("--strand", "rev"), ("-k", "1"), ("--max-hits", "1"), ("-t", "1"))
STRANDS = {"fwd": "+", "rev": "-"}


def run(*command, output=None):
    with open(output, "wb") if output else open(os.devnull, "wb") as to:
        subprocess.run(command, stdout=to, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx", type=os.path.abspath)
    parser.add_argument("index", type=os.path.abspath)
    parser.add_argument("queries", nargs="+", type=os.path.abspath)
    options = parser.parse_args()
    script = pathlib.Path(__file__).resolve().parent / "compare_bigwig.py"
    same = True
    with tempfile.TemporaryDirectory() as folder:
        sizes, hits, ours, wig, theirs = (os.path.join(folder, name)
                                          for name in ("sizes.tsv", "hits.bed", "ours.bg", "ours.bw", "theirs.bg"))
        run(options.gsx, "info", "-q", options.index, "--records", output=f"{sizes}.all")
        with open(f"{sizes}.all", encoding="latin-1") as table, open(sizes, "w", encoding="latin-1") as lines:
            lines.writelines(table.readlines()[1:])
        for way in WAYS:
            search = [options.gsx, "locate", "-q", "-x", options.index, *options.queries, *way]
            run(*search, "--bigwig", wig, "--bedgraph", "-o", ours)
            # All hits, of which bedtools chooses those of a strand.
            all_hits = search if way[:1] != ("--strand",) else search[:-2]
            run(*all_hits, "--sort", "position", "-o", hits)
            strand = ("-strand", STRANDS[way[1]]) if way[:1] == ("--strand",) else ()
            run("bedtools", "genomecov", "-bg", "-i", hits, "-g", sizes, *strand, output=theirs)
            with open(ours, "rb") as one, open(theirs, "rb") as other:
                mine, those = one.readlines(), other.readlines()
            equal = sorted(mine) == sorted(those)
            print("same" if equal else "DIFFERENT", f"{len(mine)} runs, by bedtools:", *way, flush=True)
            same = same and equal
            same = subprocess.run([sys.executable, script, wig, ours, "--sizes", sizes], check=False).returncode == 0 and same
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
