"""CRAM and the references that it is decoded by; and that nothing is printed meanwhile."""

import base64
import ctypes
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib
from pathlib import Path
from unittest import mock

import gsx

from .support import GsxTest

BASES = ("GCTAAAGACAATTACATAACATACACGTCAGCACGAAACTTGTTGGCCCAGTGTGAATCGCTTAAGGGTTAAGTAAGTGTGATGCATACGCCTTTACTT"
         "GCTGTGTCCACCCCATCGGAC")
CHECKSUM = "91ddc4699fa908823df23b973fa4f20a"
READS = [BASES[40 * i:40 * i + 30] for i in range(3)]
# Made of these reads by samtools 1.16; its header names /nowhere/ref.fa.
CRAM = zlib.decompress(base64.b64decode(
    "eNpzDnL0ZWbQL8kt0M9NzUvRLagsycjP008uSpzFAANMTAyJP21LS4HMiIgQIOng4cIZ5mdlqGfG5RAcyBnsZ5WcUcTpAxQx"
    "MuD0NbWyNExJSTYxs7RMS7Q0sLAwMk5JMzJOsjQ3Tks0STMySOQMDbLSz8svz0gtStUvSk3TS0vk4ntZVA002sCAgUSgfzhb"
    "UpERyGDMY2aIYmNs2JhdE53HwMjQsKxhmRBLiAsjQ7CvNAgE+TE6BjA29As5uTGzMAJVOINoZkaGIB8gLcfIAJRlFAxyZ+Zg"
    "/A8E/IwMvlCFfsEIMb8AiFhIMJT2gdBufhDa04+ViYHXyYmFjZFRi5FR1TcQKM4JtAQkzh0YzMjIE+QJURrsDBTiY2S4ckF0"
    "KwMTg7w82A8szNw8gmDLtPtfZdnUb2zepLr25b6v2tf42IR6GVhBfmb/85GBhZuTs8iAociQociIoff8vzuMLDwSUfLdHJBw"
    "+X/5wgJRBoaqFt3gKCD3luTsewwsgszMDBoaWj+lUvhBSkCWPHD1dwOpZ2Rg3XvTH0ixsYHcxsjwLpnRGwCaq3Kr"))


class CramTest(GsxTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.cram = self.path / "r.cram"
        self.cram.write_bytes(CRAM)
        self.fasta = self.path / "ref.fa"
        self.fasta.write_text(f">chr\n{BASES}\n")
        Path(f"{self.fasta}.fai").write_text("chr\t120\t5\t120\t121\n")
        # No reference but those of this test.
        places = {"REF_PATH": str(self.path / "none"), "REF_CACHE": ""}
        patch = mock.patch.dict(os.environ, places)
        patch.start()
        self.addCleanup(patch.stop)

    def assert_read(self, index):
        self.assertEqual([index.extract(i) for i in range(3)], READS)

    def test_a_reference_that_is_named(self):
        for name in [self.fasta, str(self.fasta), os.fsencode(self.fasta)]:
            self.assert_read(gsx.build(self.cram, cram_reference=name))

    def test_a_reference_that_the_environment_names(self):
        (self.path / "refs").mkdir()
        (self.path / "refs" / CHECKSUM).write_text(BASES)
        for name in ["REF_PATH", "REF_CACHE"]:
            with mock.patch.dict(os.environ, {name: f"{self.path}/refs/%s"}):
                self.assert_read(gsx.build(self.cram))

    def test_no_reference(self):
        self.assert_raises((gsx.InputError,), "by cram_reference, or let REF_PATH", gsx.build, self.cram)
        self.assert_raises((gsx.InputError,), "cram_reference: there is no file '/no/ref.fa'", gsx.build,
                           self.cram, cram_reference="/no/ref.fa")
        os.remove(f"{self.fasta}.fai")
        self.assert_raises((gsx.InputError,), "samtools faidx", gsx.build, self.cram,
                           cram_reference=self.fasta)

    def test_nothing_is_printed(self):
        source = "import gsx, sys\ntry: gsx.build(sys.argv[1])\nexcept gsx.InputError: print('refused')"
        done = subprocess.run([sys.executable, "-c", source, self.cram], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr), ("refused\n", ""))

    def test_the_log_level_is_given_back(self):
        level = ctypes.CDLL(gsx._gsx.__file__).hts_get_log_level
        before = level()
        self.assertGreater(before, 0)
        fasta = self.path / "a.fa"
        fasta.write_text(f">a\n{BASES}\n")

        def build():
            for _ in range(20):
                gsx.build(fasta, threads=1)
        threads = [threading.Thread(target=build) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertRaises(gsx.InputError, gsx.build, self.cram)
        self.assertEqual(level(), before)


if __name__ == "__main__":
    unittest.main()
