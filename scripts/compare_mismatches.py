#!/usr/bin/env python3
"""Compares the places that gsx finds with mismatches with those of another program.

    scripts/compare_mismatches.py build/gsx genome.fa.gz --bowtie /usr/bin/bowtie --fuzznuc /usr/bin/fuzznuc
        [--reads 10000] [--motifs 10] [--seed 1]

Cuts reads from a genome, with errors and some N, from both strands, and searches them with `gsx locate -k` and with
Bowtie 1 (`bowtie -v K -a`; bowtie-build is taken from the same folder), for 0 to 3 mismatches. Both must find the
same set of places with the same numbers of mismatches. Searches for motifs of IUPAC codes in the same way with
`gsx locate --iupac -k` and with fuzznuc of EMBOSS, whose places over other symbols than A, C, G and T do not count.
Prints one line per comparison, with the CPU time of both; exits with 1 if one differs. For a program that is not
given, it prints "not compared".
"""
import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile

from check_genome import COMPLEMENT, read_fasta

IUPAC = {b"A": b"RWMDHVN", b"C": b"YSMBHVN", b"G": b"RSKBDVN", b"T": b"YWKBDHN"}  # the codes that match a base
LENGTHS = [(150, 1.0), (36, 0.1), (20, 0.005)]  # of reads, and how many there are in proportion


def draw_reads(records, count, length):
    """FASTQ records of one length."""
    records = [record for record in records if len(record[1]) >= length]
    if not records:
        sys.exit(f"no record of the genome has {length} bases")
    weights = [len(sequence) for _, sequence in records]
    reads = []
    while len(reads) < count:
        sequence = random.choices(records, weights)[0][1]
        begin = random.randrange(len(sequence) - length + 1)
        read = bytearray(sequence[begin:begin + length])
        if read.count(b"N") > 2:
            continue
        for i in range(length):
            if random.random() < 0.01:
                read[i] = random.choice(b"ACGT" if random.random() < 0.9 else b"N")
        if random.random() < 0.5:
            read = read.translate(COMPLEMENT)[::-1]
        reads.append(b"@r%d\n%s\n+\n%s\n" % (len(reads), bytes(read), b"I" * length))
    return b"".join(reads)


def draw_motifs(records, count):
    """Parts of the genome, with a third of their letters replaced by codes that match them."""
    records = [record for record in records if len(record[1]) >= 24]
    if not records:
        sys.exit("no record of the genome has 24 bases")
    motifs = []
    while len(motifs) < count:
        sequence = random.choice(records)[1]
        length = random.randrange(12, 25)
        begin = random.randrange(max(1, len(sequence) - length + 1))
        motif = bytearray(sequence[begin:begin + length])
        if len(motif) < length or motif.strip(b"ACGT"):
            continue
        for i in range(length):
            if random.random() < 0.33:
                motif[i] = random.choice(IUPAC[bytes(motif[i:i + 1])])
        motifs.append((b"m%d" % len(motifs), bytes(motif)))
    return motifs


def run(command):
    """The output of a program, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(command)}\n{done.stderr.decode()}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def places_of_gsx(output):
    """Sorted (query, record, start, strand, mismatches) of `gsx locate --no-header`."""
    rows = (line.split(b"\t") for line in output.splitlines())
    return sorted((row[0], row[1], int(row[2]), row[4], int(row[5])) for row in rows)


def places_of_bowtie(output):
    """The same of Bowtie's own format, whose eighth column lists the mismatches."""
    rows = (line.split(b"\t") for line in output.splitlines())
    return sorted((row[0], row[2].split()[0], int(row[3]), row[1], len(row[7].split(b",")) if row[7] else 0)
                  for row in rows)


def places_of_fuzznuc(path, records):
    """The same of fuzznuc's table, without the places that hold other symbols than A, C, G and T."""
    sequences = {name.encode(): sequence for name, sequence in records}
    places = []
    with open(path, "rb") as file:
        for row in (line.rstrip(b"\n").split(b"\t") for line in file):
            if row[0] == b"SeqName" or len(row) < 7:
                continue
            begin, end = int(row[1]) - 1, int(row[2])
            if not sequences[row[0]][begin:end].strip(b"ACGT"):
                places.append((row[5].split(b":")[0], row[0], begin, row[4], 0 if row[6] == b"." else int(row[6])))
    return sorted(places)


def say(what, found, our_time, name, expected, their_time):
    """Prints a comparison; whether the places are the same."""
    same = found == expected
    print(f"{'same' if same else 'DIFFERENT'}  {what}: {len(found)} places ({our_time:.2f} s), "
          f"{name} {len(expected)} ({their_time:.2f} s)", flush=True)
    return same


def compare_motifs(options, folder, records, fasta, index):
    """Whether the motifs have the same places by gsx and by fuzznuc."""
    motifs = draw_motifs(records, options.motifs)
    ours_file, theirs_file, table = (os.path.join(folder, name) for name in ("motifs.tsv", "motifs.fa", "fuzznuc.tsv"))
    with open(ours_file, "wb") as file:
        file.writelines(b"%s\t%s\n" % motif for motif in motifs)
    same = True
    for k in range(4):
        with open(theirs_file, "wb") as file:
            file.writelines(b">%s <mismatch=%d>\n%s\n" % (name, k, motif) for name, motif in motifs)
        ours, our_time = run([options.gsx, "locate", "-q", "--no-header", "-t", "1", "--iupac", "-k", str(k),
                              "-x", index, "-f", ours_file])
        _, their_time = run([options.fuzznuc, "-auto", "-sequence", fasta, "-pattern", "@" + theirs_file,
                             "-complement", "Y", "-rformat2", "excel", "-outfile", table])
        same &= say(f"{len(motifs)} IUPAC motifs, k = {k}", places_of_gsx(ours), our_time, "fuzznuc",
                    places_of_fuzznuc(table, records), their_time)
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx")
    parser.add_argument("genome", help="FASTA, plain or gzip")
    parser.add_argument("--bowtie", help="the program Bowtie 1")
    parser.add_argument("--fuzznuc", help="the program fuzznuc of EMBOSS")
    parser.add_argument("--motifs", type=int, default=10)
    parser.add_argument("--reads", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in ("bowtie", "fuzznuc"):
        if getattr(options, name) is None:
            print(f"{name}: not compared")
    if options.bowtie is None and options.fuzznuc is None:
        return 0
    random.seed(options.seed)
    # EMBOSS makes other names of some, such as those with bars.
    records = [(f"r{i}", sequence) for i, (_, sequence) in enumerate(read_fasta(options.genome))]
    different = False
    with tempfile.TemporaryDirectory() as folder:
        fasta, index, peer_index, fastq = (os.path.join(folder, name) for name in ("g.fa", "g.gsx", "g", "reads.fq"))
        with open(fasta, "wb") as file:
            for name, sequence in records:
                file.write(b">%s\n%s\n" % (name.encode(), sequence))
        run([options.gsx, "index", "-q", "-o", index, fasta])
        if options.fuzznuc is not None:
            different = not compare_motifs(options, folder, records, fasta, index)
        if options.bowtie is not None:
            run([options.bowtie + "-build", "-q", fasta, peer_index])
        for length, share in LENGTHS if options.bowtie is not None else []:
            count = max(1, int(options.reads * share))
            with open(fastq, "wb") as file:
                file.write(draw_reads(records, count, length))
            for k in range(4):
                ours, our_time = run([options.gsx, "locate", "-q", "--no-header", "-t", "1", "-k", str(k),
                                      "-x", index, fastq])
                theirs, their_time = run([options.bowtie, "-v", str(k), "-a", "--quiet", "-x", peer_index, fastq])
                same = say(f"{count} reads of {length}, k = {k}", places_of_gsx(ours), our_time, "bowtie",
                           places_of_bowtie(theirs), their_time)
                different = different or not same
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
