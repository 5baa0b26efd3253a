"""Indexes in shards, and indexes that keep the files of their records."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

import gsx

from .support import GsxTest, generator, naive_counts, random_dna

PROGRAM = os.environ.get("GSX_PROGRAM", "")


class FilesTest(GsxTest):
    def test_the_files_of_records(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder, name) for name in ["a.fa", "b.fasta"]]
            for path, text in zip(paths, [">x\nACGT\n>y\nGATTACA\n", ">z\nACCA\n"]):
                path.write_text(text)
            index = gsx.build(paths, keep_files=True)
            self.assertEqual(list(index.records.files), ["a", "b"])
            self.assertEqual(index.records.file_numbers.tolist(), [0, 0, 1])
            self.assertEqual(index.records.file_numbers.dtype, np.int64)
            # Hits by file.
            hits = index.locate(["CA"])
            files = np.bincount(index.records.file_numbers[hits["target"]], minlength=2)
            self.assertEqual(files.tolist(), [1, 1])
            self.assertIsNone(gsx.build(paths).records.files)
            self.assertIsNone(gsx.build(paths).records.file_numbers)
        self.assert_raises((gsx.UsageError,), "needs files", gsx.build, {"a": "ACGT"}, keep_files=True)

    def test_records_are_named_by_their_files_where_files_share_a_name(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder, name) for name in ["a.fa", "b.fasta"]]
            for path, text in zip(paths, [">x\nACGT\n", ">x\nGATTACA\n>y\nACCA\n"]):
                path.write_text(text)
            index = gsx.build(paths, keep_files=True)
            self.assertEqual(list(index.records.names), ["a#x", "b#x", "b#y"])
            self.assertEqual(index.extract("b#x"), "GATTACA")
            self.assert_raises((gsx.UsageError,), "there are 'a#x' and 'b#x'", index.extract, "x")
            plain = gsx.build(paths)
            self.assertEqual(list(plain.records.names), ["x", "x", "y"])
            self.assert_raises((gsx.UsageError,), "2 records are named 'x' (0, 1)", plain.extract, "x")


@unittest.skipUnless(os.access(PROGRAM, os.X_OK), "GSX_PROGRAM names no program that makes shards")
class ShardsTest(GsxTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        source = generator()
        self.texts = [random_dna(source, 300) for _ in range(5)]
        self.path.joinpath("g.fa").write_text("".join(f">r{i}\n{text}\n" for i, text in enumerate(self.texts)))
        self.patterns = [text[20:20 + length] for text in self.texts for length in (2, 4, 9, 30)]
        for options, name in [([], "g.gsx"), (["--shards", "3"], "many.gsx")]:
            subprocess.run([PROGRAM, "index", "-q", "g.fa", "-o", name, *options], cwd=self.path, check=True)
        self.shards = gsx.open(self.path / "many.gsx", "cpu")
        self.whole = gsx.open(self.path / "g.gsx", "cpu")

    def tearDown(self):
        self.folder.cleanup()

    def test_searches_are_those_of_one_index(self):
        self.assertEqual((self.shards.shards, self.whole.shards), (3, 0))
        for mismatches in [0, 1]:
            forward, reverse = self.shards.count(self.patterns, mismatches=mismatches)
            expected = [naive_counts(self.texts, pattern, mismatches) for pattern in self.patterns]
            self.assertEqual(list(zip(forward.tolist(), reverse.tolist())), expected)
            found = self.shards.locate(self.patterns, mismatches=mismatches)
            whole = self.whole.locate(self.patterns, mismatches=mismatches)
            for column in whole:
                np.testing.assert_array_equal(found[column], whole[column])
        for calls in [lambda index: index.mappability(20), lambda index: index.shortest_unique()]:
            for a, b in zip(calls(self.shards), calls(self.whole)):
                np.testing.assert_array_equal(a, b)
        guides = [text[50:70] for text in self.texts]
        for a, b in zip(*[index.offtarget(guides, pams=("NGG", "NAG"), mismatches=3, mit_scores=False).items()
                          for index in (self.shards, self.whole)]):
            self.assertEqual(a[0], b[0])
            np.testing.assert_array_equal(a[1], b[1])
        self.assertIn("5 records, 1500 symbols", repr(self.shards))
        self.assertEqual(self.shards.extract("r4"), self.texts[4])
        self.assertEqual(list(self.shards.records.names), list(self.whole.records.names))

    def test_joined_shards_are_one_index(self):
        joined = self.shards.join()
        self.assertEqual(joined.shards, 0)
        joined.save(self.path / "joined.gsx")
        self.assertEqual(self.path.joinpath("joined.gsx").read_bytes(), self.path.joinpath("g.gsx").read_bytes())
        query = self.texts[1][10:80]
        self.assertEqual(joined.mem(query)["end"].tolist(), self.whole.mem(query)["end"].tolist())

    def test_errors(self):
        self.assert_raises((gsx.UsageError, ValueError), "Index.join()", self.shards.mem, "ACGT")
        self.assert_raises((gsx.UsageError,), "Index.join()", self.shards.match_lengths, "ACGT")
        self.assert_raises((gsx.UsageError,), "not in shards", self.whole.join)
        self.assert_raises((gsx.UsageError,), "in shards", self.shards.save, self.path / "new.gsx")
        self.path.joinpath("many.001.gsx").unlink()
        self.assert_raises((gsx.ForeignIndexError,), "many.001.gsx", gsx.open, self.path / "many.gsx")


if __name__ == "__main__":
    unittest.main()
