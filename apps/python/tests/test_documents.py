"""What the README, the docstrings, the stub and the tutorial say is so."""

import ast
import doctest
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib import metadata, util
from pathlib import Path

import gsx

from .support import needs

HERE = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GSX_DATA", HERE.parent.parent / "data"))
STUB = Path(gsx.__file__).with_name("_gsx.pyi")

needs_data = unittest.skipUnless((DATA / "lambda.fa").exists(), "the sample data are not here")


def public_functions():
    """(name, function) of all that users call."""
    for owner in [gsx, gsx.Index, gsx.Records, gsx.SequenceSet]:
        for name, value in vars(owner).items():
            if callable(value) and not name.startswith("_") and not inspect.isclass(value):
                yield f"{owner.__name__}.{name}", value


class DocumentsTest(unittest.TestCase):
    def test_the_version_is_that_of_the_library(self):
        self.assertEqual(metadata.version("gsx"), gsx.__version__)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "a.gsx")
            gsx.build({"a": "ACGT"}).save(file)
            self.assertIn(gsx.__version__.encode(), file.read_bytes())

    @needs_data
    def test_readme(self):
        text = (HERE / "README.md").read_text()
        blocks = re.findall(r"^```pycon\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        self.assertGreater(len(blocks), 4)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(DATA / "lambda.fa", folder)
            os.chdir(folder)
            try:
                test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", None, 0)
                self.assertEqual(doctest.DocTestRunner().run(test).failed, 0)
            finally:
                os.chdir(before)

    def test_readme_names_all(self):
        text = (HERE / "README.md").read_text()
        for name in gsx.__all__:
            self.assertTrue(name in text, name)
        for name, _ in public_functions():
            self.assertTrue(name.rpartition(".")[2] in text, name)

    def test_docstrings(self):
        self.assertEqual(doctest.testmod(gsx).failed, 0)
        for name, function in public_functions():
            with self.subTest(name):
                self.assertGreater(len(function.__doc__), 60)

    @needs_data
    def test_tutorial(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, HERE / "tutorial.py", folder], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=120,
                                  env={**os.environ, "GSX_DATA": str(DATA)})
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("198 of 1000 reads occur exactly", done.stdout)
            self.assertIn("specificity 99.5 %", done.stdout)
            plots = sorted(path.name for path in Path(folder).glob("*.png"))
            expected = ["coverage.png", "spectrum.png"] if util.find_spec("matplotlib") else []
            self.assertEqual(plots, expected)


class StubTest(unittest.TestCase):
    def test_the_stub_has_all(self):
        tree = ast.parse(STUB.read_text())
        functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        for name, _ in public_functions():
            short = name.rpartition(".")[2]
            self.assertIn(short, functions)
            for argument in functions[short].args.args + functions[short].args.kwonlyargs:
                if argument.arg != "self":
                    self.assertIsNotNone(argument.annotation, f"{name}: {argument.arg}")
            self.assertIsNotNone(functions[short].returns, name)
        self.assertTrue(STUB.with_name("py.typed").exists())

    def test_signatures_are_those_of_the_stub(self):
        """Defaults of the signatures are written by hand: calls with them work as without."""
        index = gsx.build({"r": "GATTACA"})
        self.assertEqual(index.count("A", None, mismatches=0, iupac=False, strands="both",
                                     by_mismatches=False, progress=None)[0][0], 3)
        self.assertEqual(len(index.locate("A", None, mismatches=0, iupac=False, strands="both",
                                          max_hits=None, progress=None)["query"]), 5)
        self.assertEqual(len(index.mem("GATTACA", None, min_length=20, strands="both")["query"]), 0)
        index.match_lengths("A", None, strands="both", ending=False, progress=None)
        guides = dict(pams=("NGG",), pam_first=False, mismatches=4, dna_bulge=0, rna_bulge=0,
                      mit_scores=True, score_table=None, stop_at=None, progress=None)
        index.offtarget("GATTACA", **guides)
        index.offtarget_sites("GATTACA", max_hits=None, letters=True, **guides)
        index.mappability(2, mismatches=0, values="mappability", cap=None, strands="both",
                          memory_limit=None, progress=None)
        index.shortest_unique(strands="both", memory_limit=None, progress=None)
        index.kmer_spectrum(strands="both", memory_limit=None, progress=None)
        gsx.build({"r": "GATTACA"}, alphabet=None, ambiguous="split", soft_mask="fold", sample_rate=8,
                  kmer_length=None, md5=False, keep_files=False, whole_header=False,
                  allow_no_eof=False, cram_reference=None, device="auto", threads=0,
                  memory_limit=None, gpu_memory=None, progress=None)
        places = dict(circular=False, regions=None)
        index.count("A", by_file=False, **places)
        index.locate("A", **places)
        index.offtarget("GATTACA", circular=False, **guides)
        index.amplicon("GATTACA", "GATTACA", mismatches=0, three_prime=None, min_length=50, max_length=3000,
                       max_hits=None, progress=None, **places)
        index.matches_any("A", None, min_length=31, min_cover=0.0, strands="both", progress=None)
        index.repeats(100, supermaximal=False, min_count=2, max_hits=20, strands="both", memory_limit=None,
                      progress=None)
        index.repeat_pairs(100, strands="both", memory_limit=None, progress=None)
        index.lz77(across_records=False, memory_limit=None, progress=None)
        gsx.lcp_array(b"abc", device="auto", threads=0, progress=None)
        tags = gsx.sequence_set(["ACGT"], None, counts=None, threads=0)
        near = dict(distance=1, device="auto", threads=0, memory_limit=None, progress=None)
        tags.neighbors(None, **near)
        tags.clusters(**near)
        tags.corrections(None, confidence=None, **near)
        gsx.longest_prefixes(["A"], ["A"], None, threads=0, progress=None)
        gsx.suffix_array(b"abc", stream=None, device="auto", threads=0, progress=None)
        gsx.bwt(b"abc", stream=None, device="auto", threads=0, memory_limit=None, progress=None)

    @needs("mypy")
    def test_types(self):
        """mypy accepts right uses in strict mode, and finds wrong ones."""
        right = ("import gsx\nimport numpy as np\nindex = gsx.build({'a': 'ACGT'})\n"
                 "forward, reverse = index.count(['A'])\ntotal: int = int((forward + reverse).sum())\n"
                 "rows: np.ndarray = np.asarray(gsx.suffix_array(b'abc'))\n"
                 "starts = index.locate(('A',))['start'] + 1\n")
        wrong = right + "index.count(['A'], mismatches='two')\n"
        for source, code in [(right, 0), (wrong, 1)]:
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "use.py").write_text(source)
                done = subprocess.run([sys.executable, "-m", "mypy", "use.py"], cwd=folder,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                self.assertEqual(done.returncode, code, done.stdout)


if __name__ == "__main__":
    unittest.main()
