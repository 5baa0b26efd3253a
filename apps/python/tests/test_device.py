"""Arrays in the memory of a GPU, in and out. Skipped without CUDA or a GPU."""

import os
import unittest
from importlib import util

import numpy as np

import gsx

from .support import GsxTest, generator, naive_counts, naive_suffix_array, random_dna


def why_not():
    if not gsx.cuda:
        return "this package was built without CUDA"
    try:
        gsx.to_device(b"abc")
    except gsx.DeviceError as error:
        return f"there is no GPU: {error}"
    return None


WHY_NOT = why_not()
if WHY_NOT and os.environ.get("GSX_REQUIRE_GPU"):
    raise RuntimeError(WHY_NOT)


def has_two_gpus():
    try:
        gsx.to_device(b"abc", device=1)
    except gsx.DeviceError:
        return False
    return True


class Foreign:
    """An array of another library: only what a protocol asks for."""

    def __init__(self, array, **changes):
        self.array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **changes}


class OnlyDlpack:
    def __init__(self, array):
        self.array = array
        self.streams = []

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@unittest.skipIf(WHY_NOT, WHY_NOT)
class DeviceTest(GsxTest):
    def setUp(self):
        self.text = random_dna(generator(), 3000).encode()
        self.data = gsx.to_device(self.text)

    def test_copies(self):
        for array in [np.arange(5, dtype=np.uint8), np.arange(5, dtype=np.uint32),
                      np.arange(5, dtype=np.int64), np.empty(0, np.uint8)]:
            copy = gsx.to_device(array)
            np.testing.assert_array_equal(copy.get(), array)
            self.assertEqual((copy.shape, len(copy), copy.dtype.itemsize),
                             ((len(array),), len(array), array.itemsize))
        self.assert_raises((gsx.UsageError,), "integers", gsx.to_device, np.zeros(3))
        self.assert_raises((gsx.UsageError,), "byte order", gsx.to_device, np.arange(3, dtype=">u4"))
        index = gsx.DeviceIndex(gsx.build({"a": "ACGTTACG"}))
        self.assert_raises((gsx.UsageError,), "neither", index.count, ["ACGT"], [0])

    def test_suffix_arrays(self):
        expected = naive_suffix_array(self.text)
        for data in [self.data, Foreign(self.data), OnlyDlpack(self.data)]:
            rows = gsx.suffix_array(data)
            self.assertIsInstance(rows, gsx.DeviceArray)
            self.assertEqual(list(rows.get()), expected)
            inverse = gsx.inverse_suffix_array(rows)
            np.testing.assert_array_equal(inverse.get(), np.argsort(rows.get()))

    def test_transforms(self):
        transform, primary = gsx.bwt(self.data)
        expected, same = gsx.bwt(self.text)
        np.testing.assert_array_equal(transform.get(), expected)
        self.assertEqual(primary, same)
        self.assertEqual(bytes(gsx.inverse_bwt(transform, primary).get()), self.text)

    def test_streams(self):
        only = OnlyDlpack(self.data)
        gsx.suffix_array(only)
        gsx.suffix_array(only, stream=0)
        self.assertEqual(only.streams, [1, 1])
        self.assertEqual(len(gsx.suffix_array(Foreign(self.data, stream=1))), 3000)
        self.assert_raises((gsx.UsageError,), "CUDA stream", gsx.suffix_array, self.data, stream="x")

    def test_wrong_arrays(self):
        wide = gsx.to_device(np.arange(4, dtype=np.uint32))
        self.assert_raises((gsx.UsageError,), "elements of 4 bytes", gsx.suffix_array, wide)
        for words, changes in {"2 dimensions": {"shape": (30, 100)}, "not contiguous": {"strides": (2,)},
                               "'<f4'": {"typestr": "<f4"}}.items():
            self.assert_raises((gsx.UsageError,), words, gsx.suffix_array, Foreign(self.data, **changes))

    def test_counts(self):
        text = self.text.decode()
        index = gsx.build({"r": text})
        on_gpu = gsx.DeviceIndex(index)
        self.assertGreater(on_gpu.bytes, 0)
        patterns = [text[i:i + 8] for i in range(0, 200, 5)] + ["", "NNN"]
        letters = gsx.to_device("".join(patterns).encode())
        offsets = np.cumsum([0] + [len(p) for p in patterns])
        counts = on_gpu.count(letters, gsx.to_device(offsets)).get()
        self.assertEqual([tuple(row) for row in counts], [naive_counts([text], p) for p in patterns])
        self.assert_raises((gsx.UsageError,), "at most the", on_gpu.count, letters,
                           gsx.to_device(offsets + 1))
        self.assert_raises((gsx.UsageError,), "elements of 4 bytes", on_gpu.count, letters,
                           gsx.to_device(offsets.astype(np.uint32)))

    @unittest.skipUnless(has_two_gpus(), "there is one GPU")
    def test_two_gpus(self):
        text = self.text.decode()
        index = gsx.build({"r": text})
        offsets = np.array([0, 5, 9])
        expected = [naive_counts([text], text[a:b]) for a, b in [(0, 5), (5, 9)]]
        for home in range(2):
            on_gpu = gsx.DeviceIndex(index, device=home)
            for other in range(2):
                letters, ends = (gsx.to_device(data, device=device)
                                 for data, device in [(self.text[:9], home), (offsets, other)])
                self.assertEqual(letters.__dlpack_device__(), (2, home))
                if other == home:
                    counts = on_gpu.count(letters, ends)
                    self.assertEqual(counts.__dlpack_device__(), (2, home))
                    self.assertEqual([tuple(row) for row in counts.get()], expected)
                    continue
                words = f"offsets is on GPU {other}, and the index on GPU {home}"
                self.assert_raises((gsx.UsageError,), words, on_gpu.count, letters, ends)
                letters, ends = (gsx.to_device(data, device=device)
                                 for data, device in [(self.text[:9], other), (offsets, home)])
                self.assert_raises((gsx.UsageError,), "letters is on GPU", on_gpu.count, letters, ends)
                nothing = on_gpu.count(gsx.to_device(b"", device=other), gsx.to_device([0], device=home))
                self.assertEqual(nothing.shape, (0, 2))
            # What was refused has done no harm.
            self.assertEqual(list(gsx.suffix_array(gsx.to_device(b"banana", device=home)).get()),
                             [5, 3, 1, 0, 4, 2])

    def test_a_gpu_that_is_not_there(self):
        self.assert_raises((gsx.DeviceError,), "", gsx.to_device, b"abc", device=99)
        self.assert_raises((gsx.DeviceError,), "", gsx.DeviceIndex, gsx.build({"r": "ACGT"}), device=99)
        self.assertEqual(bytes(gsx.to_device(b"abc").get()), b"abc")

    @unittest.skipUnless(util.find_spec("torch"), "there is no PyTorch")
    def test_torch(self):
        import torch
        data = torch.tensor(list(self.text), dtype=torch.uint8, device="cuda")
        stream = torch.cuda.Stream()
        rows = torch.from_dlpack(gsx.suffix_array(data, stream=stream))
        self.assertEqual(rows.cpu().tolist(), naive_suffix_array(self.text))

    @unittest.skipUnless(util.find_spec("cupy"), "there is no CuPy")
    def test_cupy(self):
        import cupy
        data = cupy.asarray(np.frombuffer(self.text, np.uint8))
        with cupy.cuda.Stream() as stream:
            rows = cupy.asarray(gsx.suffix_array(data, stream=stream))
        self.assertEqual(cupy.asnumpy(rows).tolist(), naive_suffix_array(self.text))


if __name__ == "__main__":
    unittest.main()
