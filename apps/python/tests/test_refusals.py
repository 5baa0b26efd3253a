"""What a call that is refused leaves behind: nothing that it holds, and nothing that it has changed."""

import array
import sys
import unittest

import numpy as np

import gsx

from .support import GsxTest


class HeldTest(GsxTest):
    def setUp(self):
        self.index = gsx.build({"r": "GATTACA"})

    def assert_let_go(self, kinds, words, function, *arguments, **options):
        """The call is refused, and then nothing refers to what it was given."""
        before = [sys.getrefcount(argument) for argument in arguments]
        self.assert_raises(kinds, words, function, *arguments, **options)
        self.assertEqual([sys.getrefcount(argument) for argument in arguments], before)
        for argument in arguments:
            if isinstance(argument, (bytearray, array.array)):
                argument.append(1)  # a BufferError while its memory is exported

    def test_patterns(self):
        usage = (gsx.UsageError,)
        for function in [self.index.count, self.index.locate]:
            for words, offsets in {"ascend": [0, 99], "are empty": [], "integers": [0.0, 1.5],
                                   "one dimension": [[0, 1]]}.items():
                self.assert_let_go(usage, words, function, bytearray(b"ACGTACGT"), offsets)
                self.assert_let_go(usage, words, function, bytearray(b"ACGTACGT"), np.array(offsets))
            self.assert_let_go(usage, "one array of bytes", function, array.array("i", [1, 2]), [0, 1])
            self.assert_let_go(usage, "array of numbers", function, bytearray(b"ACGTACGT"))
            self.assert_let_go(usage, "array of numbers", function, array.array("d", [1.0]))
            self.assert_let_go(usage, "is of type int", function, ["ACGT", 3])
            self.assert_let_go(usage, "list(d.values())", function, {"a": "ACGT"})
            self.assert_let_go(usage, "a set", function, {"ACGT"})
            self.assert_let_go(usage, "strands", function, bytearray(b"ACGTACGT"), [0, 4], strands="up")

    def test_dimensions(self):
        for function in [gsx.suffix_array, gsx.bwt]:
            for shape in [(2, 3), ()]:
                data = np.full(shape, 65, np.uint8)
                self.assert_let_go((gsx.UsageError,), f"{len(shape)} dimensions", function, data)
            self.assert_let_go((gsx.UsageError,), "2 dimensions", function,
                               memoryview(b"banana").cast("B", (2, 3)))

    def test_threads(self):
        for threads in [-1, 4097]:
            for function, argument in [(gsx.suffix_array, b"banana"), (gsx.bwt, b"banana"),
                                       (gsx.build, {"r": "GATTACA"}), (gsx.open, "a.gsx")]:
                self.assert_let_go((gsx.UsageError,), "threads", function, argument, threads=threads)

    def test_bytes(self):
        for function in [gsx.suffix_array, gsx.bwt]:
            self.assert_let_go((gsx.UsageError,), "elements of 4 bytes", function, array.array("i", [1]))
            self.assert_let_go((gsx.UsageError,), "255", function, bytearray(range(256)))
            self.assert_let_go((gsx.UsageError,), "contiguous", function, np.zeros(8, np.uint8)[::2])
        self.assert_let_go((gsx.InputError,), "", gsx.inverse_bwt, bytearray(b"ab"), 9)
        self.assert_let_go((gsx.UsageError,), "again", gsx.inverse_suffix_array, np.zeros(2, np.uint32))

    def test_memory_is_free_after_a_call(self):
        letters = bytearray(b"GATTACA")
        self.assertEqual(self.index.count(letters, [0, 7])[0][0], 1)
        letters.append(1)
        self.assertEqual(len(gsx.suffix_array(letters)), 8)
        letters.append(1)


if __name__ == "__main__":
    unittest.main()
