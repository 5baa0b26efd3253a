"""Which reads match, against naive answers and the program."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

import gsx

from .support import GsxTest, generator, random_dna, reverse_complement


class FilterTest(GsxTest):
    def setUp(self):
        source = generator()
        self.text = random_dna(source, 2000)
        self.index = gsx.build({"r": self.text})
        self.reads = [random_dna(source, source.randrange(5, 40)) +
                      (lambda part: part if source.random() < 0.5 else reverse_complement(part))(
                          self.text[at:at + source.randrange(5, 40)]) for at in range(0, 1900, 20)] + ["", "ACG"]

    def covered(self, read, least):
        held = set()
        for i in range(len(read) - least + 1):
            part = read[i:i + least]
            if part in self.text or reverse_complement(part) in self.text:
                held |= set(range(i, i + least))
        return len(held)

    def test_which_match(self):
        for least, cover in [(12, 0), (12, 0.5), (20, 0.0), (20, 0.9)]:
            mask = self.index.matches_any(self.reads, min_length=least, min_cover=cover)
            self.assertEqual(mask.dtype, np.bool_)
            covered = [self.covered(read, least) for read in self.reads]
            self.assertEqual(list(mask), [held > 0 and held / len(read) >= cover
                                          for held, read in zip(covered, self.reads)])
        self.assertEqual(len(self.index.matches_any([])), 0)
        forward = self.index.matches_any([self.text[:40], reverse_complement(self.text[:40])], strands="forward")
        self.assertEqual(list(forward), [True, False])

    @unittest.skipUnless(os.access(os.environ.get("GSX_PROGRAM", ""), os.X_OK), "there is no program gsx")
    def test_it_is_what_filter_keeps(self):
        with tempfile.TemporaryDirectory() as folder:
            reads, path = Path(folder, "reads.fa"), Path(folder, "r.gsx")
            reads.write_text("".join(f">{i}\n{read}\n" for i, read in enumerate(self.reads)))
            self.index.save(path)
            kept = subprocess.run([os.environ["GSX_PROGRAM"], "filter", "-q", "-x", path, reads, "--keep", "-L", "14"],
                                  stdout=subprocess.PIPE, check=True, text=True).stdout
        mask = self.index.matches_any(self.reads, min_length=14)
        self.assertEqual([line for line in kept.splitlines() if line.startswith(">")],
                         [f">{i}" for i in np.flatnonzero(mask)])

    def test_wrong_options(self):
        self.assert_raises((gsx.UsageError,), "min_length is 0", self.index.matches_any, "A", min_length=0)
        self.assert_raises((gsx.UsageError,), "min_cover is 1.5", self.index.matches_any, "A", min_cover=1.5)
        with self.assertWarns(gsx.PatternWarning):
            self.assertFalse(self.index.matches_any(["ACGTN"])[0])


if __name__ == "__main__":
    unittest.main()
