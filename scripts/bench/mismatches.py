#!/usr/bin/env python3
"""Measures searches with mismatches on one chromosome, with one thread: CPU seconds, which a busy machine
changes least.

The tasks are to find all places of reads and of 20-mers with up to 3 mismatches, beside bowtie -v 3 -a, and
of one 20-mer, beside fuzznuc of EMBOSS; to count the sites of CRISPR guides with up to 4 mismatches, beside
Cas-OFFinder, which lists them; and to find the products of primer pairs, beside primersearch of EMBOSS.
`gsx bench --work mismatches` adds its rows. A program that is not installed is left out, and named.
README.md explains the other options.
"""

import shutil
import sys

from benchmark import make_parser, run_table
from files import timed

# One line of 150 bases in every {step}, with one base changed; its qualities are bases, too.
READS = """fold -w 150 {raw} | awk 'length($1) == 150 && NR % {step} == 1 {{
  print "@read" NR "\\n" substr($1, 1, 70) (substr($1, 71, 1) == "A" ? "C" : "A") substr($1, 72) "\\n+\\n" $1 }}' > reads.fq"""
# The 20 bases before GG of lines of 23 bases.
GUIDES = """fold -w 23 {raw} | awk '/^[ACGT][ACGT]*GG$/ && length($1) == 23 && ++found % {step} == 1 && ++guides <= 1000 {{
  print substr($1, 1, 20) }}' > guides.txt; head -n 20 guides.txt > few_guides.txt"""
PAIRS = """fold -w 600 {raw} | awk '/^[ACGT][ACGT]*$/ && length($1) == 600 && ++found % {step} == 1 && ++pairs <= 100 {{
  reverse = ""; for (i = 600; i > 580; --i) reverse = reverse substr("TGCA", index("ACGT", substr($1, i, 1)), 1)
  print "pair" NR "\t" substr($1, 1, 20) "\t" reverse }}' > pairs.tsv; head -n 5 pairs.tsv > few_pairs.tsv"""
MERS = "awk 'NR % 4 == 2 && ++mers <= 100 { print substr($1, 61, 20) }' reads.fq > mers.txt"
TASKS = {
    "locate, reads of 150, k = 3": ("reads.fq", "reads/s", {
        "gsx": "gsx locate -q -t 1 -k 3 -x target.gsx reads.fq > /dev/null",
        "bowtie": "bowtie -v 3 -a -p 1 --quiet -x bowtie reads.fq > /dev/null"}),
    "locate, 100 20-mers, k = 3": ("mers.txt", "patterns/s", {
        "gsx": "gsx locate -q -t 1 -k 3 -x target.gsx -f mers.txt > /dev/null",
        "bowtie": "bowtie -v 3 -a -p 1 --quiet -x bowtie -r mers.txt > /dev/null"}),
    "locate, one 20-mer, k = 3": ("mer.txt", "patterns/s", {
        "gsx": "gsx locate -q -t 1 -k 3 -x target.gsx -f mer.txt > /dev/null",
        "fuzznuc": "fuzznuc -auto -sequence {fa} -pattern $(cat mer.txt) -pmismatch 3 -complement Y "
                   "-rformat2 excel -outfile /dev/null < /dev/null"}),
    "offtarget, 1,000 guides, k = 4": ("guides.txt", "guides/s", {
        "gsx": "gsx offtarget -q -t 1 -k 4 --score none -x target.gsx guides.txt > /dev/null"}),
    "offtarget, 20 guides, k = 4": ("few_guides.txt", "guides/s", {
        "gsx": "gsx offtarget -q -t 1 -k 4 --score none -x target.gsx few_guides.txt > /dev/null",
        "cas-offinder": "cas-offinder few_guides.in C /dev/null"}),
    "amplicon, 100 primer pairs, k = 2": ("pairs.tsv", "pairs/s", {
        "gsx": "gsx amplicon -q -t 1 -k 2 --3prime 20:2 -x target.gsx pairs.tsv > /dev/null"}),
    "amplicon, 5 primer pairs, k = 2": ("few_pairs.tsv", "pairs/s", {
        "gsx": "gsx amplicon -q -t 1 -k 2 --3prime 20:2 -x target.gsx few_pairs.tsv > /dev/null",
        "primersearch": "primersearch -auto -seqall {fa} -infile few_pairs.tsv -mismatchpercent 10 -outfile /dev/null"}),
}
# What Cas-OFFinder reads: the folder of the genome, the pattern, and a line for each guide.
PEER_GUIDES = """mkdir -p genome && ln -sf "$(realpath {fa})" genome/target.fa &&
  {{ echo "$PWD/genome"; echo NNNNNNNNNNNNNNNNNNNNNGG; sed 's/$/NNN 4/' few_guides.txt; }} > few_guides.in"""


def fill(plan):
    options = plan.options
    options.device = "cpu"
    text = plan.texts.real(options.text) or plan.texts.generated("genome", 4 * 10**7)
    programs = ["gsx"]
    for name in ("bowtie", "fuzznuc", "cas-offinder", "primersearch"):
        if shutil.which(name):
            programs.append(name)
        else:
            print(f"{name} is left out: it is not installed", file=sys.stderr)
    plan.need_raw(text)
    plan.need_fasta(text)
    plan.prepare("reads.fq", READS.format(raw=text.raw, step=options.step))
    plan.prepare("mers.txt", MERS)
    plan.prepare("mer.txt", "head -n 1 mers.txt > mer.txt")
    plan.prepare("reads.fq.count", "grep -c '^+$' reads.fq > reads.fq.count")
    plan.prepare("guides.txt", GUIDES.format(raw=text.raw, step=options.step))
    plan.prepare("few_guides.in", PEER_GUIDES.format(fa=text.fasta))
    plan.prepare("pairs.tsv", PAIRS.format(raw=text.raw, step=options.step))
    for name in ("mers.txt", "mer.txt", "guides.txt", "few_guides.txt", "pairs.tsv", "few_pairs.tsv"):
        plan.prepare(name + ".count", f"wc -l < {name} > {name}.count")
    plan.prepare("target.gsx", f"gsx index -q -t 1 {text.fasta} -o target.gsx")
    if "bowtie" in programs:
        plan.prepare("bowtie.1.ebwt", f"bowtie-build -q {text.fasta} bowtie")
    for work, (amount, unit, commands) in TASKS.items():
        for program in programs:
            if program in commands:
                timed(plan, work, commands[program].format(fa=text.fasta), amount, unit, program=program,
                      text=text.name, clock="cpu")
    plan.bench(text, "cpu", "mismatches", options.rounds * options.runs)


def main():
    parser = make_parser(__doc__, several_texts=False, threads=False)
    parser.add_argument("--text", default="chr21", help="the name of a text of --dna (default: %(default)s)")
    parser.add_argument("--step", type=int, default=20, help="one read is cut of every N (default: %(default)s)")
    return run_table("mismatches", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
