#!/usr/bin/env python3
"""Measures what several GPUs do in place of one: sorting the suffixes of a genome, and counting reads.

Sorting is the step of `gsx index -v` from the text on the GPUs to its BWT and samples on the first one. One GPU
counts with its share of the threads, and of the cores. No run warms up: the files are in the page cache.
README.md explains the options.
"""

import re
import sys

from benchmark import make_parser, run_table
from files import timed

READS = """head -c {bytes} {fasta} | grep -v '^>' | tr -d '\\n' | fold -w 150 |
awk 'length($1) == 150 {{ printf "@read%d\\n%s\\n+\\n%s\\n", NR, $1, $1 }}' > reads.fq"""


def parts_of(options):
    """(name, program, device, threads) of one GPU with its share of the cores, and of all GPUs."""
    devices = options.devices.split(",")
    if len(devices) == 1:
        return [("one GPU", "gsx", devices[0], options.threads)]
    share = max(1, options.threads // len(devices))
    return [("one GPU", f'taskset -c 0-{share - 1} "$GSX"', devices[0], share),
            (f"{len(devices)} GPUs", "gsx", options.devices, options.threads)]


def fill(plan):
    options = plan.options
    options.device = options.devices
    genome = plan.texts.generated("genome", options.bases)
    target = plan.texts.generated("genome", options.target)
    for text in (genome, target):
        plan.prepare(text.fasta, text.fasta_command)
        plan.prepare(text.fasta + ".count", f"grep -v '^>' {text.fasta} | tr -d '\\n' | wc -c > {text.fasta}.count")
    plan.prepare("target.gsx", f"gsx index -q --device {options.devices} {target.fasta} -o target.gsx")
    plan.prepare("reads.fq", READS.format(fasta=target.fasta, bytes=151 * options.reads))
    plan.prepare("reads.count", f"echo $(($(grep -c '^+$' reads.fq) * {options.copies})) > reads.count")
    files = " ".join(["reads.fq"] * options.copies)
    # In turn, so that none has the quieter time.
    for _ in range(options.rounds):
        for name, program, device, threads in parts_of(options):
            timed(plan, f"suffixes sorted, {name}",
                  f"{program} index -v --force --device {device} -t {threads} {genome.fasta} -o record.gsx",
                  genome.fasta, "symbols/s", text=genome.name, runs=options.runs, log=options.log)
        for name, program, device, threads in parts_of(options):
            timed(plan, f"reads of 150 counted, {name}",
                  f"{program} count -q --device {device} -t {threads} -x target.gsx {files} > /dev/null",
                  "reads", "reads/s", text=target.name, runs=options.runs)


def main():
    parser = make_parser(__doc__, several_texts=False)
    parser.add_argument("--devices", default="cuda:0,1", help="as --device of gsx (default: %(default)s)")
    parser.add_argument("--bases", type=int, default=2 * 10**10, help="length of the genome that is sorted")
    parser.add_argument("--target", type=int, default=31 * 10**8, help="length of the one that is searched")
    parser.add_argument("--reads", type=int, default=2 * 10**7, help="reads of the file")
    parser.add_argument("--copies", type=int, default=12, help="how often the file is given")
    parser.add_argument("--log", default="debug: sorted in", help="how the line with the seconds of sorting begins")
    options = parser.parse_args()
    if not re.fullmatch(r"cpu|cuda(:\d+(,\d+)*)?", options.devices):
        parser.error(f"--devices: '{options.devices}' does not name each GPU, as cuda:0,1 does")
    for name in ("threads", "rounds", "runs", "shrink", "bases", "target", "reads", "copies"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} is at least 1")
    return run_table("several_gpus", options, fill)


if __name__ == "__main__":
    sys.exit(main())
