"""Takes out of what the program writes what differs from run to run, or from machine to machine."""

import gzip
import hashlib
import re
import zlib

LONGEST = 1500  # characters of a text that a record holds as it is
LONGEST_MESSAGES = 6000
LONGEST_HELP = 20000
HEAD = 3  # lines of a longer text

# Of messages, in this order.
MESSAGES = [(re.compile(pattern), by) for pattern, by in (
    (r"wall [\d.]+ s \| cpu [\d.]+ s \| peak memory [\d.]+ MB host, [\d.]+ MB device",
     "wall T s | cpu T s | peak memory M"),
    (r"\.gsx-[0-9a-f]+(-[0-9a-f]+)+\.tmp", ".gsx-X.tmp"),
    (r"thread time: .*", "thread time"),
    (r"(?<![\w.])\d+(\.\d+)?(e-\d+)? s\b", "T s"),
    (r"at least \d+ bytes( \([\d.]+ [kMGT]B\))? so far", "at least N bytes so far"),
    (r"\| device (cuda[\d:,]*)[^|]*\|", r"| device \1 |"),
    (r"\b\d+ (bytes of GPU memory are free|free\b)", r"N \1"),
    (r"\b\d+ threads?\b", "N threads"),
    (r"/dev/fd/\d+", "/dev/fd/N"),
    (r"\b(process|pid) \d+", r"\1 N"),
)]
LOG = re.compile(r"(info|warning|error|debug): ")
# Figures of --plan that are of the moment, and these columns of the table of shards.
MOMENT = re.compile(r"((?:host|host_limit|disk_free)_bytes\W{1,2})\d+")
SHARD = re.compile(r"^(\d+\t\S+\t\d+\t\d+\t)\d+(\t\d+\t\d+\t)[\d.]+", re.MULTILINE)
# Lines of doctor whose values are of the program or of the command line, not of the machine.
KEPT_FACTS = re.compile(r"threads|gsx_cpu|cuda_built|reads_\w+|gpus|conclusion|conclusions")
NUMBER = re.compile(r"(?<![\w.])\d+(\.\d+)?(e[+-]?\d+)?(?![\w.])")


class Blanking:
    """Knows the version of the program, and the folder in which it runs."""

    def __init__(self, version, folder):
        self.version = re.compile(rb"(?<![\d.])" + re.escape(version.encode()) + rb"(?![\d.])")
        self.folder = re.compile(re.escape(str(folder)) + r"(/(work\d+|made)\b)?")

    def without_version(self, data):
        return self.version.sub(b"VERSION", data)

    def messages(self, data, line=""):
        """Standard error of a case."""
        data = settled(line, data)
        text = self.folder.sub("FOLDER", self.without_version(data).decode("utf-8", "backslashreplace"))
        for pattern, by in MESSAGES:
            text = pattern.sub(by, text)
        return described(told_by_one(text, line).encode(), LONGEST_MESSAGES)

    def output(self, data, line=""):
        """Standard output, or a file, of a case."""
        packing = packing_of(data)
        plain = unpacked(data) if packing else data
        measured = settled(line, plain)
        blanked = self.without_version(measured)
        shown = described(blanked, LONGEST_HELP if line.endswith(" --help") else LONGEST)
        if not packing and not isinstance(shown, dict):
            return shown
        if not isinstance(shown, dict):
            shown = {"text": shown}
        return {**shown, "bytes": len(data if measured == plain else measured),
                "hash": hash_of(data if blanked == plain else blanked),
                **({"packing": packing} if packing else {})}


def hash_of(data):
    return hashlib.sha256(data).hexdigest()[:16]


def packing_of(data):
    """How gzip holds the data: BGZF with its end mark, without it, or else; empty if it is not gzip."""
    if not data.startswith(b"\x1f\x8b") or unpacked(data) is None:
        return ""
    if data[12:14] != b"BC":
        return "gzip"
    return "bgzf" if data.endswith(b"\x1b\0\3" + bytes(9)) else "bgzf without its end"


def unpacked(data):
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return None


def described(data, longest=LONGEST):
    """A short text as it is; of anything else its size, its hash, and how it begins."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = None
    if text is None or "\0" in text:
        return {"bytes": len(data), "hash": hash_of(data), "begin": data[:16].hex()}
    if len(text) <= longest:
        return text
    lines = text.splitlines()
    return {"bytes": len(data), "lines": len(lines), "hash": hash_of(data),
            "head": [line[:150] for line in lines[:HEAD]]}


def told_by_one(text, line):
    """The text without bars, with the names of stages alone of --progress json, and with debug messages.

    Stages, debug messages and the query that memory does not suffice for are those of one thread only: which
    of several threads tells of what is chance.
    """
    stages = re.findall(r'^\{"stage":"([^"]*)"', text, re.MULTILINE)
    text = re.sub(r'^\{"stage":.*\n', "", re.sub(r"\r[^\r\n]*?\033\[K", "", text), flags=re.MULTILINE)
    if "-t 1" not in line:
        text = re.sub(r"^debug: .*\n", "", text, flags=re.MULTILINE)
        return re.sub(r"(are left for them, at the query) '[^']*'", r"\1 NAME", text)
    return text + "".join(f"(progress) {stage}\n" for stage in dict.fromkeys(stages))


def command_of(line):
    """The command of gsx that the last call of a line has; empty if there is none."""
    found = re.findall(r"(?:^|[\s;&({])gsx(?:-emulated)? ([a-z0-9]+)", line)
    return found[-1] if found else ""


def settled(line, data):
    """The data without what a command measures, or finds on the machine."""
    command, words = command_of(line), line.split()
    if command not in ("doctor", "bench") and "--plan" not in words or words[-1] in ("-h", "--help"):
        return data
    if not is_text(data):
        return data
    text = data.decode()
    if command == "doctor":
        text = without_facts(text)
    elif command == "bench":
        text = "".join(figure if LOG.match(figure) else without_figures(figure)
                       for figure in text.splitlines(keepends=True))
    else:
        text = SHARD.sub(r"\1N\2N", MOMENT.sub(r"\1N", text))
    return text.encode()


def without_figures(line):
    """A line of bench, of a table or of CSV, without what it has measured."""
    line = re.sub(r"\s+\d+\.\d+\s.*", "", line.rstrip("\n") + " ").rstrip() + "\n"
    line = re.sub(r" {2,}", "  ", re.sub(r"\b[kMGT](?=[A-Za-z]+/s\b)", "", line))
    return NUMBER.sub("N", line) if re.search(r",[\d,]", line) else line


def is_text(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def without_facts(text):
    """The output of doctor with the values that are of the machine as VALUE."""
    def line(match):
        value = NUMBER.sub("N", match[2]) if KEPT_FACTS.fullmatch(match[1]) else "VALUE"
        return f"{match[1]}\t{value}"

    def member(match):
        return match[0] if KEPT_FACTS.fullmatch(match[1]) else f'"{match[1]}":VALUE'
    text = re.sub(r"^(\w+)\t(.*)$", line, text, flags=re.MULTILINE)
    text = re.sub(r'"(\w+)":("[^"]*"|[\w.]+)', member, text)
    return re.sub(r'"conclusions":.*', lambda match: NUMBER.sub("N", match[0]), text)
