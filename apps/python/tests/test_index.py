"""Building, saving and opening indexes; what the records are; how each of these fails."""

import gzip
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

import gsx

from .support import GsxTest, naive_suffix_array

RECORDS = {"chr1": "GATTACAGATTACANNNACGT", "chr2": "ACGTACGTTT"}
FASTA = "".join(f">{name} comment of {name}\n{text}\n" for name, text in RECORDS.items())


class BuildTest(GsxTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        (self.path / name).write_text(text)
        return self.path / name

    def test_of_a_dict_of_pairs_and_of_files(self):
        fasta = self.write("a.fa", FASTA)
        zipped = self.path / "a.fa.gz"
        zipped.write_bytes(gzip.compress(FASTA.encode()))
        sources = [RECORDS, list(RECORDS.items()), iter(RECORDS.items()), fasta, str(fasta), [fasta],
                   zipped, [(name, text.encode()) for name, text in RECORDS.items()]]
        for source in sources:
            index = gsx.build(source)
            self.assertEqual(list(index.records.names), list(RECORDS))
            self.assertEqual(list(index.records.lengths), [21, 10])
            self.assertEqual([index.extract(i) for i in range(2)], list(RECORDS.values()))
            self.assertEqual(index.alphabet, "dna")
            self.assertEqual(index.symbols, 28)

    def test_comments_and_md5s(self):
        index = gsx.build(self.write("a.fa", FASTA), md5=True)
        self.assertEqual(list(index.records.comments), ["comment of chr1", "comment of chr2"])
        self.assertEqual([len(md5) for md5 in index.records.md5s], [32, 32])
        self.assertIsNone(gsx.build(RECORDS).records.md5s)

    def test_two_files_are_one_index(self):
        files = [self.write(f"{i}.fa", f">r{i}\nACGT\n") for i in range(2)]
        self.assertEqual(list(gsx.build(files).records.names), ["r0", "r1"])

    def test_alphabets(self):
        self.assertEqual(gsx.build({"p": "MKVLWAALLVTFLAGCQA"}).alphabet, "protein")
        binary = gsx.build([("b", bytes(range(0xA0, 0xFF)))], alphabet="bytes")
        self.assertEqual(binary.extract("b").encode("latin-1"), bytes(range(0xA0, 0xFF)))
        self.assertEqual(binary.count([b"\xA2\xA3"])[0][0], 1)

    def test_save_and_open(self):
        file = self.path / "a.gsx"
        index = gsx.build(RECORDS)
        index.save(file)
        self.assertEqual(os.listdir(self.path), ["a.gsx"])
        self.assertEqual(file.stat().st_size, index.file_bytes)
        for load in ["map", "read", "lazy"]:
            opened = gsx.open(file, "cpu", load=load, threads=1)
            self.assertEqual(opened.extract("chr1"), RECORDS["chr1"])
            self.assertEqual(opened.path, str(file))
            self.assertEqual(opened.count("GATTACA")[0][0], 2)
            self.assertEqual(opened.device, "cpu")
            self.assertIn("2 records, 28 symbols of dna", repr(opened))

    def test_save_replaces_indexes_only(self):
        file = self.path / "a.gsx"
        index = gsx.build(RECORDS)
        index.save(file)
        gsx.build({"r": "ACGT"}).save(file)
        self.assertEqual(gsx.open(file).extract("r"), "ACGT")
        file.write_text("hello")
        self.assert_raises((gsx.UsageError,), "force=True", index.save, file)
        self.assertEqual(file.read_text(), "hello")
        index.save(file, force=True)
        self.assertEqual(gsx.open(file).extract("chr1"), RECORDS["chr1"])

    def test_names_that_are_not_utf8(self):
        file = self.path / "a.fa"
        file.write_bytes(b">\xff\xfe\nACGT\n")
        index = gsx.build(file)
        name = index.records.names[0]
        self.assertEqual(name.encode("utf-8", "surrogateescape"), b"\xff\xfe")
        self.assertEqual(index.records.number(name), 0)
        self.assertEqual(gsx.build({name: "ACGT"}).records.names[0], name)
        self.assertEqual([counts.tolist() for counts in index.count([name])], [[0], [0]])
        self.assert_raises((gsx.UsageError,), "UTF-8 cannot hold", gsx.build, {"\ud800": "ACGT"})

    def test_errors_of_input(self):
        self.assert_raises((gsx.InputError, OSError, ValueError), "No such file", gsx.build,
                           self.path / "none.fa")
        self.assert_raises((gsx.InputError,), "two words", gsx.build, {"two words": "ACGT"})
        self.assert_raises((gsx.InputError,), "", gsx.build, {"a": "ACNT"}, ambiguous="error")
        self.assert_raises((gsx.UsageError, ValueError), "neither a path nor", gsx.build, [])
        self.assert_raises((gsx.UsageError,), "pairs of", gsx.build, [("a", "ACGT", "x")])
        self.assert_raises((gsx.UsageError,), "not of both", gsx.build, ["a.fa", ("a", "ACGT")])
        self.assert_raises((gsx.UsageError,), "sequences[0] is of type int", gsx.build, [("a", 3)])
        with self.assertRaises(TypeError):
            gsx.build(3)

    def test_messages_have_the_words_of_the_package(self):
        """They name parameters, not options of the program, and no pipe to it."""
        lz4 = self.path / "a.fa.lz4"
        lz4.write_bytes(b"\x04\x22\x4d\x18\x60\x40\x82" + bytes(40))
        calls = {
            "alphabet='protein'": ({"a": "ACGT" * 9, "b": "MKVLWAALLVTFLAGCQA"}, {"alphabet": "dna"}),
            "alphabet='bytes' takes": ({"a": "MKV!LWAALLVTF"}, {}),
            "with alphabet='bytes'": ({"a": "ACGT1"}, {}),
            "ambiguous='split'": ({"a": "ACNT"}, {"ambiguous": "error"}),
            f"lz4 -dc {lz4} > NEW, and give the path of NEW": (lz4, {}),
        }
        gsx.build(RECORDS).save(self.path / "a.gsx")
        calls["gsx.open opens it"] = (self.path / "a.gsx", {})
        for words, (source, options) in calls.items():
            with self.assertRaises(gsx.InputError) as caught:
                gsx.build(source, **options)
            self.assertIn(words, str(caught.exception))
            self.assertNotRegex(str(caught.exception), "--|gsx [.][.][.]")
        self.assert_raises((gsx.ForeignIndexError,), "with gsx.build", gsx.open, lz4)

    def test_errors_of_options(self):
        wrong = {"alphabet": "rna", "ambiguous": "x", "soft_mask": "x", "sample_rate": 0,
                 "kmer_length": 99, "memory_limit": 0, "device": "abacus"}
        for name, value in wrong.items():
            with self.assertRaises(gsx.UsageError, msg=name) as caught:
                gsx.build(RECORDS, **{name: value})
            self.assertIn(str(value), str(caught.exception))
        self.assert_raises((gsx.ResourceError, MemoryError), "memory", gsx.build, RECORDS,
                           memory_limit=1000)

    def test_errors_of_files(self):
        self.assert_raises((gsx.ForeignIndexError, OSError), "none.gsx", gsx.open,
                           self.path / "none.gsx")
        self.assert_raises((gsx.ForeignIndexError,), "", gsx.open, self.write("a.gsx", FASTA))
        good = self.path / "good.gsx"
        gsx.build(RECORDS).save(good)
        damaged = bytearray(good.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        bad = self.path / "bad.gsx"
        bad.write_bytes(damaged)
        self.assert_raises((gsx.CorruptIndexError, OSError), "bad.gsx", gsx.open, bad)
        self.assert_raises((gsx.UsageError,), "load is 'fast'", gsx.open, good, load="fast")
        self.assert_raises((gsx.IoError, OSError), "no/folder", gsx.build(RECORDS).save,
                           "/no/folder/x.gsx")
        self.assertEqual(gsx.CorruptIndexError.exit_code, 5)

    def test_an_index_that_changes_is_not_believed(self):
        file = self.path / "a.gsx"
        gsx.build(RECORDS).save(file)
        index = gsx.open(file)
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        with file.open("r+b") as out:
            out.write(content)
        self.assert_raises((gsx.CorruptIndexError,), "a.gsx", index.count, ["GATTACA"])

    @unittest.skipIf(gsx.cuda, "this package has CUDA")
    def test_a_gpu_is_refused_without_cuda(self):
        self.assert_raises((gsx.DeviceError, RuntimeError), "CUDA", gsx.build, RECORDS, device="cuda")
        index = gsx.build(RECORDS)
        self.assert_raises((gsx.DeviceError,), "without CUDA", gsx.DeviceIndex, index)
        self.assert_raises((gsx.DeviceError,), "without CUDA", gsx.to_device, b"abc")


class RecordsTest(GsxTest):
    def setUp(self):
        self.index = gsx.build(RECORDS)

    def test_extract(self):
        self.assertEqual(self.index.extract("chr1", 12, 19), "CANNNAC")
        self.assertEqual(self.index.extract(1, 8), "TT")
        self.assertEqual(self.index.extract(1, 8, 1000), "TT")
        self.assertEqual(self.index.extract(1, 3, 3), "")
        self.assert_raises((gsx.UsageError,), "the nearest name is 'chr1'", self.index.extract, "Chr1")
        self.assert_raises((gsx.UsageError,), "no record 2", self.index.extract, 2)
        self.assert_raises((gsx.UsageError,), "no record -1", self.index.extract, -1)
        self.assert_raises((gsx.UsageError,), "from 5 to 4", self.index.extract, 0, 5, 4)
        self.assert_raises((gsx.UsageError,), "start is -1", self.index.extract, 0, -1)
        with self.assertRaises(TypeError):
            self.index.extract(0.5)

    def test_numbers(self):
        self.assertEqual(self.index.records.number("chr2"), 1)
        self.assertEqual(len(self.index.records), 2)
        twice = gsx.build([("a", "ACGT"), ("a", "ACGT")])
        self.assert_raises((gsx.UsageError,), "2 records", twice.extract, "a")

    def test_records_keep_the_index(self):
        records = gsx.build(RECORDS).records
        self.assertEqual(list(records.names), ["chr1", "chr2"])

    def test_suffix_array_and_places(self):
        rows = self.index.suffix_array()
        self.assertEqual(rows.dtype, np.uint32)
        segments = ["GATTACAGATTACA", "ACGT", "ACGTACGTTT"]
        text = "".join(segment + "$" for segment in segments)
        # Separators are smaller than all symbols, and the earlier one is the smaller one.
        suffixes = {i: tuple((0, j) if text[j] == "$" else (1, text[j]) for j in range(i, len(text)))
                    for i in range(len(text)) if text[i] != "$"}
        self.assertEqual(list(rows), sorted(suffixes, key=suffixes.get))
        target, offset = self.index.places(rows)
        for position, record, at in zip(rows, target, offset):
            name = list(RECORDS)[record]
            self.assertEqual(RECORDS[name][at], text[position])
        for kind in [list, lambda rows: rows.astype(np.int64), lambda rows: np.repeat(rows, 2)[::2],
                     lambda rows: np.tile(rows, 1000)]:
            for again, once in zip(self.index.places(kind(rows)), (target, offset)):
                np.testing.assert_array_equal(again[-len(once):], once)
        self.assertEqual(len(self.index.places([])[0]), 0)

    def test_wrong_positions(self):
        places, usage = self.index.places, (gsx.UsageError,)
        self.assert_raises(usage, "31 is outside the text", places, np.array([31]))
        self.assert_raises(usage, "31 is outside the text", places, np.array([0] * 10_000 + [31]))
        self.assert_raises(usage, "-1 is outside the text", places, np.array([-1]))
        for kind in ["<u8", ">u8"]:
            self.assert_raises(usage, f"place 1 the number {2**63 + 5}", places,
                               np.array([0, 2**63 + 5], kind))
        for wrong in ["abc", np.array([1.9, 2.2]), [1.5], np.array([[1], [2]]), np.array([True]), 3,
                      [2**70], np.array(["1"])]:
            self.assert_raises(usage, "integers", places, wrong)

    def test_suffix_array_of_one_record(self):
        text = "GATTACAGATTACA"
        rows = gsx.build({"a": text}).suffix_array()
        self.assertEqual(list(rows), naive_suffix_array(text))


if __name__ == "__main__":
    unittest.main()
