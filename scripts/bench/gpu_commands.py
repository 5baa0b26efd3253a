#!/usr/bin/env python3
"""Measures whole commands on a genome of 3.1 Gbp, with a GPU, from the start of the program to its end.

The queries are reads of 150 bases cut from both strands, 1 % of whose bases are changed; random guides and pairs of
primers; and, for matching statistics, haplotypes in an index of others.
README.md explains the options.
"""

import sys

from benchmark import make_parser, run_table
from files import timed

PARTS = 16  # the reads are cut by so many processes, each from its part of the text
GUIDES, PAIRS = 312, 2000
INDEXED, OTHERS = 400, 67  # haplotypes of 30 kbp

# The generator of Park and Miller: the random numbers of awk itself differ between its versions.
DRAWN = """function drawn(n) { state = state * 16807 % 2147483647; return int(n * (state / 2147483647)) }
function bases(n,  made) { for (made = ""; n > 0; --n) made = made substr("ACGT", 1 + drawn(4), 1); return made }"""
# From lines of 1,000 bases, reads of 150 with the numbers begin + 1 to end. Five bases are complemented at a time.
CUT = """BEGIN { for (i = 0; i < 1024; ++i) {
    mer = other = ""
    for (place = 256; place >= 1; place /= 4) {
      base = 1 + int(i / place) % 4; mer = mer substr("ACGT", base, 1); other = substr("TGCA", base, 1) other }
    complement[mer] = other }
  for (i = 0; i < 150; ++i) qualities = qualities "I"
  at = 1 }
length($0) == 1000 { line[lines++] = $0 }
END { while (lines && begin < end) {
    read = substr(line[drawn(lines)], 1 + drawn(851), 150)
    if (drawn(2)) {
      back = ""; for (i = 1; i < 150; i += 5) back = complement[substr(read, i, 5)] back
      read = back }
    for (; at <= 150; at += 1 + int(log((1 + drawn(1000000)) / 1000000) / log(0.99)))
      read = substr(read, 1, at - 1) substr("ACGTACGT", index("ACGT", substr(read, at, 1)) + 1 + drawn(3), 1) substr(read, at + 1)
    at -= 150
    print "@read" ++begin "\\n" read "\\n+\\n" qualities } }"""
READS = """bytes=$(($(wc -c < {fasta}) / {parts})); for part in {{0..{last}}}; do
  tail -c +$((part * bytes + 1)) {fasta} | head -c $bytes | grep -v '^>' | tr -d '\\n' | fold -w 1000 |
  LC_ALL=C awk -v state=$((part + 1)) -v begin=$((part * {reads} / {parts})) -v end=$(((part + 1) * {reads} / {parts})) '{program}
' > reads.$part.fq &
done; wait
for part in {{0..{last}}}; do cat reads.$part.fq && rm reads.$part.fq; done > reads.fq
echo $(($(wc -l < reads.fq) / 4)) > reads.fq.count
[ $(cat reads.fq.count) = {reads} ] || {{ echo "$(cat reads.fq.count) reads in place of {reads}" >&2; false; }}"""


def of_random(begin, count, line):
    """A command that writes lines of random bases, as awk's `print` takes them."""
    return f"awk -v state={begin} 'BEGIN {{ for (i = 1; i <= {count}; ++i) print {line} }} {DRAWN}'"


def fill_genome(plan):
    options = plan.options
    device = f"--device {options.device} -t {options.threads}"
    genome = plan.texts.generated("genome", options.bases)
    plan.prepare(genome.fasta, genome.fasta_command)
    plan.prepare(genome.fasta + ".count", f"grep -v '^>' {genome.fasta} | tr -d '\\n' | wc -c > {genome.fasta}.count")
    plan.prepare("target.gsx", f"gsx index -q {device} {genome.fasta} -o target.gsx")
    plan.prepare("reads.fq", READS.format(fasta=genome.fasta, parts=PARTS, last=PARTS - 1, reads=options.reads,
                                          program=f"{DRAWN}\n{CUT}"))
    plan.prepare("guides.tsv", of_random(1, GUIDES, '"guide" i "\\t" bases(20)') + " > guides.tsv")
    plan.prepare("pairs.tsv", of_random(2, PAIRS, '"pair" i "\\t" bases(20) "\\t" bases(20)') + " > pairs.tsv")
    for name in ("guides.tsv", "pairs.tsv"):
        plan.prepare(name + ".count", f"wc -l < {name} > {name}.count")
    for work, command in (("count, reads of 150", "count"),
                          ("locate, reads of 150, k = 3, one hit", "locate -k 3 --max-hits 1"),
                          ("mem, reads of 150, L = 31", "mem -L 31"),
                          ("filter --drop, reads of 150", "filter --drop")):
        timed(plan, work, f"gsx {command} -q {device} -x target.gsx reads.fq > /dev/null", "reads.fq", "reads/s",
              text=genome.name)
    for work, bulges in (("no bulge", ""), ("DNA bulge", " --dna-bulge 1"), ("RNA bulge", " --rna-bulge 1"),
                         ("DNA or RNA bulge", " --dna-bulge 1 --rna-bulge 1")):
        timed(plan, f"offtarget, {GUIDES} guides, k = 3, {work}",
              f"gsx offtarget -k 3{bulges} -q {device} -x target.gsx guides.tsv --sites /dev/null > /dev/null",
              "guides.tsv", "guides/s", text=genome.name)
    timed(plan, f"amplicon, {PAIRS:,} pairs of primers, k = 2",
          f"gsx amplicon -k 2 -q {device} -x target.gsx pairs.tsv > /dev/null", "pairs.tsv", "pairs/s", text=genome.name)


def fill_haplotypes(plan):
    options = plan.options
    device = f"--device {options.device} -t {options.threads}"
    indexed, others = (max(1, number // options.shrink) for number in (INDEXED, OTHERS))
    plan.prepare("haplotypes.fa", f"gsx bench -q --device cpu --text random --length 30000 --haplotypes {indexed + others} "
                                  f"--reads 0 --work device -o /dev/null --write-text - | awk '/^>/ {{ ++number }} "
                                  f"{{ print > (number <= {indexed} ? \"haplotypes.fa\" : \"others.fa\") }}'")
    for name in ("haplotypes.fa", "others.fa"):
        plan.prepare(name + ".count", f"grep -v '^>' {name} | tr -d '\\n' | wc -c > {name}.count")
    plan.prepare("haplotypes.gsx", f"gsx index -q {device} haplotypes.fa -o haplotypes.gsx")
    timed(plan, f"matching statistics, {others} haplotypes in {indexed} others",
          f"gsx ms --format u16 -q {device} -x haplotypes.gsx others.fa > /dev/null", "others.fa", "bases/s",
          text="haplotypes")


def fill(plan):
    fill_genome(plan)
    fill_haplotypes(plan)


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--bases", type=int, default=31 * 10**8, help="length of the genome")
    parser.add_argument("--reads", type=int, default=24 * 10**6, help="reads of the file")
    options = parser.parse_args()
    for name in ("threads", "rounds", "runs", "shrink", "bases", "reads"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} is at least 1")
    return run_table("gpu_commands", options, fill)


if __name__ == "__main__":
    sys.exit(main())
