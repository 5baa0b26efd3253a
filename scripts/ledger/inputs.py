"""The files that the cases read: small, and the same bytes each time."""

import bz2
import lzma
import shutil
from pathlib import Path

from ledger import foreign

GOLDEN = Path(__file__).resolve().parent.parent.parent / "tests" / "golden"
COMPLEMENT = str.maketrans("ACGTUNRYSWKMacgtn", "TGCAANYRSWMKtgcan")


class Chance:
    """A generator of numbers that is the same in every version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % limit

    def word(self, length, letters="ACGT"):
        return "".join(letters[self.below(len(letters))] for _ in range(length))


def reversed_complement(sequence):
    return sequence.translate(COMPLEMENT)[::-1]


def put(sequence, at, piece):
    return sequence[:at] + piece + sequence[at + len(piece):]


def changed(sequence, *places):
    """The sequence with another base at each place."""
    for at in places:
        sequence = put(sequence, at, "ACGT"["CGTA".index(sequence[at].upper())])
    return sequence


def genome():
    """Names and sequences with a repeat on both strands, N, an IUPAC code and lower case."""
    chance = Chance(1)
    first = chance.word(900)
    repeat = first[100:160]
    first = put(put(first, 500, repeat), 700, reversed_complement(repeat))
    first = put(put(first, 300, "N" * 10), 400, "R")
    first = put(first, 600, first[600:640].lower())
    second = put(chance.word(500), 50, changed(first[20:120], 10, 70))
    return [("chr1 the first", first), ("chr2", second), ("chrM", chance.word(200)), ("tiny", "ACGTTGCA")]


def circle():
    return Chance(5).word(90)


def fasta(records, width=60, end="\n"):
    lines = []
    for name, sequence in records:
        lines.append(">" + name)
        lines += [sequence[i:i + width] for i in range(0, len(sequence), width)]
    return end.join(lines) + end


def fastq(reads):
    return "".join(f"@{name}\n{sequence}\n+\n{qualities}\n" for name, sequence, qualities in reads)


def qualities_of(chance, length):
    return "".join(chr(33 + 2 + chance.below(39)) for _ in range(length))


def reads_of(records, chance, count=24):
    """Reads of both strands: exact ones, some with a mismatch, one of N, a short one, one of nowhere."""
    reads = []
    for number in range(count):
        sequence = records[number % 3][1].upper()
        begin = chance.below(len(sequence) - 60)
        read = sequence[begin:begin + 40 + chance.below(20)]
        if number % 2:
            read = reversed_complement(read)
        if number % 5 == 4:
            read = changed(read.replace("N", "A").replace("R", "A"), 17)
        reads.append(read)
    reads[5] = reads[5][:20] + "N" + reads[5][21:]
    reads[7] = "N" * 40
    reads[11] = reads[11][:9]
    reads[13] = chance.word(50)
    return [(f"r{i + 1}", read, qualities_of(chance, len(read))) for i, read in enumerate(reads)]


def mates_of(sequence, chance):
    """First and second mates; the last pair is of nowhere."""
    first, second = [], []
    for number in range(6):
        begin = chance.below(len(sequence) - 150)
        piece = sequence[begin:begin + 150].upper() if number < 5 else chance.word(150)
        for reads, read, tag in ((first, piece[:40], "/1"), (second, reversed_complement(piece[-40:]), "/2")):
            reads.append((f"m{number + 1}{tag}", read, qualities_of(chance, 40)))
    return first, second


def guides_of(sequence):
    """Three guides that have NGG behind them."""
    upper = sequence.upper()
    places = [at for at in range(21, len(upper) - 1) if upper[at:at + 2] == "GG"
              and set(upper[at - 21:at]) <= set("ACGT")]
    return [upper[at - 21:at - 1] for at in places[::max(len(places) // 3, 1)][:3]]


def sequence_files():
    records = genome()
    text = fasta(records)
    data = text.encode()
    chance = Chance(2)
    protein = chance.word(150, "ACDEFGHIKLMNPQRSTVWY")
    masked = chance.word(40) + chance.word(30).lower() + chance.word(50)
    shared = chance.word(60)
    clean = chance.word(50) * 2 + chance.word(20)
    return {
        "dna.fa": data, "dna.fa.gz": foreign.gzipped(data), "dna.fa.bgz": foreign.bgzf(data, 500),
        "dna.fa.bz2": bz2.compress(data), "dna.fa.xz": lzma.compress(data), "dna.fa.zst": foreign.zstd(data),
        "dna.2bit": foreign.two_bit([(name.split()[0], sequence) for name, sequence in records]),
        "crlf.fa": fasta(records, end="\r\n"), "noeof.fa.bgz": foreign.bgzf(data, 500, end=False),
        "clean.fa": fasta([("one", clean)]), "other.fa": fasta([("one", clean[::-1])]),
        "a.fa": f">1\n{shared}ACGTTT\n>2\nGGTTTA\n", "b.fna": f">1 of b\nCCTTTACGT{shared[:40]}\n",
        "c.fa": ">3\nTTTTGATTACA\n",
        "odd.fa": "; a comment\n> blank before\nACGT ACGT\n>empty\n>tab\there\nacgtn\n>\nGATTACA\n"
                  ">dup\nTTTT\n>dup again\nTTTA\n>caf\u00e9\x01\\x41\nGGGG\n>last\nCCCC",
        "rna.fa": f">rna\n{chance.word(80, 'ACGU')}\n",
        "masked.fa": fasta([("m1", masked), ("m2", masked.lower())]),
        "prot.fa": fasta([("P1 kinase", protein), ("P2", protein[40:90] + "MKV*"),
                          ("P3", "MKVLSEGEWQLVAIRDIQSFLR")]),
        "bytes.fa": ">t1\nThe_quick_brown_fox;\n>t2\nthe_lazy,dog|the_quick\n",
        "circ.fa": fasta([("plasmid", circle()), ("linear", circle()[60:] + circle()[:30])]),
        "nrun.fa": ">n\nNNNNNNNN\n", "short.fa": ">s\nAC\n", "noseq.fa": ">a\n>b\n", "empty.fa": "",
        "equal.fa": ">e1\nAAAAAAAAAAAAAAAAAAAAAAAA\n>e2\nAAAAAAAAAAAAAAAA\n",
    }


def query_files():
    records = genome()
    chance = Chance(3)
    reads = reads_of(records, chance)
    text = fastq(reads).encode()
    first, second = mates_of(records[0][1], chance)
    upper = records[0][1].upper()
    words = [upper[20:32], upper[120:140], reversed_complement(upper[210:225]), "GATTACA", "ACNNGT"]
    names = ["p1", "p2", "p3", "p4", "p5"]
    sam = "".join(f"{n}\t4\t*\t0\t0\t*\t*\t0\t0\t{s}\t{q}\n" for n, s, q in reads)
    round_ = circle()
    return {
        "reads.fq": text, "reads.fq.gz": foreign.gzipped(text), "reads.fq.bgz": foreign.bgzf(text, 700),
        "noeof.fq.bgz": foreign.bgzf(text, 700, end=False), "reads.fq.zst": foreign.zstd(text),
        "reads.fa": fasta([(n + " a read", s) for n, s, _ in reads]),
        "reads.sam": "@HD\tVN:1.6\n" + sam, "reads.bam": foreign.bam(reads),
        "reads.cram": foreign.cram(), "ref.fa": fasta([("ref", Chance(9).word(300))]),
        "ref.fa.fai": "ref\t300\t5\t60\t61\n",
        "r1.fq": fastq(first), "r2.fq": fastq(second), "r2.fq.gz": foreign.gzipped(fastq(second).encode()),
        "inter.fq": fastq([r for pair in zip(first, second) for r in pair]),
        "other1.fq": fastq([("x" + n[1:], s, q) for n, s, q in first]),
        "words.txt": "".join(w + "\n" for w in words),
        "words.tsv": "# names\n" + "".join(f"{n}\t{w}\n" for n, w in zip(names, words)),
        "words.csv": "id,sequence,note\n" + "".join(f"{n},{w},x\n" for n, w in zip(names, words)),
        "words.fa": fasta(list(zip(names, words))), "iupac.txt": f"{upper[20:26]}NNR{upper[29:40]}\nGTYRAC\n",
        "span.txt": f"span\t{round_[80:]}{round_[:12]}\ninside\t{round_[10:30]}\n",
        "peptides.fa": ">q1\nMKVLSEG\n>q2\nAIRDLQSF\n>q3\nMKJ\n", "letters.tsv": "t\tquick\nu\tThe_\n",
    }


def short_files():
    """Guides, primers, barcodes, sets of prefixes, regions, tables."""
    records = genome()
    upper = records[0][1].upper()
    chance = Chance(4)
    guides = guides_of(records[0][1]) + [chance.word(20)]
    near = changed(guides[0], 3, 9)
    primers = [("amp", upper[150:170], reversed_complement(upper[350:370])),
               ("near", changed(upper[20:40], 4), reversed_complement(upper[180:200])),
               ("none", chance.word(20), chance.word(20))]
    codes = [chance.word(12) for _ in range(4)]
    codes += [changed(codes[0], 5), changed(codes[0], 5, 8), changed(codes[1], 2)]
    counts = list(zip(codes, (90, 20, 7, 3, 8, 2, 5)))
    cells = [(f"c{i + 1}", codes[i % len(codes)] + upper[i * 20:i * 20 + 20], qualities_of(chance, 32))
             for i in range(20)] + [("short", codes[0][:7], "I" * 7)]
    single = [(f"{name}_{end}", primer) for name, f, r in primers for end, primer in (("F", f), ("R", r))]
    weights = "length\t20\n*\tN\tN\t0.5\n20\tN\tN\t0.1\npam\tNGG\t1\npam\tNAG\t0.25\n"
    span = circle()
    return {
        "guides.txt": "".join(g + "\n" for g in guides),
        "guides.tsv": "".join(f"g{i}\t{g}\n" for i, g in enumerate([*guides, near], 1)),
        "guides.csv": "name,sgRNA sequence,score\n"
                      + "".join(f"g{i},{g},0.{i}\n" for i, g in enumerate(guides, 1)),
        "guides.fa": fasta([(f"g{i}", g) for i, g in enumerate(guides, 1)]),
        "pams.txt": "".join(g + "AGG\n" for g in guides), "scores.tsv": weights,
        "primers.tsv": "".join("\t".join(p) + "\n" for p in primers),
        "primers.csv": "name,forward,reverse\n" + "".join(",".join(p) + "\n" for p in primers),
        "single.csv": "".join(",".join(p) + "\n" for p in single), "single.fa": fasta(single),
        "back.tsv": f"back\t{span[70:88]}\t{reversed_complement(span[5:23])}\n",
        "codes.txt": "".join(f"{code}\n" * (count // 2) for code, count in counts),
        "counts.tsv": "".join(f"{code}\t{count}\n" for code, count in counts),
        "counts.csv": "barcode,reads\n" + "".join(f"{code},{count}\n" for code, count in counts),
        "codes.fa": fasta([(f"b{i}", code) for i, code in enumerate(codes, 1)]),
        "mates.fq": fastq([r for n, s, q in cells for r in ((f"{n}/1", s, q), (f"{n}/2", s[::-1], q))]),
        "allowed.txt": "".join(code + "\n" for code in codes[:4]), "cells.fq": fastq(cells),
        "cells.fq.gz": foreign.gzipped(fastq(cells).encode()),
        "cells.fa": fasta([(n, s) for n, s, _ in cells]),
        "set.tsv": "".join(f"e{i}\t{code[:4 + i]}\n" for i, code in enumerate(codes[:4])),
        "set.fa": fasta([(f"f{i}", code[:6]) for i, code in enumerate(codes[:3])]),
        "regions.txt": "chr1:11-30\nchr2\nchr1:595-645\n",
        "regions.bed": "chr1\t10\t30\tx\t0\t-\nchr2\t0\t40\ty\t0\t+\n",
        "sites.bed": "chr1\t0\t450\nchr1\t400\t600\n", "files.tsv": "a.fa\tpatient 1\nb.fna\tpatient 2\n",
        "paths.txt": "# files\na.fa\nb.fna\n", "paths.csv": "name,fasta\np1,a.fa\np2,b.fna\n",
    }


def bad_files():
    data = sequence_files()["dna.fa"]
    packed = foreign.gzipped(data)
    return {
        "bad.fa": "no header\nACGT\n", "mixed.fa": ">a\nACGT\n@b\nACGT\n+\nIIII\n",
        "bad.fq": "@a\nACGT\n+\nIII\n", "cut.fq": "@a\nACGT\n+\nIIII\n@b\nACG",
        "notdna.fa": ">a\nACGTEFILPQEFILPQ\n", "wrong.fa": ">a\nAC\x02GT\n",
        "cut.fa.gz": packed[:len(packed) // 2], "cut.fa.bgz": foreign.bgzf(data, 500)[:700],
        "flip.fa.gz": packed[:60] + bytes([packed[60] ^ 8]) + packed[61:],
        "behind.fa.gz": packed + b"more", "zero.fa.gz": packed + bytes(9),
        "archive.zip": b"PK\3\4" + bytes(40), "page.html": "<!DOCTYPE html>\n<html></html>\n",
        "record.gb": "LOCUS       X 10 bp DNA\nORIGIN\n//\n", "calls.vcf": "##fileformat=VCFv4.2\n#CHROM\n",
        "noise.bin": bytes(range(256)), "badlist.csv": "A1,x,GGATCC\nA2,y,n/a\nA3,z,GGTACC\n",
        "longcode.txt": "ACGT\nACGTA\n", "badset.txt": "ACGT\nACGT\n", "badregion.txt": "chr1:5-2\n",
        "badpairs.tsv": "amp\tACGTACGTAC\n", "badscore.tsv": "length\t20\n1\tA\tC\t2\n",
        "nopaths.txt": "none.fa\n",
        "notindex.gsx": "this is no index\n", "empty.gsx": "", "wrong.json": "{\"version\":",
    }


# Lines that make further files with the program, in this order. They are recorded, too.
SETUP = """
gsx index -q dna.fa -o dna.gsx
gsx index -q --soft-mask keep --md5 --sa-rate 4 dna.fa -o kept.gsx
gsx index -q --soft-mask split dna.fa -o split.gsx
gsx index -q clean.fa
gsx index -q prot.fa
gsx index -q --alphabet bytes bytes.fa
gsx index -q circ.fa
gsx index -q odd.fa
gsx index -q --files a.fa b.fna -o files.gsx
gsx index -q --shards 2 dna.fa -o many.gsx
gsx index -q --files --shard-size 10 a.fa b.fna -o parts.gsx
gsx index -q --shards 2 prot.fa -o protparts.gsx
gsx lz77 -q dna.fa -o dna.lz77
gsx lz77 -q --across-records dna.fa -o across.lz77
gsx bwt -q clean.fa -o clean.bwt
gsx bwt -q dna.fa --separator '\\n' -o lines.bwt
gsx mappability -q --spectrum dna.gsx -o spectrum.tsv
gsx count -q -x dna.gsx reads.fq --summary S1.count.json -o S1.count.tsv
gsx locate -q -x dna.gsx reads.fq --summary S1.locate.json -o S1.locate.tsv
gsx mem -q -x dna.gsx reads.fq -L 15 --summary S1.mem.json -o S1.mem.tsv
gsx ms -q -x dna.gsx reads.fq --summary S1.ms.json -o S1.ms.txt
gsx filter -q -x dna.gsx reads.fq --keep --summary S1.filter.json -o S1.fq
gsx prefix -q --set set.tsv cells.fq --summary S1.prefix.json -o S1.prefix.tsv
gsx neighbors -q counts.tsv --clusters --summary S1.neighbors.json -o S1.clusters.tsv
gsx count -q -x clean.gsx reads.fq --summary S2.count.json -o S2.count.tsv
""".strip().splitlines()

# Folders with indexes: a name, or a new name and the name of the file that is copied.
FOLDERS = {
    "lone": "dna.gsx dna.fa reads.fq reads.fq.gz reads.fq.bgz reads.fa reads.bam words.txt words.csv "
            "words.tsv words.fa r1.fq r2.fq r2.fq.gz other1.fq inter.fq reads.sam reads.fq.zst guides.txt "
            "guides.tsv guides.csv guides.fa pams.txt scores.tsv sites.bed regions.txt regions.bed "
            "primers.tsv primers.csv single.csv single.fa S1.count.json".split(),
    "two": "dna.gsx prot.gsx reads.fq".split(),
    "gap": "many.gsx many.000.gsx".split(),
    "swapped": "many.gsx many.000.gsx=many.001.gsx many.001.gsx=many.000.gsx".split(),
}

# What `merge` joins: the name of a part, and how it is made of the shard I.
PARTS = {
    "count.tsv": "count reads.fq", "mismatches.tsv": "count -k 1 --by-mismatches reads.fq",
    "record.tsv": "count --by-record reads.fq", "hits.tsv": "locate reads.fq",
    "hits.bed": "locate reads.fq --bed",
    "hits.paf": "locate reads.fq --paf", "hits.jsonl": "locate reads.fq --jsonl",
    "hits.bedgraph": "locate reads.fq --bedgraph", "sorted.bed": "locate reads.fq --bed --sort position",
    "most.tsv": "locate reads.fq -k 1 --max-hits 1", "iupac.tsv": "locate -f iupac.txt --iupac --max-hits 1",
    "count.part": "count reads.fq", "hits.part": "locate reads.fq -k 1 --max-hits 2 --sort position",
}
FILE_PARTS = {
    "file.tsv": "count --by-file words.fa", "matrix.tsv": "count --by-file --matrix words.fa",
    "presence.tsv": "count --by-file --presence words.fa",
}


def part_lines():
    lines = []
    for parts, index in ((PARTS, "many"), (FILE_PARTS, "parts")):
        for name, work in parts.items():
            for shard in (0, 1):
                lines.append(f"gsx {work} -q -x {index}.00{shard}.gsx -o {shard}.{name}"
                             f" --summary {shard}.{name}.json")
    return lines


def setup_lines():
    return SETUP + part_lines()


def write(folder):
    """Writes what needs no program."""
    for files in (sequence_files(), query_files(), short_files(), bad_files()):
        for name, content in files.items():
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for path in sorted(GOLDEN.glob("*.gsx")):
        shutil.copyfile(path, folder / f"old.{path.name}")
    (folder / "folder").mkdir()


def flip(path, to, at):
    """A copy with one bit changed; `at` is a share of the file."""
    data = bytearray(path.read_bytes())
    if data:
        data[int(len(data) * at)] ^= 4
    to.write_bytes(data)


def finish(folder):
    """Writes what is made of the files of the program: damaged ones, and folders with indexes."""
    if not (folder / "dna.gsx").exists() or not (folder / "dna.lz77").exists():
        return
    for name, at in (("flip0.gsx", 0.002), ("flip1.gsx", 0.05), ("flip2.gsx", 0.5), ("flip3.gsx", 0.95)):
        flip(folder / "dna.gsx", folder / name, at)
    flip(folder / "dna.lz77", folder / "flip.lz77", 0.6)
    whole = (folder / "dna.gsx").read_bytes()
    (folder / "cut.gsx").write_bytes(whole[:len(whole) // 2])
    (folder / "head.gsx").write_bytes(whole[:100])
    (folder / "more.gsx").write_bytes(whole + b"more")
    shutil.copyfile(folder / "many.gsx", folder / "lost.gsx")
    for name, files in FOLDERS.items():
        (folder / name).mkdir()
        for file in files:
            source = file.split("=")
            shutil.copyfile(folder / source[-1], folder / name / source[0])
