#!/usr/bin/env python3
"""Measures gsx and other programs on one chromosome, with one thread: CPU seconds, which a busy machine
changes least.

The tasks are to index the chromosome, and to find all exact places of reads of it: gsx, bwa (which only
indexes here), bowtie and bowtie2. Programs that are not installed fail their step: name those that are
with --programs. README.md explains the other options.
"""

import sys

from benchmark import make_parser, run_table
from files import READS, timed

INDEX = {"gsx": "gsx index -q --force -t 1 {fa} -o target.gsx", "bwa": "bwa index -p bwa {fa}",
         "bowtie": "bowtie-build -q {fa} bowtie", "bowtie2": "bowtie2-build -q {fa} bowtie2"}
LOCATE = {"gsx": "gsx locate -q -t 1 --bed -x target.gsx reads.fq > /dev/null",
          "bowtie": "bowtie -v 0 -a -p 1 --quiet -x bowtie reads.fq > /dev/null"}


def fill(plan):
    options = plan.options
    options.device = "cpu"
    text = plan.texts.real(options.text) or plan.texts.generated("genome", 4 * 10**7)
    plan.need_raw(text)
    plan.need_fasta(text)
    plan.prepare(text.raw + ".count", f"wc -c < {text.raw} > {text.raw}.count")
    plan.prepare("reads.fq", READS.format(begins="1", raw=text.raw))
    plan.prepare("reads.fq.count", "grep -c '^+$' reads.fq > reads.fq.count")
    for program in options.programs.split(","):
        timed(plan, "index", INDEX[program].format(fa=text.fasta), text.raw, "symbols/s", program=program,
              text=text.name, runs=1, clock="cpu")
    for program in options.programs.split(","):
        if program in LOCATE:
            timed(plan, "locate all exact places", LOCATE[program], "reads.fq", "reads/s", program=program,
                  text=text.name, clock="cpu")


def main():
    parser = make_parser(__doc__, several_texts=False, threads=False)
    parser.add_argument("--text", default="chr21", help="the name of a text of --dna (default: %(default)s)")
    parser.add_argument("--programs", default="gsx,bwa,bowtie,bowtie2")
    return run_table("programs", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
