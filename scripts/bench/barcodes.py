#!/usr/bin/env python3
"""Measures barcodes and UMIs from file to file, with one thread: CPU seconds, which a busy machine changes
least.

The tasks are to cluster 16-mers that were read with errors, beside starcode (at distance 1) and, for few of them,
the clusterer of umi_tools (directional, threshold 1, with the start of Python); to find the longest of 96 barcodes that each
read begins with, beside cutadapt; and to correct the barcodes of reads against a list of 3 million, beside only parsing
the reads. A program that is not installed is left out, and named. README.md explains the other options.
"""

import shutil
import sys

from benchmark import make_parser, run_table
from files import timed

# Barcodes of which some are read often and most seldom, with one error in a hundred bases.
UMIS = """awk 'function random_base() {{ return substr("ACGT", int(4 * rand()) + 1, 1) }}
  function other_base(base) {{ return substr("ACGTACGT", index("ACGT", base) + 1 + int(3 * rand()), 1) }}
  BEGIN {{ srand(7); for (i = 0; i < 30000; ++i) for (j = 0; j < 16; ++j) b[i] = b[i] random_base()
    for (r = 0; r < {reads}; ++r) {{ s = b[int(30000 * rand() ^ 2)]
      for (j = 1; j <= 16; ++j) if (rand() < 0.01) s = substr(s, 1, j - 1) other_base(substr(s, j, 1)) substr(s, j + 1)
      print s }} }}' > umis.txt"""
READS = """awk 'BEGIN {{ srand(8); for (i = 0; i < 20000; ++i) t = t substr("ACGT", int(4 * rand()) + 1, 1)
    for (i = 0; i < 100; ++i) q = q "I" }}
  {{ print "@read" NR "\\n" $1 substr(t, int(19900 * rand()) + 1, 84) "\\n+\\n" q }}' umis.txt > reads.fq"""
# Three million barcodes, of which the true ones are the most frequent reads.
WHITELIST = """{{ sort umis.txt | uniq -c | sort -k1,1nr -k2 | awk 'NR <= 30000 {{ print $2 }}'
  awk 'BEGIN {{ srand(9); for (i = 0; i < 3200000; ++i) {{ s = ""
    for (j = 0; j < 16; ++j) s = s substr("ACGT", int(4 * rand()) + 1, 1); print s }} }}'
}} | awk '!seen[$1]++ && ++found <= 3000000' > whitelist.txt"""
BARCODES = """awk 'NR % 9973 == 1 && !seen[$1]++ && ++found <= 96 {{
  print ">b" found "\\n" substr($1, 1, 8 + found % 9) }}' umis.txt > barcodes.fa"""
# By the interpreter of umi_tools.
UMI_TOOLS = ("$(sed -n '1s/^#!//p' \"$(command -v umi_tools)\") -c \"import collections, umi_tools; "
             "counts = collections.Counter(open('few.txt', 'rb').read().split()); "
             "umi_tools.UMIClusterer(cluster_method='directional')(counts, threshold=1)\"")
TASKS = {
    "clusters at distance 1": {
        "gsx": "gsx neighbors -q -t 1 -d 1 --clusters umis.txt > /dev/null",
        "starcode": "starcode -q -d1 -t1 -i umis.txt -o /dev/null"},
    "clusters at distance 1, few": {
        "gsx": "gsx neighbors -q -t 1 -d 1 --clusters few.txt > /dev/null",
        "starcode": "starcode -q -d1 -t1 -i few.txt -o /dev/null",
        "umi_tools": UMI_TOOLS},
    "only parsing": {
        "gsx": "gsx prefix -q -t 1 --counts --set one.fa reads.fq > /dev/null"},
    "longest of 96 prefixes": {
        "gsx": "gsx prefix -q -t 1 --set barcodes.fa reads.fq > /dev/null",
        "cutadapt": "cutadapt -j 1 --quiet --no-indels -e 0 -g ^file:barcodes.fa -o /dev/null reads.fq"},
    "correct by 3 million, FASTQ": {
        "gsx": "gsx neighbors -q -t 1 --at 1-16 --whitelist whitelist.txt --correct --format fastq reads.fq > /dev/null"},
}


def fill(plan):
    options = plan.options
    options.device = "cpu"
    programs = ["gsx"]
    for name in ("starcode", "umi_tools", "cutadapt"):
        if shutil.which(name):
            programs.append(name)
        else:
            print(f"{name} is left out: it is not installed", file=sys.stderr)
    plan.prepare("umis.txt", UMIS.format(reads=options.barcodes))
    plan.prepare("umis.txt.count", "wc -l < umis.txt > umis.txt.count")
    plan.prepare("few.txt", f"head -n {max(options.barcodes // 50, 1)} umis.txt > few.txt")
    plan.prepare("few.txt.count", "wc -l < few.txt > few.txt.count")
    plan.prepare("reads.fq", READS.format())
    plan.prepare("whitelist.txt", WHITELIST.format())
    plan.prepare("barcodes.fa", BARCODES.format())
    plan.prepare("one.fa", "head -n 2 barcodes.fa > one.fa")
    for work, commands in TASKS.items():
        for program, command in commands.items():
            if program in programs:
                timed(plan, work, command, "few.txt" if "few" in work else "umis.txt", "reads/s",
                      program=program, text="barcodes", clock="cpu")


def main():
    parser = make_parser(__doc__, several_texts=False, threads=False)
    parser.add_argument("--barcodes", type=int, default=10**6, help="reads (default: %(default)s)")
    return run_table("barcodes", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
