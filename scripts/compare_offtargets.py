#!/usr/bin/env python3
"""Compares the sites of CRISPR guides that gsx finds with those of another program.

    scripts/compare_offtargets.py build/gsx genome.fa.gz [--bowtie /usr/bin/bowtie] [--guides 1000] [--seed 1]
                                  [--expected data/guides_chr21.tsv]

Draws guides of 20 bases beside the PAM NGG from a genome, and searches them with `gsx offtarget` for 0 to 3
mismatches: all at once, by a table of PAM sites, and a few at a time, without one. Bowtie 1 (`bowtie -v K -a`;
bowtie-build is taken from the same folder) searches the guides alone; of its places, those beside the PAM count. All
must be the same sites with the same numbers of mismatches. Without --bowtie, it prints "not compared".

--expected names a table of guides and of the sites that another program counted with each number of mismatches; the
genome must be the one that it was made of (data/README.md). Prints one line per comparison, with the CPU time; exits
with 1 if one differs.
"""
import argparse
import os
import random
import sys
import tempfile

from check_genome import COMPLEMENT, read_fasta
from compare_mismatches import places_of_bowtie, run

LENGTH, PAM = 20, 3
FEW = 50  # guides for which gsx makes no table


def site_at(sequence, begin, strand):
    """Where the site with the guide at `begin` begins, and its bases in the direction of the guide."""
    if strand == b"+":
        return begin, sequence[begin:begin + LENGTH + PAM]
    site = sequence[max(0, begin - PAM):begin + LENGTH]
    return begin - PAM, site.translate(COMPLEMENT)[::-1]


def has_pam(site):
    return len(site) == LENGTH + PAM and site.endswith(b"GG") and site[LENGTH] in b"ACGT"


def draw_guides(records, count):
    records = [record for record in records if len(record[1]) > LENGTH + PAM]
    if not records:
        sys.exit("no record of the genome is long enough")
    weights = [len(sequence) for _, sequence in records]
    guides = []
    for _ in range(1000 * count):
        sequence = random.choices(records, weights)[0][1]
        _, site = site_at(sequence, random.randrange(len(sequence) - LENGTH), random.choice([b"+", b"-"]))
        if has_pam(site) and b"N" not in site:
            guides.append(site[:LENGTH])
        if len(guides) == count:
            return guides
    sys.exit("the genome has too few sites of the PAM")


def sites_of_gsx(output):
    """Sorted (guide, record, start, strand, mismatches) of --sites."""
    rows = (line.split(b"\t") for line in output.splitlines())
    return sorted((row[0], row[1], int(row[2]), row[4], int(row[5])) for row in rows)


def sites_of_bowtie(output, sequences):
    """The same of the places of Bowtie that lie beside the PAM."""
    sites = []
    for guide, record, start, strand, mismatches in places_of_bowtie(output):
        begin, site = site_at(sequences[record], start, strand)
        if has_pam(site):
            sites.append((guide, record, begin, strand, mismatches))
    return sorted(sites)


def compare_with_table(options):
    """Compares the numbers of sites with those of a table; True if they are the same."""
    with open(options.expected, "rb") as file:
        rows = [line.rstrip(b"\n").split(b"\t") for line in file if not line.startswith(b"#")]
    most = len(rows[0]) - 2
    with tempfile.TemporaryDirectory() as folder:
        guides = os.path.join(folder, "guides.txt")
        with open(guides, "wb") as file:
            file.writelines(row[0] + b"\n" for row in rows)
        output, seconds = run([options.gsx, "offtarget", "-q", "--no-header", "-t", "1", "-k", str(most), "--score",
                               "none", "-r", options.genome, "--without-pam", guides])
    # guide_id guide pam n0 ... nk n_total
    found = [line.split(b"\t")[1:2] + line.split(b"\t")[3:4 + most] for line in output.splitlines()]
    different = sum(row != other for row, other in zip(rows, found)) + abs(len(rows) - len(found))
    totals = " ".join(str(sum(int(row[1 + k]) for row in rows)) for k in range(most + 1))
    print(f"{'same' if different == 0 else 'DIFFERENT'}  {len(rows)} guides, k = {most}: sites by mismatches {totals} "
          f"({seconds:.2f} s), {different} guides differ", flush=True)
    return different == 0


def compare_with_bowtie(options):
    """Compares the sites of guides drawn from the genome; True if they are the same."""
    random.seed(options.seed)
    records = read_fasta(options.genome)
    sequences = {name.encode(): sequence for name, sequence in records}
    guides = [(b"g%d" % i, guide) for i, guide in enumerate(draw_guides(records, options.guides))]
    different = False
    with tempfile.TemporaryDirectory() as folder:
        fasta, index, peer_index, queries = (os.path.join(folder, name) for name in ("g.fa", "g.gsx", "g", "q.fa"))
        with open(fasta, "wb") as file:
            for name, sequence in records:
                file.write(b">%s\n%s\n" % (name.encode(), sequence))
        run([options.gsx, "index", "-q", "-o", index, fasta])
        run([options.bowtie + "-build", "-q", fasta, peer_index])

        def sites(some, k):
            with open(queries, "wb") as file:
                for name, guide in some:
                    file.write(b">%s\n%s\n" % (name, guide))
            output, seconds = run([options.gsx, "offtarget", "-q", "--no-header", "-t", "1", "-k", str(k), "-x", index,
                                   "--without-pam", "-o", "/dev/null", "--sites", "-", queries])
            return sites_of_gsx(output), seconds

        for k in range(4):
            few = sorted(site for i in range(0, len(guides), FEW) for site in sites(guides[i:i + FEW], k)[0])
            found, our_time = sites(guides, k)
            theirs, their_time = run([options.bowtie, "-v", str(k), "-a", "-f", "--quiet", "-x", peer_index, queries])
            expected = sites_of_bowtie(theirs, sequences)
            same = found == expected and few == found
            print(f"{'same' if same else 'DIFFERENT'}  {len(guides)} guides, k = {k}: {len(found)} sites "
                  f"({our_time:.2f} s), a few at a time {len(few)}, bowtie {len(expected)} ({their_time:.2f} s)",
                  flush=True)
            different = different or not same
    return not different


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx")
    parser.add_argument("genome", help="FASTA, plain or gzip")
    parser.add_argument("--bowtie", help="the program Bowtie 1")
    parser.add_argument("--guides", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--expected", help="a table of guides and numbers of sites")
    options = parser.parse_args()
    same = True
    if options.bowtie is None:
        print("bowtie: not compared")
    else:
        same = compare_with_bowtie(options)
    if options.expected is not None:
        same = compare_with_table(options) and same
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
