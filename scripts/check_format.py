#!/usr/bin/env python3
"""Reads index files by the tables of lib/index/store/FORMAT.md and compares them with the output of gsx.

  scripts/check_format.py GSX

Makes small indexes of several kinds with the program GSX. Reads the structures, sections and
derived numbers of each as the document describes them, and checks that they cover the file byte by
byte and that the checksums are right (if there is a libxxhash). Rebuilds records, BWT, samples and
k-mers from the bytes, and compares them with the output of extract, bwt and sa. Then changes the
document in several places; the files must contradict each change. Exit code 1 if document and
files disagree.
"""

import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from index_format import Document, IndexFile, Wrong, hasher, require

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "lib/index/store/FORMAT.md"

DNA = ">one first record\nACGTNNACGTacgtRYACGGTTAACCAATT\n>two\n\n>one\nNNN\n>x\nggGGccATATATATATATATATC\n"
CASES = [("dna", DNA * 9, []), ("dna, all rows", DNA, ["--sa-rate", "1"]),
         ("dna, case kept", DNA, ["--soft-mask", "keep"]),
         ("dna, case split", DNA, ["--soft-mask", "split", "--sa-rate", "4"]),
         ("dna, 64-bit positions", DNA, ["--wide"]), ("dna, with MD5", DNA, ["--md5"]),
         ("dna, with its file", DNA, ["--files"]),
         ("dna, with whole headers", DNA, ["--whole-header"]),
         ("dna, a record of two pieces", ">a\n" + "N" * (1 << 20) + "ACGT\n", []),
         ("protein", ">p a protein\nMKVLAAGIVGLCAKAYW*\n>q\nMKVLAAGIVGLCAKAYXX\n" * 3,
          ["--alphabet", "protein"]),
         ("phage lambda", (ROOT / "data" / "lambda.fa").read_text(), []),
         ("bytes", ">b\nThe_quick,brown;fox:jumps!over?the(lazy)dog\n" * 3, ["--alphabet", "bytes"])]


# Changes of the document that no index file agrees with.
SLIPS = [("`u32` | `sigma`", "`u64` | `sigma`"), ("| `gaps` | `gaps` | `Gap` |", "| `gaps` | `gaps` | `u64` |"),
         ("`length // 96 + 1`", "`length // 16 + 1`"), ("| `names` |", "| `titles` |"),
         ("| `literals` | `packed 2` |", "| `literals` | `packed 3` |"),
         ("| 8 | `u64` | `first_segment`", "| 8 | `u64` | `first_piece`"),
         ("`bits_for(length)`", "`bits_for(length) + 1`")]


def output_of(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    require(done.returncode == 0, done.stderr.decode())
    return done.stdout


def check(document, gsx, folder, text, options, hashes):
    fasta, path = folder / "a.fa", folder / "a.gsx"
    fasta.write_text(text)
    output_of(gsx, "index", "-q", "--force", str(fasta), "-o", str(path), *options)
    index = IndexFile(document, path.read_bytes(), hashes)
    shown = b"".join(b">" + name + comment + b"\n" + (sequence + b"\n" if sequence else b"")
                     for name, comment, sequence in index.records())
    require(shown == output_of(gsx, "extract", "-q", "--line-width", "0", str(path)),
            f"extract gives other records than {shown}")
    symbols = index.symbols()
    bwt = bytes(ord("\n") if c is None else symbols[c] for c in index.bwt())
    require(bwt == output_of(gsx, "bwt", "-q", "--separator", "\\n", str(path)), "the BWT")
    raw = output_of(gsx, "sa", "-q", "--separators", "--width", "8", str(path))
    rows = list(struct.unpack(f"<{len(raw) // 8}Q", raw))
    index.check_samples(rows)
    index.check_separators(rows)
    index.check_kmers(rows)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    gsx, hashes = str(Path(arguments[0]).resolve()), hasher()
    if hashes is None:
        print("checksums are not checked: there is no libxxhash")
    try:
        document = Document(DOCUMENT.read_text())
    except Wrong as error:
        print(f"{DOCUMENT.name}: {error}")
        return 1
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, text, options in CASES:
            try:
                check(document, gsx, Path(folder), text, options, hashes)
                print(f"{name}: as the document says")
            except Wrong as error:
                print(f"{name}: the file is not as {DOCUMENT.name} says: {error}")
                wrong += 1
        for right, slip in SLIPS:
            text = DOCUMENT.read_text()
            try:
                require(right in text, f"there is no {right} to change")
                check(Document(text.replace(right, slip)), gsx, Path(folder), DNA,
                      ["--soft-mask", "split"], hashes)
                print(f"a document with {slip} passes, too")
                wrong += 1
            except (Wrong, KeyError) as error:
                wrong += right not in text and not print(error)
    if not wrong:
        print(f"{len(CASES)} index files are as {DOCUMENT.name} says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
