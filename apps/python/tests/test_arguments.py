"""What arguments of wrong types are answered with: an error of one line, which names the argument."""

import inspect
import io
import pathlib
import tempfile
import unittest

import gsx

from .support import GsxTest


def public_calls():
    """Each public function with arguments that it takes."""
    index = gsx.build({"r": "GATTACA" * 9})
    guide = {"guides": "GATTACAGATTACAGATTAC"}
    tags = gsx.sequence_set(["ACGT"])
    return [
        (gsx.build, {"source": {"r": "GATTACA"}}), (gsx.open, {"path": "a.gsx"}),
        (gsx.read_sequences, {"source": "a.fa"}), (gsx.suffix_array, {"data": b"banana"}),
        (gsx.inverse_suffix_array, {"rows": gsx.suffix_array(b"banana")}), (gsx.bwt, {"data": b"banana"}),
        (gsx.inverse_bwt, {"bwt": b"annbaa", "primary": 4}), (index.count, {"patterns": ["ACGT"]}),
        (index.locate, {"patterns": ["ACGT"]}), (index.mem, {"queries": ["ACGT"]}),
        (index.match_lengths, {"queries": ["ACGT"]}), (index.offtarget, guide), (index.offtarget_sites, guide),
        (index.matches_any, {"queries": ["ACGT"]}), (index.amplicon, {"forward": ["ACGT"], "reverse": ["ACGT"]}),
        (index.repeats, {}), (index.repeat_pairs, {}), (index.lz77, {}), (gsx.lcp_array, {"data": b"banana"}),
        (index.mappability, {"k": 3}), (index.shortest_unique, {}), (index.kmer_spectrum, {}), (index.join, {}),
        (index.save, {"path": "a.gsx"}), (index.extract, {"record": 0}), (index.places, {"positions": [0]}),
        (index.records.number, {"name": "r"}), (gsx.sequence_set, {"sequences": ["ACGT"]}), (tags.neighbors, {}),
        (tags.clusters, {}), (tags.corrections, {}),
        (gsx.longest_prefixes, {"prefixes": ["A"], "queries": ["ACGT"]})]


class WrongTypesTest(GsxTest):
    def assert_one_line(self, words, function, *arguments, **options):
        with self.assertRaises(gsx.UsageError) as caught:
            function(*arguments, **options)
        self.assertIn(words, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))
        return caught.exception

    def test_each_argument_is_named(self):
        for function, right in public_calls():
            for name in inspect.signature(function).parameters:
                if name in ("stream", "progress"):
                    continue  # taken when there is a GPU, or something to tell
                with self.subTest(function=function.__name__, argument=name):
                    self.assert_one_line(name, function, **{**right, name: object()})

    def test_what_is_expected_is_told(self):
        index = gsx.build({"r": "GATTACA"})
        guide = "GATTACAGATTACAGATTAC"
        for words, call in {
                "offtarget: pams is of type str: give Sequence[str]": lambda: index.offtarget(guide, pams="NGG"),
                "pams is of type list of str, int": lambda: index.offtarget(guide, pams=["NGG", 5]),
                "stop_at is of type int: give tuple[int, int] | None": lambda: index.offtarget(guide, stop_at=3),
                "stop_at is of type tuple of int, str": lambda: index.offtarget(guide, stop_at=(1, "2")),
                "with_pam is of type int: give bool | None": lambda: index.offtarget(guide, with_pam=1),
                "count: strands is of type NoneType": lambda: index.count("A", strands=None),
                "bwt: data is of type NoneType": lambda: gsx.bwt(None),
                "extract: start is of type str: give int": lambda: index.extract(0, "5"),
                "extract: record is of type float: give int | str": lambda: index.extract(1.5),
        }.items():
            self.assertIsInstance(self.assert_one_line(words, call), gsx.ArgumentTypeError)

    def test_numbers_that_are_too_large(self):
        index = gsx.build({"r": "GATTACA"})
        for number in [1 << 40, 1 << 70, -1 << 70]:
            self.assert_one_line(f"threads is {number}", gsx.suffix_array, b"banana", threads=number)
            self.assert_one_line(f"mismatches is {number}", index.count, "A", mismatches=number)

    @unittest.skipUnless(gsx.cuda, "there is no CUDA in the package")
    def test_constructors(self):
        self.assert_one_line("index is of type int", gsx.DeviceIndex, 3)
        self.assert_one_line("device is of type str", gsx.DeviceIndex, gsx.build({"r": "GATTACA"}), device="x")


class PathsTest(GsxTest):
    def calls(self):
        """What takes a path, and the name of it."""
        index = gsx.build({"r": "GATTACA" * 9})
        return [("source", gsx.build), ("source", gsx.read_sequences), ("path", gsx.open), ("path", index.save),
                ("cram_reference", lambda path: gsx.build("a.fa", cram_reference=path)),
                ("cram_reference", lambda path: gsx.read_sequences("a.fa", cram_reference=path)),
                ("score_table", lambda path: index.offtarget("GATTACAGATTACAGATTAC", score_table=path)),
                ("score_table", lambda path: index.offtarget_sites("GATTACAGATTACAGATTAC", score_table=path))]

    def test_each_path_may_be_of_any_type(self):
        for name, call in self.calls():
            messages = set()
            for path in ["nowhere/x", b"nowhere/x", pathlib.Path("nowhere/x")]:
                with self.assertRaises((gsx.InputError, gsx.IoError, gsx.ForeignIndexError)) as caught:
                    call(path)
                messages.add(str(caught.exception))
            self.assertEqual(len(messages), 1, (name, messages))
            self.assertIn("nowhere", messages.pop())

    def test_open_files_are_no_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.fa")
            path.write_text(">a\nGATTACA\n")
            with path.open() as opened:
                for name, call in self.calls():
                    for file in [io.StringIO(">a\nGATTACA\n"), io.BytesIO(b">a\nGATTACA\n"), opened]:
                        self.assert_raises((gsx.ArgumentTypeError, TypeError), f"{name} is an open file, of type "
                                           f"{type(file).__name__}: give the path of a file", call, file)
                    self.assert_raises((gsx.ArgumentTypeError, TypeError), f"{name} is of type int", call, 5)
                for call in [gsx.build, gsx.read_sequences]:
                    self.assert_raises((gsx.ArgumentTypeError,), "source[1] is an open file", call,
                                       [path, io.StringIO()])
                    self.assert_raises((gsx.ArgumentTypeError,), "source[1] is of type float", call, [path, 1.5])


if __name__ == "__main__":
    unittest.main()
