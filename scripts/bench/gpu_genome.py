#!/usr/bin/env python3
"""Measures a genome of 3.1 Gbp on a GPU: its suffix array, its BWT, its index, and the first answer of that.

With --index-only, the index alone, of texts whose suffix array is too large for the host.

README.md explains the options.
"""

import sys

from benchmark import make_parser, run_table
from files import timed

FEW = """head -c 15000000 {fasta} | grep -v '^>' | tr -d '\\n' | fold -w 150 |
awk 'NR % 100 == 1 && length($1) == 150 {{ print ">read" NR "\\n" $1 }}' > few.fa"""


def fill(plan):
    options = plan.options
    device = f"--device {options.device} -t {options.threads}"
    genome = plan.texts.generated("genome", options.bases)
    plan.prepare(genome.fasta, genome.fasta_command)
    plan.prepare(genome.fasta + ".count", f"grep -v '^>' {genome.fasta} | tr -d '\\n' | wc -c > {genome.fasta}.count")
    if not options.index_only:
        plan.bench(genome, options.device, "sa,bwt", options.rounds * options.runs, "--reads 0")
    timed(plan, "index, FASTA to file", f"gsx index -q --force {device} {genome.fasta} -o record.gsx", genome.fasta,
          "symbols/s", text=genome.name)
    if options.index_only:
        return
    plan.prepare("target.gsx", f"gsx index -q {device} {genome.fasta} -o target.gsx")
    plan.prepare("few.fa", FEW.format(fasta=genome.fasta))
    plan.prepare("few.fa.count", "grep -c '^>' few.fa > few.fa.count")
    timed(plan, "first answer, few reads", f"gsx count -q {device} -x target.gsx few.fa > /dev/null", "few.fa",
          "reads/s", text=genome.name)


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--device", default="cuda", help="as of gsx: cpu, cuda, or several GPUs as cuda:0,1")
    parser.add_argument("--index-only", action="store_true")
    parser.add_argument("--bases", type=int, default=31 * 10**8, help="length of the genome")
    options = parser.parse_args()
    return run_table("gpu_genome", options, fill)


if __name__ == "__main__":
    sys.exit(main())
