#!/usr/bin/env python3
"""Measures maximal matches on one chromosome, with one thread: CPU seconds, which a busy machine changes
least.

The tasks are to find the maximal matches (SMEMs) of at least 31 bases of short and of long reads, beside
bwa fastmap, in an index of the usual sample rate and in one that keeps every suffix; to make matching statistics; and to
find all pairs of matches (MEMs) of at least 50 bases of the chromosome and a copy with one base in a hundred changed,
beside MUMmer 3. A program that is not installed is left out, and named.
README.md explains the other options.
"""

import shutil
import sys

from benchmark import make_parser, run_table
from files import timed

# Lines without N of one length, of which every {step}th is a read with a base changed every {gap} bases. Every
# second read is of the reverse strand.
READS = """fold -w {length} {raw} | awk '/^[ACGT]*$/ && length($1) == {length} && ++found % {step} == 0 && reads < {reads} {{
  read = ""
  for (at = 1 + found % {gap}; at <= length($1); at += {gap})
    $1 = substr($1, 1, at - 1) (substr($1, at, 1) == "A" ? "C" : "A") substr($1, at + 1)
  if (++reads % 2) read = $1
  else for (at = length($1); at > 0; --at) read = read substr("TGCA", index("ACGT", substr($1, at, 1)), 1)
  print ">read" reads "\\n" read }}' > {file}"""
# The text with a base changed in every line of 100.
COPY = """fold -w 100 {raw} | awk 'BEGIN {{ print ">copy" }} {{ at = 1 + NR * 37 % 100
  print substr($1, 1, at - 1) (substr($1, at, 1) == "A" ? "C" : "A") substr($1, at + 1) }}' > copy.fa"""
# Reads as FASTQ, of which one in 20 is as it was; the others are backward, which leaves no match by more than chance.
MIXED = """awk 'NR % 2 == 0 {{
  read = $1
  if (NR % 40) {{ read = ""; for (at = length($1); at > 0; --at) read = read substr($1, at, 1) }}
  qualities = read
  gsub(/./, "I", qualities)
  print "@read" NR / 2 "\\n" read "\\n+\\n" qualities }}' reads.fa > mixed.fq"""
FILTER = "gsx filter -q -t 1 -L 31 -x target.gsx {option} mixed.fq > /dev/null"
BWA = "bwa fastmap -l 31 bwa {reads} > /dev/null"
MEM = "gsx mem -q -t 1 -L 31 -x {index} {reads} > /dev/null"
MS = "gsx ms -q -t 1 --format u32 -x target.gsx {reads} > /dev/null"
TASKS = {
    "SMEM, L = 31, reads of 150": ("reads.fa", "reads/s", {
        "gsx": MEM.format(index="target.gsx", reads="reads.fa"), "bwa": BWA.format(reads="reads.fa")}),
    "SMEM, L = 31, reads of 150, --sa-rate 1": ("reads.fa", "reads/s", {
        "gsx": MEM.format(index="dense.gsx", reads="reads.fa"), "bwa": BWA.format(reads="reads.fa")}),
    "SMEM, L = 31, reads of 10 kbp": ("long_reads.fa", "reads/s", {
        "gsx": MEM.format(index="target.gsx", reads="long_reads.fa"), "bwa": BWA.format(reads="long_reads.fa")}),
    "SMEM, L = 31, reads of 10 kbp, --sa-rate 1": ("long_reads.fa", "reads/s", {
        "gsx": MEM.format(index="dense.gsx", reads="long_reads.fa"), "bwa": BWA.format(reads="long_reads.fa")}),
    "filter, reads of 150, 5 % kept": ("mixed.fq", "reads/s", {"gsx": FILTER.format(option="--keep")}),
    "filter, reads of 150, 95 % kept": ("mixed.fq", "reads/s", {"gsx": FILTER.format(option="--drop")}),
    "matching statistics, reads of 150": ("reads.fa", "reads/s", {"gsx": MS.format(reads="reads.fa")}),
    "matching statistics, reads of 10 kbp": ("long_reads.fa", "reads/s", {"gsx": MS.format(reads="long_reads.fa")}),
    "MEM pairs, L = 50, a copy with 1 % changes": ("copy.fa", "bases/s", {
        "gsx": "gsx mem --pairs -q -t 1 -L 50 {fa} copy.fa > /dev/null",
        "mummer": "mummer -maxmatch -l 50 -b -n -c -F {fa} copy.fa > /dev/null"}),
}


def fill(plan):
    options = plan.options
    options.device = "cpu"
    text = plan.texts.real(options.text) or plan.texts.generated("genome", 4 * 10**7)
    programs = ["gsx"]
    for name in ("bwa", "mummer"):
        if shutil.which(name):
            programs.append(name)
        else:
            print(f"{name} is left out: it is not installed", file=sys.stderr)
    plan.need_raw(text)
    plan.need_fasta(text)
    for file, length, step, gap, reads in (("reads.fa", 150, 2, 100, 100000), ("long_reads.fa", 10000, 1, 200, 2000)):
        plan.prepare(file, READS.format(raw=text.raw, file=file, length=length, step=step, gap=gap, reads=reads))
        plan.prepare(file + ".count", f"grep -c '^>' {file} > {file}.count")
    plan.prepare("mixed.fq", MIXED.format())
    plan.prepare("mixed.fq.count", "cp reads.fa.count mixed.fq.count")
    plan.prepare("copy.fa", COPY.format(raw=text.raw))
    plan.prepare("copy.fa.count", "grep -v '^>' copy.fa | tr -d '\\n' | wc -c > copy.fa.count")
    plan.prepare("target.gsx", f"gsx index -q -t 1 {text.fasta} -o target.gsx")
    plan.prepare("dense.gsx", f"gsx index -q -t 1 --sa-rate 1 {text.fasta} -o dense.gsx")
    if "bwa" in programs:
        plan.prepare("bwa.sa", f"bwa index -p bwa {text.fasta}")
    for work, (amount, unit, commands) in TASKS.items():
        for program in programs:
            if program in commands:
                timed(plan, work, commands[program].replace("{fa}", str(text.fasta)), amount, unit, program=program, text=text.name, clock="cpu")


def main():
    parser = make_parser(__doc__, several_texts=False, threads=False)
    parser.add_argument("--text", default="chr21", help="the name of a text of --dna (default: %(default)s)")
    return run_table("matches", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
