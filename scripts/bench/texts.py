"""The texts of the benchmark: real ones from files, and generated ones."""

import shlex
from pathlib import Path

# Files of Debian packages: vt-examples and smalt-examples.
PACKAGED = {
    "chr20": "/usr/share/doc/vt/examples/ref/20.fa.gz",
    "chrX": "/usr/share/doc/smalt/test/data/hs37chrXtrunc.fa.gz",
}
PARTS_OF_HUMAN = ("chr20", "chr21", "chrX", "chrY")  # as far as there are files


class Text:
    """One text. `raw` is the file that peers read: the symbols, and nothing else."""

    def __init__(self, name, gsx, raw_command, fasta_command=""):
        self.name = name
        self.gsx = gsx  # the options by which gsx bench takes it
        self.raw = name + ".raw"
        self.fasta = name + ".fa"
        self.raw_command = raw_command
        self.fasta_command = fasta_command


def from_fasta(name, path, protein=False):
    """The letters of a FASTA file, plain or gzip, as one record. DNA loses all but A, C, G and T."""
    keep = "A-Z" if protein else "ACGT"
    raw = f"zcat -f {shlex.quote(path)} | grep -v '^>' | tr a-z A-Z | tr -cd {keep} > {name}.raw"
    return Text(name, f"--input {name}.fa", raw, fasta_of_raw(name))


def from_bytes(name, path):
    """The printable bytes of a file, plain or gzip, with those that FASTA gives a meaning replaced."""
    raw = f"zcat -f {shlex.quote(path)} | tr ' \\n\\t>' '_|~}}' | LC_ALL=C tr -cd '!-~' > {name}.raw"
    return Text(name, f"--input {name}.fa --alphabet bytes", raw, fasta_of_raw(name))


def fasta_of_raw(name):
    return f"{{ echo '>{name}'; cat {name}.raw; echo; }} > {name}.fa"


def generated(kind, length, shrink=1):
    """A text of gsx bench's generator, seed 1."""
    length = max(20_000, length // shrink)
    name = f"{kind}-{shown_length(length)}"
    gsx = f"--text {kind} --length {length}"
    fasta = f"gsx bench -q --device cpu {gsx} --reads 0 --work device --write-text {name}.fa"
    return Text(name, gsx, f"grep -v '^>' {name}.fa | tr -d '\\n' > {name}.raw", fasta)


def shown_length(length):
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if length >= unit:
            return f"{length / unit:g}{letter}"
    return str(length)


class Texts:
    """Finds texts by name; `options` are those of the command line."""

    def __init__(self, options):
        self.shrink = options.shrink
        self.files = {name: path for name, path in PACKAGED.items() if Path(path).exists()}
        self.files.update(dict(options.dna))
        self.proteins = dict(options.protein)
        self.bytes = dict(options.bytes)

    def real(self, name):
        """The text, or None if there is no file for it."""
        if name == "human":
            parts = [part for part in PARTS_OF_HUMAN if part in self.files]
            if len(parts) < 2:
                return None
            text = Text(name, "--input human.fa",
                        f"cat {' '.join(part + '.raw' for part in parts)} > human.raw",
                        fasta_of_raw(name))
            text.parts = [self.real(part) for part in parts]
            return text
        if name in self.proteins:
            return from_fasta(name, self.proteins[name], protein=True)
        if name in self.bytes:
            return from_bytes(name, self.bytes[name])
        return from_fasta(name, self.files[name]) if name in self.files else None

    def others(self, named):
        """Texts that the command line adds to the named ones."""
        own = set(named) | set(PARTS_OF_HUMAN)
        names = [*self.files, *self.proteins, *self.bytes]
        return [self.real(name) for name in names if name not in own]

    def generated(self, kind, length):
        return generated(kind, length, self.shrink)
