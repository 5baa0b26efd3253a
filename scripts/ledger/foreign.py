"""Writes the file formats for which Python has no module, always the same bytes for the same input."""

import base64
import gzip
import struct
import zlib

END_OF_BGZF = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
BASES_OF_2BIT = "TCAG"
BASES_OF_BAM = "=ACMGRSVTWYHKDBN"

# Five reads on the sequence of ref.fa (inputs.py), which `samtools view -C -T ref.fa` has written.
CRAM = (
    "Q1JBTQMAci5jcmFtAAAAAAAAAAAAAAAAAACrAAAAAAAAAAAAAgIAbIbkHT0AAABjY18AAABASEQJVk46MS42CVNPOmNvb3JkaW5h"
    "dGUKQFNRCVNOOnJlZglMTjozMDAJTTU6ZDJiZjg4OTkyZWQzODMzMGY5MWU1OTZkNzJlMjA2OWUJVVI6L25vbmUvcmVmLmZhChWg"
    "MHYAAAA2NgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACSuKpfuAQAAAAuA5gUA"
    "gMgIAYDDfoDb7gABAIC4gLgSBFREAQBTTRsbGxsbUk4BQVABgKEVQkYBAQ9DRgMEAQMBAFJMAwQBKAEAQVABARFSRwMIAf////8P"
    "AQBNRgMEAQABAE5TAwgB/////w8BAE5QAwQBAAEAVFMDBAEAAQBUTAMEAQABAEZOAQEaRkMDBAFYAQBGUAMEAQgBAEJTAwQBAAEA"
    "SU4FAgANQkIEBgEBKgEBJU1RAwQBPAEAUk4FAgALUVMBAQxSSQMEAQABAFNDBQIADgEAlWYu9AACACIiAAuA5gUABgULDA8RGv//"
    "//8PzRHqSWy/XNPYc50XULsDT/oSBqwABQAAAC8H/PEABAsPD2swAGsxAGsyAGszAGs0AB3r/rYBBAyAqoDIH4sIAAAAAAAA/wUA"
    "i5KFEHQmCXmvY8vl7A1J//+FO+IOZNxS5K2SDbMp6rvtV1CMRh+U3PHl2s33UGn0UjvdfzlfMMtY4R7J82m73rX8EyINA/7N0PKQ"
    "pV2UnpeDkxJ9rdopRkKSty/f6bro4Il5YWKltj1oD9ZmES6UJyJ0v5BULZsYDPeEiY+OcnuMt2VB3n9whXjqLlAfdYVquEufpv4B"
    "7fgB1cgAAACk3688AAQPBQUAEAAQAAzQaH8ABBEFBQAoKChGXWy4nQAEGgUFAAABAAC6wCpQDwAAAP////8P4EVPRgAAAAABAAW9"
    "2U8AAQAGBgEAAQABAO5jAUs=")


def gzipped(data):
    return gzip.compress(data, mtime=0)


def bgzf(data, block=4000, end=True):
    """BGZF in blocks of few bytes, so that a small file has several; without `end`, it lacks its mark."""
    out = []
    for begin in range(0, len(data), block):
        piece = data[begin:begin + block]
        deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = deflate.compress(piece) + deflate.flush()
        out.append(bytes.fromhex("1f8b08040000000000ff060042430200") + struct.pack("<H", len(packed) + 25)
                   + packed + struct.pack("<II", zlib.crc32(piece), len(piece)))
    return b"".join(out) + (END_OF_BGZF if end else b"")


def zstd(data):
    """One frame of one block that is not compressed."""
    assert len(data) < 1 << 17
    return struct.pack("<IBI", 0xFD2FB528, 0xA0, len(data)) + struct.pack("<I", len(data) << 3 | 1)[:3] + data


def runs(sequence, holds):
    """Starts and lengths of the runs of symbols for which `holds` is true."""
    found, begin = [], None
    for at, symbol in enumerate(sequence + "\0"):
        inside = symbol != "\0" and holds(symbol)
        if inside and begin is None:
            begin = at
        elif not inside and begin is not None:
            found.append((begin, at - begin))
            begin = None
    return found


def two_bit(records):
    """2bit of pairs of a name and a sequence; what is not A, C, G or T becomes N."""
    bodies = []
    for _, sequence in records:
        parts = [struct.pack("<I", len(sequence))]
        for blocks in (runs(sequence, lambda s: s.upper() not in "ACGT"), runs(sequence, str.islower)):
            parts.append(struct.pack("<I", len(blocks)))
            parts += [struct.pack("<I", start) for start, _ in blocks]
            parts += [struct.pack("<I", length) for _, length in blocks]
        parts.append(struct.pack("<I", 0))
        codes = [max(BASES_OF_2BIT.find(s), 0) for s in sequence.upper()]
        codes += [0] * (-len(codes) % 4)
        parts.append(bytes(codes[i] << 6 | codes[i + 1] << 4 | codes[i + 2] << 2 | codes[i + 3]
                           for i in range(0, len(codes), 4)))
        bodies.append(b"".join(parts))
    at = 16 + sum(5 + len(name) for name, _ in records)
    out = [struct.pack("<IIII", 0x1A412743, 0, len(records), 0)]
    for (name, _), body in zip(records, bodies):
        out.append(struct.pack("<B", len(name)) + name.encode() + struct.pack("<I", at))
        at += len(body)
    return b"".join(out + bodies)


def bam(reads):
    """BAM of triples of a name, a sequence and its qualities, none of which is mapped."""
    header = b"@HD\tVN:1.6\tSO:unsorted\n"
    out = [b"BAM\1", struct.pack("<i", len(header)), header, struct.pack("<i", 0)]
    for name, sequence, qualities in reads:
        letters = [BASES_OF_BAM.find(s) for s in sequence.upper()]
        letters += [0] * (len(letters) % 2)
        body = struct.pack("<iiBBHHHiiii", -1, -1, len(name) + 1, 0, 4680, 0, 4, len(sequence), -1, -1, 0)
        body += name.encode() + b"\0"
        body += bytes(letters[i] << 4 | letters[i + 1] for i in range(0, len(letters), 2))
        body += bytes(ord(q) - 33 for q in qualities)
        out.append(struct.pack("<i", len(body)) + body)
    return bgzf(b"".join(out))


def cram():
    return base64.b64decode(CRAM)
