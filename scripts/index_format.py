"""Index files as the tables of lib/index/store/FORMAT.md describe them: check_format.py reads them so."""

import bisect
import ctypes
import ctypes.util
import hashlib
import re
import struct

CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}


class Wrong(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Wrong(message)


def bits_for(x):
    return max(1, x.bit_length())


# --- The document ----------------------------------------------------------------------------


def table_after(text, heading):
    """The cells of the rows of the first table behind a heading, without backquotes."""
    part = re.split(rf"^#+ {re.escape(heading)}\n", text, maxsplit=1, flags=re.M)
    require(len(part) == 2, f"the document has no section '{heading}'")
    rows = []
    for line in part[1].splitlines():
        if line.startswith("|"):
            rows.append([cell.strip().replace("`", "") for cell in line.strip("|").split("|")])
        elif rows:
            break
    return rows[2:]


class Structure:
    """A structure of the document: its fields lie end to end."""

    def __init__(self, text, name):
        self.format, self.fields, self.size = "<", [], 0
        for offset, kind, field, _ in table_after(text, name):
            require(int(offset) == self.size, f"{name}.{field} is at {self.size}, not at {offset}")
            code = CODES.get(kind) or kind.split()[1] + "s"
            self.format += code
            self.fields.append((field, kind.split()[0]))
            self.size = struct.calcsize(self.format)

    def read(self, data, at=0):
        values = {}
        for (field, kind), value in zip(self.fields, struct.unpack_from(self.format, data, at)):
            if kind == "zero":
                require(not any(value), "there are bytes where the document says zero")
            elif kind == "text":
                values[field] = value.rstrip(b"\0").decode()
            else:
                values[field] = value
        return values

    def read_all(self, data):
        return [self.read(data, at) for at in range(0, len(data), self.size)]


class Document:
    def __init__(self, text):
        names = re.findall(r"^### (\w+)$", text, flags=re.M)
        self.structures = {name: Structure(text, name) for name in names}
        self.derived = table_after(text, "Derived numbers")
        self.sections = table_after(text, "Sections")


# --- Checksums and packed numbers ---------------------------------------------------------------


class Low64High64(ctypes.Structure):
    _fields_ = [("low64", ctypes.c_uint64), ("high64", ctypes.c_uint64)]


class Hashes:
    """XXH3 values of bytes, as bytes, of a libxxhash."""

    def __init__(self, name):
        library = ctypes.CDLL(name)
        self.short, self.long = library.XXH3_64bits, library.XXH3_128bits
        self.short.restype, self.long.restype = ctypes.c_uint64, Low64High64
        self.short.argtypes = self.long.argtypes = [ctypes.c_char_p, ctypes.c_size_t]

    def xxh3_64(self, data):
        return struct.pack("<Q", self.short(data, len(data)))

    def xxh3_128(self, data):
        value = self.long(data, len(data))
        return struct.pack("<QQ", value.low64, value.high64)


def hasher():
    """The hashes, or None without a libxxhash."""
    name = ctypes.util.find_library("xxhash")
    return None if name is None else Hashes(name)


def tree(hash_of, piece, data):
    """The hash of the hashes of the pieces."""
    return hash_of(b"".join(hash_of(data[at:at + piece]) for at in range(0, len(data), piece)))


def checksum(hashes, data):
    return int.from_bytes(tree(hashes.xxh3_64, 4 << 20, data), "little")


def packed(data, count, bits):
    require(len(data) == (count * bits + 7) // 8 + 16, f"{count} numbers of {bits} bits are not "
            f"{len(data)} bytes")
    stream = f"{int.from_bytes(data, 'big'):0{8 * len(data)}b}"
    return [int(stream[i * bits:(i + 1) * bits], 2) for i in range(count)]


# --- A file -----------------------------------------------------------------------------------


class IndexFile:
    def __init__(self, document, data, hashes):
        self.document, self.data, self.hashes = document, data, hashes
        header = document.structures["Header"].read(data)
        require((header["magic"], header["version"], header["byte_order"]) ==
                ("GSXINDEX", 4, 0x0A0B0C0D), "the header is another")
        require(header["file_bytes"] == len(data), "the file has another length")
        entry, first = document.structures["Entry"], document.structures["Header"].size
        end = first + header["sections"] * entry.size
        require(header["header_bytes"] == end, "the section table has another length")
        self.parts = {}
        for at in range(first, end, entry.size):
            section = entry.read(data, at)
            require(section["offset"] == end and end % 64 == 0, "there is a gap between sections")
            content = data[end:end + section["bytes"]]
            end += -(-section["bytes"] // 64) * 64
            require(not any(data[section["offset"] + len(content):end]), "padding is not zero")
            if hashes:
                require(checksum(hashes, content) == section["checksum"],
                        f"the checksum of {section['name']} is another")
            self.parts[section["name"]] = content
        require(end == len(data), "there are bytes behind the last section")
        if hashes:
            head = bytearray(data[:header["header_bytes"]])
            head[32:40] = bytes(8)
            require(checksum(hashes, bytes(head)) == header["checksum"], "the header's checksum")
        self.read_sections()
        if hashes:
            self.check_pages(header["header_bytes"])
            self.check_names()

    def check_pages(self, begin):
        """The sums of pages, which end where their section begins."""
        sums_at = len(self.data) - sum(-(-len(self.parts[name]) // 64) * 64 for name in ("page_sums", "page_sum_sums"))
        for name, data in (("page_sums", self.data[begin:sums_at]), ("page_sum_sums", self.parts["page_sums"])):
            sums = b"".join(self.hashes.xxh3_64(data[at:at + 65536]) for at in range(0, len(data), 65536))
            require(self.parts[name] == sums, f"the sums of {name}")

    def check_names(self):
        names = [bytes(self.values["names"][self.before("name_ends", r):end])
                 for r, end in enumerate(self.values["name_ends"])]
        hashes = sorted((int.from_bytes(self.hashes.xxh3_64(name), "little") >> 32, r) for r, name in enumerate(names))
        require(list(zip(self.values["name_hashes"], self.values["name_records"])) == hashes, "the table of names")

    def read_sections(self):
        """By the table of sections: values by the name of the section."""
        self.meta = document_meta = self.document.structures["Meta"].read(self.parts["meta"])
        known = dict(document_meta, bits_for=bits_for)
        for name, expression in self.document.derived:
            known[name] = eval(expression, {"__builtins__": {}}, known)  # of our own document
        self.known, self.values, order = known, {}, []
        blocks = known["length"] // known["sample_rate"] + 1
        self.kept = [row for row in map(self.kept_row, range(blocks)) if row < known["length"]]
        known["sampled_rows"] = len(self.kept)
        for name, items, item, content in self.document.sections:
            names = [name.replace("K", str(k)) for k in range(1, known["levels"])] if "K" in name \
                else [name]
            for one in names:
                if one not in self.parts and content.startswith("optional"):
                    continue
                require(one in self.parts, f"the file has no section {one}")
                self.values[one] = self.read_items(one, items, item)
                order.append(one)
        require(set(order) == set(self.parts), f"sections {set(self.parts) ^ set(order)}")

    def read_items(self, name, items, item):
        data = self.parts[name]
        count = None if items == "any" else eval(items, {"__builtins__": {}}, self.known)
        if item.startswith("packed"):
            bits = eval(item.split(None, 1)[1], {"__builtins__": {}}, self.known)
            return packed(data, count, bits)
        if item in CODES:
            size = struct.calcsize(CODES[item])
            values = list(struct.unpack(f"<{len(data) // size}{CODES[item]}", data))
        else:
            size = self.document.structures[item].size
            values = self.document.structures[item].read_all(data)
        require(len(data) % size == 0 and count in (None, len(values)),
                f"{name} has {len(data)} bytes, which are not {items} of {item}")
        return values

    # What the bytes mean

    def codes(self):
        """The text: codes, None at separators."""
        codes = list(self.values["text"])
        for end in self.values["segment_starts"][1:]:
            require(codes[end - 1] == 0, "a separator is not 0 in the text")
            codes[end - 1] = None
        return codes

    def symbols(self):
        return bytes(self.values["symbols"])

    def records(self):
        """[(name, comment, sequence)] as extract gives them."""
        v, symbols, found = self.values, self.symbols(), []
        starts, codes = v["segment_starts"], self.codes()
        for r, record in enumerate(v["records"]):
            sequence = bytearray(record["length"])
            segments, gaps = self.of_record(r, "first_segment"), self.of_record(r, "first_gap")
            for s in segments:
                require(v["segment_records"][s] == r, f"segment {s} is of another record")
                part = bytes(symbols[c] for c in codes[starts[s]:starts[s + 1] - 1])
                at = v["segment_offsets"][s]
                sequence[at:at + len(part)] = part
            for gap in (v["gaps"][g] for g in gaps):
                require(gap["record"] == r, "a gap is of another record")
                first = gap["source"] - 256
                part = bytes([gap["source"]]) * gap["length"] if first < 0 else \
                    bytes(symbols[c] for c in v["literals"][first:first + gap["length"]])
                sequence[gap["offset"]:gap["offset"] + gap["length"]] = part
            if self.hashes:
                require(tree(self.hashes.xxh3_128, 1 << 20, bytes(sequence)) == record["checksum"],
                        f"the checksum of record {r}")
            if "md5" in v:
                require(hashlib.md5(sequence).digest() == v["md5"][r]["md5"], f"the MD5 of record {r}")
            for run in v.get("case_runs", [])[self.before("case_ends", r):v.get("case_ends", [0] * 99)[r]]:
                sequence[run["begin"]:run["end"]] = sequence[run["begin"]:run["end"]].lower()
            name = bytes(v["names"][self.before("name_ends", r):v["name_ends"][r]])
            comment = bytes(v["comments"][self.before("comment_ends", r):v["comment_ends"][r]])
            blank = b" " if comment and comment[:1] not in b" \t" else b""
            found.append((name, blank + comment, bytes(sequence)))
        return found

    def of_record(self, record, first):
        """The numbers of a record's segments or gaps."""
        firsts = [one[first] for one in self.values["records"]]
        firsts.append(self.meta["segments" if first == "first_segment" else "gaps"])
        return range(firsts[record], firsts[record + 1])

    def before(self, ends, record):
        return self.values[ends][record - 1] if record and ends in self.values else 0

    def level_digits(self, level, size):
        """The digits of a level; checks the counts beside them."""
        holes = set(self.values["separator_rows"]) if level == 0 else set()
        digits, blocks = [], self.values[f"level{level}_blocks"]
        supers = self.values[f"level{level}_superblocks"]
        for i in range(size):
            plane = blocks[i // 96][f"plane_{i % 96 // 32}"] >> i % 32
            digits.append((plane & 1) | (plane >> 31 & 2))
        smaller = [sum(d < k and i not in holes for i, d in enumerate(digits)) for k in range(4)]
        counts = [0] * 4
        for i in range(size + 1):
            if i % 96 == 0:
                block, above = blocks[i // 96], supers[i // 96 // 256]
                flag = any(h in holes for h in range(i, min(i + 96, size)))
                require(block["count_0"] >> 15 == flag, f"the flag of block {i // 96}")
                for d in range(4):
                    stored = (block[f"count_{d}"] & 0x7FFF) + above[f"count_{d}"]
                    require(stored == counts[d] + smaller[d], f"count {d} of block {i // 96}")
            if i < size and i not in holes:
                counts[digits[i]] += 1
        require([supers[-1][f"count_{d}"] for d in range(4)] ==
                [counts[d] + smaller[d] for d in range(4)], "the totals")
        return digits

    def bwt(self):
        """Codes of the BWT, None for separators."""
        holes, n = set(self.values["separator_rows"]), self.meta["length"]
        order = [i for i in range(n) if i not in holes]
        codes = [None if i in holes else 0 for i in range(n)]
        for level in range(self.known["levels"]):
            digits = self.level_digits(level, n if level == 0 else len(order))
            at = dict(enumerate(order)) if level else {i: i for i in range(n)}
            by_row = {at[place]: d for place, d in enumerate(digits) if at[place] not in holes}
            for row, d in by_row.items():
                codes[row] = codes[row] * 4 + d
            order.sort(key=by_row.get)
        return codes

    def kept_row(self, block):
        rate, mask = self.meta["sample_rate"], 0xFFFFFFFF
        x = (block & mask) ^ ((block >> 32) * 0x9E3779B9 & mask)
        x = x * 0x9E3779B1 & mask
        x ^= x >> 15
        x = x * 0x85EBCA6B & mask
        return block * rate + (x * rate >> 32)

    def check_samples(self, rows):
        require(self.values["samples"] == [rows[row] for row in self.kept], "the samples")

    def check_separators(self, rows):
        starts = {start: s for s, start in enumerate(self.values["segment_starts"][:-1])}
        holes = [row for row, position in enumerate(rows) if position in starts]
        require(self.values["separator_rows"] == holes, "the rows of separators")
        require(self.values["separator_segments"] == [starts[rows[row]] for row in holes],
                "the segments of separators")

    def check_kmers(self, rows):
        k, sigma, codes = self.meta["kmer_length"], self.meta["sigma"], self.codes()
        if k == 0:
            require(self.values["kmers"] == [0], "the only bound")
            return
        # Suffixes up to their separator, which is smaller than all codes, in suffix order.
        words = [[-1 if c is None else c for c in codes[p:p + k]] for p in rows]
        words = [w[:w.index(-1) + 1] if -1 in w else w for w in words]
        for place, bound in enumerate(self.values["kmers"]):
            number, c = divmod(place, sigma + 1)
            prefix = []
            for _ in range(k - 1):
                number, digit = divmod(number, sigma)
                prefix.insert(0, digit)
            require(bound == bisect.bisect_left(words, prefix + [c]), f"bound {place} of the k-mers")
