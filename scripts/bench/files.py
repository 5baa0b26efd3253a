#!/usr/bin/env python3
"""Measures whole commands on files: reads of chromosome 20, plain and gzip, and an index of one record.

The reads have 150 bases, at every 37th place; their qualities are bases, too, so that they compress
like those of real reads. igzip (ISA-L) inflates the same file in the same run.
README.md explains the options.
"""

import sys

from benchmark import make_parser, run_table
from texts import Text

READS = """for begin in {begins}; do
  paste <(tail -c +$begin {raw} | fold -w 150) <(tail -c +$((begin + 20011)) {raw} | tr ACGT 'IF:I' | fold -w 150)
done | awk 'length($1) == 150 && length($2) == 150 {{ print "@read" NR "\\n" $1 "\\n+\\n" $2 }}' > reads.fq"""


def timed(plan, work, command, amount, unit, ceiling="", program="gsx", text="", of="", runs=0, clock="wall",
          note="", log=""):
    """Measures a command, after one run that warms up unless `runs` says how many there are.

    `of` is the text whose symbols it works on; the clock counts wall or cpu seconds. With `log`, the seconds are those
    that stand behind these words, with which a line of what the command logs begins.
    """
    warming = 0 if runs else 1
    for run in range((runs or plan.options.rounds * plan.options.runs) + warming):
        plan.add("timed", text, command, work=work, program=program, amount=amount, unit=unit,
                 ceiling=ceiling, warms=run < warming, of=of or text, clock=clock,
                 note=note, log=log,
                 transfer="pageable" if plan.options.device.startswith("cuda") and program == "gsx" else "none")


def fill_reads(plan, source, target):
    options = plan.options
    device = f"--device {options.device} -t {options.threads}"
    plan.need_raw(source)
    plan.need_fasta(target)
    begins = " ".join(str(1 + 37 * k) for k in range(options.passes))
    plan.prepare("reads.fq", READS.format(begins=begins, raw=source.raw))
    plan.prepare("reads.fq.count", "grep -c '^+$' reads.fq > reads.fq.count")
    plan.prepare("reads.fq.gz", f"{options.gzip} < reads.fq > reads.fq.gz")
    plan.prepare("target.gsx", f"gsx index -q {target.fasta} -o target.gsx")
    name = f"{source.name} in {target.name}"
    note = f"compressed={options.gzip.split()[0]}"
    for work, command in (("count", "count"), ("locate, BED", "locate --bed"), ("filter --keep", "filter --keep"),
                          ("filter --drop", "filter --drop")):
        timed(plan, f"{work}, FASTQ", f"gsx {command} -q {device} -x target.gsx reads.fq > /dev/null",
              "reads.fq", "reads/s", text=name, of=target.name)
    timed(plan, f"ceiling: {options.inflater}", f"{options.inflater} reads.fq.gz > /dev/null", "reads.fq", "B/s",
          program=options.inflater.split()[0], text=name, of=target.name, note=note)
    timed(plan, "count, gzip", f"gsx count -q {device} -x target.gsx reads.fq.gz > /dev/null", "reads.fq",
          "reads/s", options.inflater, text=name, of=target.name, note=note)


def fill(plan):
    options = plan.options
    if options.record:
        record = plan.texts.generated("genome", options.record)
        plan.prepare(record.fasta, record.fasta_command)
        plan.prepare(record.fasta + ".count", f"grep -v '^>' {record.fasta} | tr -d '\\n' | wc -c > "
                                              f"{record.fasta}.count")
        timed(plan, "index, one record",
              f"gsx index -q --force --device {options.device} -t {options.threads} {record.fasta} -o record.gsx",
              record.fasta, "symbols/s", text=record.name)
    source, target = plan.texts.real("chr20"), plan.texts.real("chr21") or plan.texts.real("chrX")
    if not source or not target:
        source, target = (plan.texts.generated("genome", length) for length in (6 * 10**7, 4 * 10**7))
    fill_reads(plan, source, target)


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cpu")
    parser.add_argument("--gzip", default="gzip -n", help="what compresses the reads (default: %(default)s)")
    parser.add_argument("--inflater", default="igzip -dc", help="what gzip is compared with")
    parser.add_argument("--passes", type=int, default=8, help="times that the reads cover the chromosome")
    parser.add_argument("--record", type=int, default=5 * 10**9, help="bases of the one record; 0: none")
    return run_table("files", parser.parse_args(), fill)


if __name__ == "__main__":
    sys.exit(main())
