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

    def __init__(self, name, gsx, raw_command, fasta_command="", kind=None, parts=()):
        self.name = name
        self.kind = kind or name  # what --only may call it, too
        self.parts = parts  # the texts that it is made of
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


def generated(kind, length):
    """A text of gsx bench's generator, seed 1."""
    name = f"{kind}-{shown_length(length)}"
    gsx = f"--text {kind} --length {length}"
    fasta = f"gsx bench -q --device cpu {gsx} --reads 0 --work device --write-text {name}.fa"
    return Text(name, gsx, f"{letters_of(name + '.fa')} > {name}.raw", fasta, kind)


def letters_of(fasta=""):
    """A command that writes the letters of a FASTA file, or of standard input."""
    return f"grep -v '^>' {fasta} | tr -d '\\n'"


def made_of(name, parts, command):
    """A text whose bases a command writes, from the raw files of other texts."""
    return Text(name, f"--input {name}.fa", f"{{ {command}; }} > {name}.raw", fasta_of_raw(name), parts=parts)


def whole(*names):
    """A command that writes the bases of texts."""
    return f"cat {' '.join(name + '.raw' for name in names)}"


def haplotypes(count, bases):
    """A command that writes so many human haplotypes of the bases that another command writes, seed 1."""
    return (f"{{ echo '>h' && {bases} && echo; }} | gsx bench -q --device cpu --input - --haplotypes {count} "
            f"--reads 0 --work device -o /dev/null --write-text - | {letters_of()}")


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
        if name in self.proteins:
            return from_fasta(name, self.proteins[name], protein=True)
        if name in self.bytes:
            return from_bytes(name, self.bytes[name])
        if name in self.files:
            return from_fasta(name, self.files[name])
        parts, command = self.made().get(name, ((), ""))
        if not parts or any(part not in self.files for part in parts):
            return None
        return made_of(name, [self.real(part) for part in parts], command)

    def made(self):
        """The texts made of others: the parts of each, and the command that writes its bases."""
        human = [part for part in PARTS_OF_HUMAN if part in self.files]
        xy = ["chrX", "chrY"]
        return {
            "human": (human if len(human) > 1 else [], whole(*human)),
            "xy": (xy, whole(*xy)),
            "chr20-copy": (["chr20"], f"{whole('chr20')} && {self.piece('chr20', 30_000_000, 2_600_000)}"),
            "chr20-diploid": (["chr20"], haplotypes(2, whole("chr20"))),
            "chr21-8": (["chr21"], haplotypes(8, self.piece("chr21", 0, 33_000_000))),
            "chr21-100": (["chr21"], haplotypes(100, self.piece("chr21", 10_000_000, 2_000_000))),
        }

    def piece(self, name, begin, length):
        """A command that writes bases from the middle of a text; the last ones if it ends before that."""
        begin, length = begin // self.shrink, self.shrunk(length)
        return f"head -c {begin + length} {name}.raw | tail -c {length}"

    def others(self, named):
        """Texts that the command line adds to the named ones."""
        own = set(named) | set(PARTS_OF_HUMAN)
        names = [*self.files, *self.proteins, *self.bytes]
        return [self.real(name) for name in names if name not in own]

    def generated(self, kind, length):
        return generated(kind, self.shrunk(length))

    def shrunk(self, length):
        return max(20_000, length // self.shrink)
