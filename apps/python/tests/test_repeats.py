"""What repeats in texts: LCP arrays, maximal repeats and their pairs, LZ77 phrases, against naive answers."""

import itertools
import unittest

import numpy as np

import gsx

from .support import GsxTest, generator, random_dna, reverse_complement


def common(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


class LcpTest(GsxTest):
    def test_lcp_arrays(self):
        source = generator()
        for data in [b"", b"a", b"banana", b"a" * 600, bytes(source.choice(b"AC") for _ in range(500))]:
            rows, lcp = gsx.lcp_array(data, threads=2)
            np.testing.assert_array_equal(rows, gsx.suffix_array(data))
            self.assertEqual(lcp.dtype, rows.dtype)
            self.assertEqual(list(lcp), [0 if r == 0 else common(data[rows[r - 1]:], data[rows[r]:])
                                         for r in range(len(data))])
        self.assert_raises((gsx.UsageError,), "255", gsx.lcp_array, bytes(range(256)))
        self.assert_raises((gsx.UsageError,), "encode()", gsx.lcp_array, "banana")


class RepeatsTest(GsxTest):
    def setUp(self):
        source = generator()
        unit = random_dna(source, 30)
        self.texts = [random_dna(source, 40) + unit + "N" + random_dna(source, 20) + unit[4:],
                      reverse_complement(unit[:25]) + random_dna(source, 40) + unit[10:] + "ACGTTGCAACGT"]
        self.index = gsx.build({f"r{i}": text for i, text in enumerate(self.texts)})

    def naive_places(self, string, both):
        """(target, start, strand); one that is its own reverse complement has each place once."""
        turned = reverse_complement(string)
        return [(t, i, 1 if text.startswith(string, i) else -1)
                for t, text in enumerate(self.texts) for i in range(len(text))
                if text.startswith(string, i) or both and text.startswith(turned, i)]

    def naive_repeats(self, least, both):
        """{places: length} of the strings that occur more often than any that is one symbol longer."""
        def occurrences(string):  # one that is its own reverse complement counts on both strands
            strings = [string, reverse_complement(string)] if both else [string]
            return sum(text.startswith(s, i) for text in self.texts for i in range(len(text)) for s in strings)
        found = {}
        for text in self.texts:
            for i, j in itertools.combinations(range(len(text) + 1), 2):
                string = text[i:j]
                if j - i < least or "N" in string or len(self.naive_places(string, both)) < 2:
                    continue
                longer = [c + string for c in "ACGT"] + [string + c for c in "ACGT"]
                if all(occurrences(s) < occurrences(string) for s in longer):
                    found[min(string, reverse_complement(string)) if both else string] = string
        return found

    def test_repeats(self):
        for strands in ["both", "forward"]:
            expected = self.naive_repeats(8, strands == "both")
            repeats, places = self.index.repeats(8, strands=strands, max_hits=None)
            self.assertEqual([repeats[n].dtype for n in repeats], [np.int64] * 3)
            self.assertEqual(len(repeats["length"]), len(expected))
            np.testing.assert_array_equal(np.bincount(places["repeat"]), repeats["n_reported"])
            np.testing.assert_array_equal(repeats["n_total"], repeats["n_reported"])
            np.testing.assert_array_equal(places["end"] - places["start"], repeats["length"][places["repeat"]])
            for number, length in enumerate(repeats["length"]):
                of = places["repeat"] == number
                rows = list(zip(places["target"][of], places["start"][of], places["strand"][of]))
                target, start, strand = rows[0]
                self.assertEqual(strand, 1)
                string = self.texts[target][start:start + length]
                self.assertIn(min(string, reverse_complement(string)) if strands == "both" else string, expected)
                self.assertEqual(rows, self.naive_places(string, strands == "both"))

    def test_fewer_repeats(self):
        repeats, places = self.index.repeats(4, max_hits=2)
        self.assertTrue((repeats["n_reported"] == np.minimum(repeats["n_total"], 2)).all())
        self.assertTrue((repeats["n_total"] > 2).any())
        often, _ = self.index.repeats(4, min_count=3)
        self.assertEqual(len(often["length"]), (repeats["n_total"] >= 3).sum())
        longest, _ = self.index.repeats(4, supermaximal=True)
        self.assertTrue(0 < len(longest["length"]) < len(repeats["length"]))

    def test_pairs(self):
        def symbol(t, i):
            return self.texts[t][i] if 0 <= i < len(self.texts[t]) else "-"

        def differ(a, b):
            return a != b or a not in "ACGT"
        expected = set()
        ends = [(t, i) for t, text in enumerate(self.texts) for i in range(len(text))]
        for (t, i), (u, j) in itertools.combinations(ends, 2):
            if differ(symbol(t, i - 1), symbol(u, j - 1)):
                length = 0
                while not differ(symbol(t, i + length), symbol(u, j + length)):
                    length += 1
                if length >= 8:
                    expected.add((t, i, u, j, length, 1))
        for (t, i), (u, j) in itertools.product(ends, ends):  # j is the last symbol of the other place
            if differ(symbol(t, i - 1), reverse_complement(symbol(u, j + 1))):
                length = 0
                while not differ(symbol(t, i + length), reverse_complement(symbol(u, j - length))):
                    length += 1
                if length >= 8 and (t, i) <= (u, j - length + 1):
                    expected.add((t, i, u, j - length + 1, length, -1))
        pairs = self.index.repeat_pairs(8)
        self.assertEqual(list(pairs), ["target", "start", "end", "target2", "start2", "end2", "length", "strand"])
        found = list(zip(*[pairs[n] for n in ("target", "start", "target2", "start2", "length", "strand")]))
        self.assertEqual(len(found), len(set(found)))
        self.assertEqual(set(found), expected)
        for number in ["", "2"]:
            np.testing.assert_array_equal(pairs["end" + number] - pairs["start" + number], pairs["length"])
        forward = self.index.repeat_pairs(8, strands="forward")
        self.assertEqual(len(forward["length"]), sum(pair[-1] == 1 for pair in expected))

    def test_wrong_options(self):
        for function in [self.index.repeats, self.index.repeat_pairs]:
            self.assert_raises((gsx.UsageError,), "min_length is 0", function, 0)
            self.assert_raises((gsx.UsageError,), "'both' or 'forward'", function, strands="reverse")
            self.assert_raises((gsx.ResourceError, MemoryError), "memory", function, memory_limit=1000)
        self.assert_raises((gsx.UsageError,), "min_count is 1", self.index.repeats, min_count=1)
        self.assert_raises((gsx.UsageError,), "max_hits is 0", self.index.repeats, max_hits=0)


class PhrasesTest(GsxTest):
    def naive_phrases(self, texts, record, across):
        """(start, length, source_record, source, literal) of a record."""
        text, at, phrases = texts[record], 0, []
        while at < len(text):
            if text[at] == "N":
                end = at
                while end < len(text) and text[end] == "N":
                    end += 1
                phrases.append((at, end - at, -1, -1, b"N"))
                at = end
                continue
            earlier = [(t, i) for t in range(0 if across else record, record + 1)
                       for i in range(len(texts[t]) if t < record else at)]
            best = (0, -1, -1)
            for t, i in earlier:
                length = 0
                while (at + length < len(text) and i + length < len(texts[t]) and text[at + length] != "N"
                       and texts[t][i + length] == text[at + length]):
                    length += 1
                if length > best[0]:
                    best = (length, t, i)
            phrases.append((at, *best, b"") if best[0] else (at, 1, -1, -1, text[at].encode()))
            at += max(best[0], 1)
        return phrases

    def test_phrases(self):
        source = generator()
        texts = [random_dna(source, 200, "AACGTN"), "", random_dna(source, 100, "AC") * 2, "GGNN"]
        index = gsx.build({f"r{i}": text for i, text in enumerate(texts)})
        for across in [False, True]:
            phrases = index.lz77(across_records=across)
            self.assertEqual(list(phrases), ["record", "start", "length", "source_record", "source", "literal"])
            self.assertEqual([phrases[n].dtype for n in phrases], [np.int64] * 5 + [np.dtype("S1")])
            self.assertEqual([tuple(row) for row in zip(*phrases.values())],
                             [(record, *phrase) for record in range(len(texts))
                              for phrase in self.naive_phrases(texts, record, across)])
        self.assert_raises((gsx.ResourceError, MemoryError), "memory", index.lz77, memory_limit=1000)
        self.assert_raises((gsx.UsageError,), "memory_limit is 0", index.lz77, memory_limit=0)


if __name__ == "__main__":
    unittest.main()
