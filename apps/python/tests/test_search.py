"""count() and locate(), against a naive scan, for all that patterns may be."""

import unittest

import numpy as np

import gsx

from .support import (GsxTest, generator, naive_counts, naive_places, needs, random_dna,
                      reverse_complement)


def offsets_of(patterns):
    return np.cumsum([0] + [len(p) for p in patterns])


class PatternsTest(GsxTest):
    """All forms of patterns give the same counts."""

    def setUp(self):
        self.source = generator()
        self.texts = [random_dna(self.source, 300, "ACGTACGTACGTN") for _ in range(3)]
        self.index = gsx.build({f"r{i}": text for i, text in enumerate(self.texts)})
        self.patterns = [random_dna(self.source, 3) for _ in range(50)]
        self.expected = np.array([naive_counts(self.texts, p) for p in self.patterns])

    def check(self, patterns, offsets=None):
        forward, reverse = self.index.count(patterns, offsets)
        self.assertEqual(forward.dtype, np.int64)
        np.testing.assert_array_equal(forward, self.expected[:, 0])
        np.testing.assert_array_equal(reverse, self.expected[:, 1])

    def test_lists(self):
        self.check(self.patterns)
        self.check(tuple(p.encode() for p in self.patterns))
        self.check(p.lower() for p in self.patterns)

    def test_one_pattern(self):
        forward, reverse = self.index.count(self.patterns[0])
        self.assertEqual((forward[0], reverse[0]), tuple(self.expected[0]))
        self.assertEqual(self.index.count(self.patterns[0].encode())[0].shape, (1,))

    def test_bytes_with_offsets(self):
        joined = "".join(self.patterns).encode()
        offsets = offsets_of(self.patterns)
        for letters in [joined, bytearray(joined), memoryview(joined), np.frombuffer(joined, np.uint8)]:
            for kind in [np.int64, np.uint64, np.int32]:
                self.check(letters, offsets.astype(kind))
        self.check(joined, list(offsets))

    def test_numpy_arrays(self):
        self.check(np.array(self.patterns))
        self.check(np.array(self.patterns, dtype="S"))
        self.check(np.array(self.patterns, dtype=object))
        self.check(np.array(self.patterns, dtype="S8"))
        rows = np.frombuffer("".join(self.patterns).encode(), np.uint8).reshape(-1, 3)
        self.check(rows)
        self.check(np.asfortranarray(rows).copy(order="C"))
        self.check(np.array([p + "x" for p in self.patterns], dtype="S")[::1].astype("S3"))
        for kind in ["S", "U", object]:
            self.check(np.array([p for p in self.patterns for _ in range(2)], dtype=kind)[::2])

    def test_empty_batches(self):
        for nothing in [[], (), np.array([], dtype="S3"), np.empty((0, 3), np.uint8)]:
            forward, reverse = self.index.count(nothing)
            self.assertEqual((len(forward), len(reverse)), (0, 0))
        self.assertEqual(len(self.index.count(b"", [0])[0]), 0)
        self.assertEqual(len(self.index.locate([])["query"]), 0)

    def test_patterns_that_occur_nowhere(self):
        forward, reverse = self.index.count(["", "ANA", "A" * 1000, "\N{SNOWMAN}"])
        self.assertEqual((list(forward), list(reverse)), ([0] * 4, [0] * 4))

    def test_wrong_patterns(self):
        count = self.index.count
        self.assert_raises((gsx.UsageError, ValueError), "patterns[1] is of type int", count, ["A", 3])
        self.assert_raises((gsx.UsageError,), "patterns is of type int", count, 3)
        self.assert_raises((gsx.UsageError,), "array of numbers", count, np.arange(5))
        self.assert_raises((gsx.UsageError,), "3 dimensions", count, np.zeros((2, 2, 2), np.uint8))
        self.assert_raises((gsx.UsageError,), "2 dimensions", count, np.array([["A"], ["C"]]))
        self.assert_raises((gsx.UsageError,), "2 dimensions", count, np.array([["A"] * 4] * 4)[::2, ::2])
        self.assert_raises((gsx.UsageError,), "array of numbers", count, bytearray(b"ACGT"))
        rows = np.full((8, 8), ord("A"), np.uint8)
        for gaps in [rows[:, ::2], rows[::2], rows[:, :4], rows.T[:, 1:], np.asfortranarray(rows[:, 1:])]:
            self.assert_raises((gsx.UsageError,), "patterns is not contiguous", count, gaps)
        self.assert_raises((gsx.UsageError,), "patterns is not contiguous", count, rows[0, ::2])
        self.assert_raises((gsx.UsageError,), "patterns is not contiguous", count, rows[0, ::2], [0, 4])
        self.assert_raises((gsx.UsageError,), "one array of bytes", count, ["A"], [0, 1])
        self.assert_raises((gsx.UsageError,), "offsets are empty", count, b"ACGT", [])
        self.assert_raises((gsx.UsageError,), "integers", count, b"ACGT", [0.0, 1.5])
        self.assert_raises((gsx.UsageError,), "ascend", count, b"ACGT", [0, 3, 2])
        self.assert_raises((gsx.UsageError,), "ascend", count, b"ACGT", [0, 5])
        self.assert_raises((gsx.UsageError,), "ascend", count, b"ACGT", [-1, 3])
        self.assert_raises((gsx.UsageError,), f"place 1 the number {2**63 + 5}", count, b"ACGT",
                           np.array([0, 2**63 + 5], np.uint64))


class ArrowTest(PatternsTest):
    def setUp(self):
        super().setUp()
        self.patterns[3:6] = ["", "ACGTACGTACGTACGTA", "N"]
        self.expected = np.array([naive_counts(self.texts, p) for p in self.patterns])

    # Of PatternsTest, only the columns are meant.
    test_lists = test_one_pattern = test_bytes_with_offsets = test_numpy_arrays = None
    test_empty_batches = test_patterns_that_occur_nowhere = test_wrong_patterns = None

    @needs("pyarrow")
    def test_arrow(self):
        import pyarrow as pa
        for kind in ["string", "large_string", "binary", "large_binary", "string_view", "binary_view"]:
            values = self.patterns if "string" in kind else [p.encode() for p in self.patterns]
            array = pa.array(values, type=getattr(pa, kind)())
            self.check(array)
            self.check(pa.chunked_array([array[:7], array[7:7], array[7:]]))
            self.check(pa.concat_arrays([array[-2:], array])[2:])

    @needs("pyarrow")
    def test_nulls(self):
        import pyarrow as pa
        for kind in [pa.string(), pa.large_string(), pa.string_view()]:
            column = pa.array([None, self.patterns[0], None], type=kind)[1:]
            self.assertEqual(list(self.index.count(column)[0]), [self.expected[0][0], 0])
        self.assertEqual(self.index.count(pa.array([None, None]))[0].tolist(), [0, 0])

    @needs("pyarrow")
    def test_wrong_columns(self):
        import pyarrow as pa
        self.assert_raises((gsx.UsageError,), "type 'l'", self.index.count, pa.array([1, 2]))
        self.assert_raises((gsx.UsageError,), "dictionary", self.index.count,
                           pa.array(["A", "A"]).dictionary_encode())

    @needs("polars")
    def test_polars(self):
        import polars as pl
        self.check(pl.Series(self.patterns))
        self.check(pl.DataFrame({"p": self.patterns})["p"])

    @needs("pandas")
    def test_pandas(self):
        import pandas as pd
        self.check(pd.Series(self.patterns))
        self.check(pd.Series(self.patterns, dtype=object))
        hits = pd.DataFrame(self.index.locate(self.patterns))
        self.assertEqual(len(hits), self.expected.sum())


class LocateTest(GsxTest):
    def setUp(self):
        self.source = generator()
        self.texts = [random_dna(self.source, 400, "ACGTACGTACGTN") for _ in range(2)]
        self.index = gsx.build({f"r{i}": text for i, text in enumerate(self.texts)})
        self.patterns = [random_dna(self.source, 6) for _ in range(20)]

    def naive(self, mismatches):
        rows = []
        for query, pattern in enumerate(self.patterns):
            for target, text in enumerate(self.texts):
                places = [(start, strand, differ)
                          for strand, p in [(1, pattern), (-1, reverse_complement(pattern))]
                          for start, differ in naive_places(text, p, mismatches)]
                rows += [(query, target, start, start + 6, strand, differ)
                         for start, strand, differ in sorted(places, key=lambda p: (p[0], -p[1]))]
        return rows

    def test_places(self):
        for mismatches in range(3):
            hits = self.index.locate(self.patterns, mismatches=mismatches)
            self.assertEqual(list(hits), ["query", "target", "start", "end", "strand", "mismatches"])
            self.assertEqual([tuple(row) for row in zip(*hits.values())], self.naive(mismatches))
            kinds = [hits[name].dtype for name in hits]
            self.assertEqual(kinds, [np.int64] * 4 + [np.int8, np.uint8])

    def test_counts_with_mismatches(self):
        rows = np.array(self.naive(2))
        forward, reverse = self.index.count(self.patterns, mismatches=2, by_mismatches=True)
        self.assertEqual(forward.shape, (20, 3))
        for counts, strand in [(forward, 1), (reverse, -1)]:
            for query in range(20):
                of = rows[(rows[:, 0] == query) & (rows[:, 4] == strand)]
                self.assertEqual(list(counts[query]), list(np.bincount(of[:, 5], minlength=3)))
        sums = self.index.count(self.patterns, mismatches=2)
        np.testing.assert_array_equal(sums[0], forward.sum(axis=1))
        np.testing.assert_array_equal(sums[1], reverse.sum(axis=1))

    def test_strands_and_most_hits(self):
        both = self.index.locate(self.patterns)
        for word, strand in [("forward", 1), ("reverse", -1)]:
            hits = self.index.locate(self.patterns, strands=word)
            self.assertEqual(len(hits["query"]), (both["strand"] == strand).sum())
        few = self.index.locate("A", max_hits=3)
        self.assertEqual(len(few["query"]), 3)
        self.assert_raises((gsx.UsageError,), "max_hits is 0", self.index.locate, "A", max_hits=0)

    def test_iupac(self):
        expected = sum(len(naive_places(text, "AC" + c)) for text in self.texts for c in "ACGT")
        self.assertEqual(self.index.count("ACN", iupac=True, strands="forward")[0][0], expected)

    def test_wrong_options(self):
        for function in [self.index.count, self.index.locate]:
            self.assert_raises((gsx.UsageError,), "mismatches is 256", function, "A", mismatches=256)
            self.assert_raises((gsx.UsageError,), "mismatches is -1", function, "A", mismatches=-1)
            self.assert_raises((gsx.UsageError,), "strands is 'up'", function, "A", strands="up")
        self.assert_raises((gsx.UsageError,), "max_hits is -1", self.index.locate, "A", max_hits=-1)
        protein = gsx.build({"p": "MKVLWAALLVTFLAGCQA"})
        self.assertEqual(protein.count("ALL")[0][0], 1)
        self.assert_raises((gsx.UsageError,), "IUPAC codes needs DNA", protein.count, "ALL", mismatches=1)
        self.assert_raises((gsx.UsageError,), "IUPAC codes needs DNA", protein.count, "ALL", iupac=True)

    def test_many_patterns_in_pieces(self):
        patterns = self.patterns * 20000
        forward, _ = self.index.count(patterns)
        one, _ = self.index.count(self.patterns)
        np.testing.assert_array_equal(forward, np.tile(one, 20000))


if __name__ == "__main__":
    unittest.main()
