"""What patterns that cannot match, files, names of arguments and records look like to a caller."""

import contextlib
import errno
import inspect
import os
import pathlib
import pickle
import struct
import tempfile
import threading
import unittest
import warnings
import zlib
from importlib import util

import numpy as np

import gsx

from .support import GsxTest, generator, random_dna

DATA = pathlib.Path(os.environ["GSX_DATA"])


def bgzf_block(content):
    """A block of BGZF, which is gzip with its own length in the header."""
    deflater = zlib.compressobj(wbits=-15)
    body = deflater.compress(content) + deflater.flush()
    header = bytes.fromhex("1f8b08040000000000ff060042430200")
    length = len(header) + 2 + len(body) + 8
    return header + struct.pack("<H", length - 1) + body + struct.pack("<II", zlib.crc32(content), len(content))


class UnmatchedTest(GsxTest):
    def setUp(self):
        self.index = gsx.build({"a": "GATTACAGATTACA", "b": "TTGGATCCTTGGATCC"})

    def functions(self):
        return [self.index.count, self.index.locate]

    def assert_warns_once(self, words, function, *arguments, **options):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(*arguments, **options)
        self.assertEqual([warning.category for warning in caught], [gsx.PatternWarning])
        self.assertIn(words, str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)

    def test_blanks_around_patterns_are_left_out(self):
        plain = self.index.count(["GGATCC", "GATTACA"])
        for patterns in [["GGATCC\n", "GATTACA\r\n"], [b"GGATCC ", b"\tGATTACA"],
                         np.array(["GGATCC\n", "GATTACA "])]:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                np.testing.assert_array_equal(self.index.count(patterns), plain)
                np.testing.assert_array_equal(self.index.locate(patterns)["start"],
                                              self.index.locate(["GGATCC", "GATTACA"])["start"])
        np.testing.assert_array_equal(self.index.mem(["GGATCCTT\n"], min_length=3)["end"],
                                      self.index.mem(["GGATCCTT"], min_length=3)["end"])

    def test_blanks_and_headers_inside_are_refused(self):
        for function in self.functions():
            for mismatches in [0, 1]:
                self.assert_raises((gsx.UsageError,), "patterns[1] has a blank", function, ["ACG", "GGA TCC"],
                                   mismatches=mismatches)
                self.assert_raises((gsx.UsageError,), "patterns[0] begins with '>'", function, [">r1\nGGATCC"],
                                   mismatches=mismatches)

    def test_patterns_that_cannot_match_bring_one_warning(self):
        for function in self.functions():
            self.assert_warns_once("2 of 3 patterns cannot match (first: patterns[1], which holds 'N'",
                                   function, ["GGATCC", "GGATNN", "EFG"])
            self.assert_warns_once("is not longer than the 5 mismatches", function, ["ACGT"], mismatches=5)
            self.assert_warns_once("stands for any sequence", function, ["NNN"], iupac=True)
        self.assert_warns_once("has no 4 symbols in a row that are A, C, G, T or U", self.index.mem, ["ACGNACG"], min_length=4)
        self.assert_warns_once("has no symbol that is A, C, G, T or U", self.index.match_lengths, ["NNN"])
        self.assert_warns_once("1 of 2 guides cannot match", self.index.offtarget,
                               ["GATTACAGATTACAGATTAC", "GATTACA!ATTACAGATTAC"])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.index.count(["GGATCC", "CCCCCCCC", ""])  # absent, or empty, but not impossible
            self.assertRaises(gsx.PatternWarning, self.index.count, ["GGATCN"])

    def test_patterns_that_are_missing_occur_nowhere(self):
        columns = [["GGATCC", None, ""], (b"GGATCC", float("nan"), b""), np.array(["GGATCC", None, ""], dtype=object)]
        if util.find_spec("pyarrow"):
            import pyarrow as pa
            columns += [pa.array(columns[0]), pa.array(columns[0], type=pa.string_view())]
        if util.find_spec("pandas"):
            import pandas as pd
            columns += [pd.Series(columns[0]), pd.Series(columns[0], dtype="string"), ["GGATCC", pd.NA, ""]]
        for column in columns:
            with self.subTest(type=type(column)):
                for function in [*self.functions(), self.index.match_lengths]:
                    self.assert_warns_once("[1], which is null", function, column)
                self.assert_warns_once("[1], which is null", self.index.mem, column, min_length=3)
                self.assert_warns_once("1 of 3 patterns cannot match (first: patterns[1], which is null)",
                                       self.index.count, column, mismatches=1)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", gsx.PatternWarning)
                    self.assertEqual(self.index.count(column)[0].tolist(), [2, 0, 0])
                    self.assertEqual(self.index.locate(column)["query"].tolist(), [0] * 4)
        self.assert_warns_once("guides[1], which is null", self.index.offtarget, ["GATTACAGATTACAGATTAC", None])
        for source in [{"a": None}, [("a", None)]]:
            self.assert_raises((gsx.ArgumentTypeError,), "sequences[0] is null", gsx.build, source)
        self.assert_raises((gsx.ArgumentTypeError,), "names[1] is null", gsx.build, [("a", "ACGT"), (None, "ACGT")])

    def test_names_of_files_in_a_list_bring_a_warning(self):
        words = "[0], which seems to be the name of a file: gsx.read_sequences()"
        for function in [*self.functions(), self.index.mem, self.index.offtarget]:
            self.assert_warns_once(words, function, ["reads.fq"])
            self.assert_raises((gsx.ArgumentTypeError,), "[1] is the name of a file, 'reads.fq'", function,
                               ["ACGT", pathlib.Path("reads.fq")])
        self.assert_warns_once(words, self.index.count, ["reads.fa.gz"], mismatches=2)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "reads")
            path.touch()
            self.assert_warns_once(words, self.index.count, [str(path)])

    def test_names_of_files_are_no_patterns(self):
        for function in [*self.functions(), self.index.mem, self.index.match_lengths, self.index.offtarget]:
            for name in ["reads.fq.gz", "data/reads", pathlib.Path("reads.fq")]:
                self.assert_raises((gsx.ArgumentTypeError, TypeError, gsx.UsageError), "gsx.read_sequences", function,
                                   name)
        text = gsx.build({"a": "see.reads.fq.gz"}, alphabet="bytes")
        self.assertEqual(text.count("reads.fq.gz")[0][0], 1)

    def test_types_are_named(self):
        self.assert_raises((gsx.ArgumentTypeError,), "patterns is of type int", self.index.count, 7)
        self.assert_raises((gsx.ArgumentTypeError,), "patterns is of type NoneType", self.index.count, None)
        self.assert_raises((gsx.ArgumentTypeError,), "patterns[1] is of type int", self.index.count, ["A", 5])
        self.assert_raises((gsx.ArgumentTypeError,), "memory_limit is of type str", gsx.build, {"a": "ACGT"},
                           memory_limit="1GB")
        self.assert_raises((gsx.ArgumentTypeError,), "mismatches is of type float", self.index.count, ["A"],
                           mismatches=1.0)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'strand'"):
            self.index.count(["ACGT"], strand="forward")

    def test_what_an_iterator_raises_comes_through(self):
        index = gsx.build({"a": "GATTACA"})
        for error in [KeyboardInterrupt, EOFError, RuntimeError, TypeError]:
            def items():
                yield "ACGT"
                raise error("raised inside")

            for use in [index.count, index.locate, gsx.read_sequences]:
                with self.assertRaisesRegex(error, "raised inside"):
                    use(items())
        self.assert_raises((gsx.UsageError,), "no paths", gsx.read_sequences, [])

    def test_the_reverse_strand_is_of_dna(self):
        index = gsx.build({"p": "MKVLEFMKV"})
        for use in [index.count, index.locate, index.mem, index.match_lengths]:
            self.assert_raises((gsx.UsageError,), "the reverse strand needs a text of DNA", use, ["MKV"], strands="reverse")

    def test_signatures_can_be_read(self):
        for function in [gsx.build, gsx.open, gsx.suffix_array, gsx.read_sequences, gsx.Index.count]:
            signature = inspect.signature(function)
            self.assertTrue(signature.parameters)
            self.assertIn("\n", inspect.getdoc(function))
        self.assertIn("Literal['both', 'forward', 'reverse']",
                      inspect.signature(gsx.Index.locate).parameters["strands"].annotation)


class FilesTest(GsxTest):
    def test_missing_files_are_file_not_found_errors(self):
        for kind, function in [(gsx.MissingIndexError, gsx.open), (gsx.MissingFileError, gsx.build),
                               (gsx.MissingFileError, gsx.read_sequences)]:
            with self.assertRaises(FileNotFoundError) as caught:
                function("nowhere/genome.fa")
            self.assertIsInstance(caught.exception, kind)
            self.assertEqual((caught.exception.errno, caught.exception.filename), (errno.ENOENT, "nowhere/genome.fa"))
            self.assertIn("nowhere/genome.fa", str(caught.exception))
            self.assertNotIn("Errno", str(caught.exception))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "no.gsx")
            path.write_text("no index")
            with self.assertRaises(gsx.ForeignIndexError) as caught:
                gsx.open(path)
            self.assertNotIsInstance(caught.exception, FileNotFoundError)

    def test_sequences_of_files(self):
        source = generator()
        reads = {f"r{i}": random_dna(source, source.randrange(90)) for i in range(50)}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "reads.fq")
            path.write_text("".join(f"@{n} x\n{s}\n+\n{'I' * len(s)}\n" for n, s in reads.items()))
            names, letters, offsets = gsx.read_sequences([path, path])
        self.assertEqual(names, list(reads) * 2)
        self.assertEqual([bytes(letters[b:e]).decode() for b, e in zip(offsets, offsets[1:])],
                         list(reads.values()) * 2)
        names, letters, offsets = gsx.read_sequences(DATA / "reads.fq.gz")
        self.assertEqual(len(names), 1000)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gsx.PatternWarning)
            self.assertEqual(gsx.build(DATA / "lambda.fa").count(letters, offsets)[0].shape, (1000,))

    def test_files_that_may_be_cut_bring_a_warning(self):
        read = b"@a\nACGT\n+\nIIII\n"
        with tempfile.TemporaryDirectory() as folder:
            for name, content, words in [
                    ("cut.fq.gz", bgzf_block(read), "BGZF end-of-file marker is missing"),
                    ("odd.fq", read.replace(b"+", b"+b"), "'+' line of 1 record differs")]:
                path = pathlib.Path(folder, name)
                path.write_bytes(content)
                for function, names_of in [(gsx.read_sequences, lambda result: result[0]),
                                       (lambda source: gsx.build(source, allow_no_eof=True),
                                        lambda index: list(index.records.names))]:
                    with warnings.catch_warnings(record=True) as caught:
                        warnings.simplefilter("always")
                        result = function([path])
                    self.assertEqual([warning.category for warning in caught], [UserWarning])
                    self.assertIn(f"{name}: the {words}", str(caught[0].message))
                    self.assertEqual(caught[0].filename, __file__)
                    self.assertEqual(names_of(result), ["a"])
                    with warnings.catch_warnings():
                        warnings.simplefilter("error")
                        self.assertRaises(UserWarning, function, path)
            path = pathlib.Path(folder, "whole.fq.gz")
            path.write_bytes(bgzf_block(read) + bgzf_block(b""))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                self.assertEqual(gsx.read_sequences(path)[0], ["a"])

    def test_an_index_can_be_closed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.gsx")
            gsx.build({"a": "GATTACA"}).save(path)
            with gsx.open(path) as index:
                records = index.records
                self.assertEqual(index.count("GATTACA")[0][0], 1)
        for use in [lambda: index.count("A"), lambda: index.mem(["A"]), lambda: index.records.names,
                    lambda: records.lengths, lambda: index.extract(0), lambda: index.alphabet, lambda: len(index)]:
            self.assert_raises((gsx.UsageError,), "closed", use)
        index.close()
        self.assertEqual(repr(index), "<gsx.Index, closed>")
        self.assert_raises((gsx.UsageError,), "closed", index.__enter__)

    def test_an_index_in_use_is_not_closed(self):
        index = gsx.build({"a": "GATTACA" * 1000})
        called = []

        def close(stage, fraction):
            called.append(stage)
            self.assert_raises((gsx.UsageError,), "in use", index.close)

        # Mappability takes long enough to report; closing from its callback is closing during the call.
        while not called:
            index.mappability(8, progress=close)
        index.close()
        self.assertEqual(threading.active_count(), 1)

    def test_pickling_says_what_to_do(self):
        self.assert_raises((TypeError,), "open the file in each process", pickle.dumps, gsx.build({"a": "ACGT"}))


class RecordsTest(GsxTest):
    def test_records_are_a_sequence(self):
        source = generator()
        texts = {f"r{i} ": random_dna(source, 1 + source.randrange(50)) for i in range(30)}
        texts = {name.strip(): text for name, text in texts.items()}
        index = gsx.build(texts, md5=True)
        records = index.records
        self.assertEqual([(record.number, record.name, record.length) for record in records],
                         [(i, name, len(text)) for i, (name, text) in enumerate(texts.items())])
        self.assertEqual(records[-1].name, "r29")
        self.assertEqual(records["r7"].number, 7)
        self.assertEqual([record.name for record in records[3:9:2]], ["r3", "r5", "r7"])
        self.assertEqual(records[4].md5, records.md5s[4])
        self.assertIsNone(records[0].file)
        self.assertEqual(len(index), 30)
        for wrong in [30, -31]:
            with self.assertRaises(IndexError):
                records[wrong]
        with contextlib.suppress(IndexError):
            records[1 << 70]
        self.assert_raises((gsx.UsageError,), "the nearest name is 'r7'", lambda: records["r7x"])
        lines = repr(records).splitlines()
        self.assertEqual((lines[0], lines[1].split("\t")[1], len(lines)), ("<gsx.Records: 30>", "r0", 11))
        self.assertIn("r7", repr(records[7]))
        self.assertIn("r7", records)
        self.assertIn(records[7], records)
        self.assertEqual(list(records).index(records[7]), 7)
        self.assertEqual(len({records[7], records["r7"], records[8]}), 2)
        for other in ["r70", 7, None, gsx.build({"r7": "ACGT"}).records[0]]:
            self.assertNotIn(other, records)
        record = gsx.build({"only": "ACGT"}).records[0]
        self.assertEqual(record.name, "only")  # it keeps its index

    def test_files_of_records(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, records in {"x": 2, "y": 3}.items():
                pathlib.Path(folder, f"{name}.fa").write_text(
                    "".join(f">{name}{i}\nACGTACGT\n" for i in range(records)))
            index = gsx.build([pathlib.Path(folder, "x.fa"), pathlib.Path(folder, "y.fa")], keep_files=True)
        self.assertEqual([record.file for record in index.records],
                         [index.records.files[i] for i in index.records.file_numbers])


if __name__ == "__main__":
    unittest.main()
