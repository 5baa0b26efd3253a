"""Suffix arrays, transforms and their inverses, against naive ones."""

import subprocess
import sys
import unittest
from importlib import util

import numpy as np

import gsx

from .support import GsxTest, generator, naive_suffix_array

# Inverts an array that another thread makes wrong while that is under way.
CHANGING = """
import threading, time
import numpy as np
import gsx
right = np.random.default_rng(1).permutation(10_000_000).astype(np.uint32)
answers = set()
for delay in [0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.12, 0.16, 0.2]:
    rows = right.copy()
    def change():
        time.sleep(delay)
        rows[5] = rows[6]
    thread = threading.Thread(target=change)
    thread.start()
    try:
        inverse = gsx.inverse_suffix_array(rows)
        answers.add("right" if inverse[right[5]] == 5 and inverse[right[6]] == 6 else "wrong")
    except gsx.UsageError:
        answers.add("refused")
    thread.join()
print(*answers)
"""


def texts():
    source = generator()
    yield from [b"", b"a", b"banana", b"a" * 100, bytes(range(255)), b"\0\0\1\0"]
    for letters in [b"AC", b"ACGT", bytes(range(200))]:
        yield bytes(source.choice(letters) for _ in range(500))


class SortingTest(GsxTest):
    def test_suffix_arrays_and_inverses(self):
        for text in texts():
            expected = naive_suffix_array(text)
            for data in [text, bytearray(text), memoryview(text), np.frombuffer(text, np.uint8)]:
                rows = gsx.suffix_array(data, threads=2)
                self.assertEqual(rows.dtype, np.uint32)
                self.assertEqual(list(rows), expected)
            inverse = gsx.inverse_suffix_array(rows)
            np.testing.assert_array_equal(inverse, np.argsort(rows))
            wide = gsx.inverse_suffix_array(rows.astype(np.uint64))
            self.assertEqual(wide.dtype, np.uint64)
            np.testing.assert_array_equal(wide, inverse)

    def test_transforms(self):
        for text in texts():
            rows = [len(text)] + naive_suffix_array(text)
            transform, primary = gsx.bwt(text)
            self.assertEqual(primary, rows.index(0))
            self.assertEqual(bytes(transform), bytes(text[r - 1] for r in rows if r > 0))
            self.assertEqual(bytes(gsx.inverse_bwt(transform, primary)), text)
            self.assertEqual(bytes(gsx.inverse_bwt(bytes(transform), primary)), text)

    def test_in_little_memory(self):
        text = b"ACGTTGCA" * 1000
        whole, primary = gsx.bwt(text)
        blocks, same = gsx.bwt(text, memory_limit=1 << 34)
        self.assertEqual((bytes(whole), primary), (bytes(blocks), same))

    def test_results_own_their_memory(self):
        rows = gsx.suffix_array(b"banana")
        rows[0] = 7  # a caller may write to what is its own
        self.assertEqual(rows[0], 7)

    def test_wrong_input(self):
        self.assert_raises((gsx.UsageError,), "encode()", gsx.suffix_array, "banana")
        self.assert_raises((gsx.UsageError,), "elements of 8 bytes", gsx.suffix_array, np.arange(9))
        self.assert_raises((gsx.UsageError,), "not contiguous", gsx.suffix_array,
                           np.zeros(9, np.uint8)[::2])
        self.assert_raises((gsx.UsageError,), "data is of type int", gsx.suffix_array, 3)
        self.assert_raises((gsx.UsageError,), "255", gsx.suffix_array, bytes(range(256)))
        self.assert_raises((gsx.UsageError,), "abacus", gsx.suffix_array, b"banana", device="abacus")
        self.assert_raises((gsx.InputError,), "", gsx.inverse_bwt, b"ab", 1)
        self.assert_raises((gsx.UsageError,), "primary is -1", gsx.inverse_bwt, b"ab", -1)
        self.assert_raises((gsx.UsageError,), "row 1 has position 0 again", gsx.inverse_suffix_array,
                           np.array([0, 0], np.uint32))
        self.assert_raises((gsx.UsageError,), "row 0 has position 2, which is too large",
                           gsx.inverse_suffix_array, np.array([2, 1], np.uint64))
        self.assert_raises((gsx.UsageError,), "uint32 or uint64", gsx.inverse_suffix_array, [0, 1])

    def test_an_array_that_changes_meanwhile(self):
        """What is checked is what is inverted."""
        done = subprocess.run([sys.executable, "-c", CHANGING], stdout=subprocess.PIPE, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("wrong", done.stdout)

    @unittest.skipUnless(util.find_spec("torch"), "there is no torch")
    def test_a_tensor_in_host_memory(self):
        import torch
        data = torch.tensor(list(b"banana"), dtype=torch.uint8)
        self.assertEqual(list(gsx.suffix_array(data)), [5, 3, 1, 0, 4, 2])


if __name__ == "__main__":
    unittest.main()
