"""Places across origins, within regions and by file, and products of primers, against naive answers."""

import itertools
import tempfile
import unittest
from pathlib import Path

import numpy as np

import gsx

from .support import GsxTest, generator, naive_places, needs, random_dna, reverse_complement


class PlacesTest(GsxTest):
    def setUp(self):
        self.source = generator()
        self.texts = [random_dna(self.source, 150, "ACGT" * 9 + "N"), random_dna(self.source, 40), "ACGT"]
        self.index = gsx.build({f"r{i}": text for i, text in enumerate(self.texts)})
        self.patterns = [random_dna(self.source, 4) for _ in range(20)]
        for text in self.texts[:2]:
            self.patterns += [text[-5:] + text[:4], reverse_complement(text[-2:] + text[:7])]

    def naive(self, pattern, mismatches=0, circular=(), regions=None):
        """(target, start, strand, mismatches) of the places of a pattern whose symbols are all in regions."""
        found = []
        for target, text in enumerate(self.texts):
            held = set(range(len(text))) if regions is None else {
                i for t, start, end in zip(*regions.values()) if t == target for i in range(start, end)}
            around = text + text[:len(pattern) - 1] if target in circular else text
            for strand, p in [(1, pattern), (-1, reverse_complement(pattern))]:
                found += [(target, start, strand, differ) for start, differ in naive_places(around, p, mismatches)
                          if len(p) <= len(text) and {i % len(text) for i in range(start, start + len(p))} <= held]
        return sorted(found, key=lambda place: (place[0], place[1], -place[2]))

    def check(self, mismatches, circular, regions, told):
        hits = self.index.locate(self.patterns, mismatches=mismatches, **told)
        expected = [(query, *place) for query, pattern in enumerate(self.patterns)
                    for place in self.naive(pattern, mismatches, circular, regions)]
        self.assertEqual(list(zip(*[hits[n] for n in ("query", "target", "start", "strand", "mismatches")])), expected)
        self.assertTrue((hits["end"] - hits["start"] == [len(self.patterns[q]) for q in hits["query"]]).all())
        counts = self.index.count(self.patterns, mismatches=mismatches, **told)
        for found, strand in zip(counts, [1, -1]):
            self.assertEqual(list(found), [sum(row[0] == query and row[3] == strand for row in expected)
                                           for query in range(len(self.patterns))])
        return hits

    def test_circular(self):
        for mismatches in [0, 1]:
            linear = self.check(mismatches, (), None, {"circular": False})
            both = self.check(mismatches, (0, 1), None, {"circular": ["r1", 0]})
            self.assertGreater(len(both["query"]), len(linear["query"]))
            self.check(mismatches, (0, 1, 2), None, {"circular": True})

    def test_regions(self):
        # Regions that touch are one; those of r1 go on across its origin.
        regions = {"target": [0, 1, 0, 0, 1], "start": [30, 30, 5, 60, 0], "end": [50, 40, 30, 999, 9]}
        for told in [regions, dict(regions, target=["r0", "r1", 0, "r0", "r1"]),
                     {name: np.array(of) for name, of in regions.items()}]:
            self.check(0, (), regions, {"regions": told})
        self.check(1, (), regions, {"regions": regions})
        for mismatches in [0, 1]:
            self.check(mismatches, (1,), regions, {"circular": ["r1"], "regions": regions})
        none = {"target": [], "start": [], "end": []}
        self.assertEqual(self.index.count(self.patterns, regions=none)[0].sum(), 0)
        few = self.index.locate("A", regions=regions, max_hits=3)
        self.assertEqual(len(few["start"]), 3)
        every = self.index.locate("AC")
        again = self.index.locate("AC", regions=every)
        for name in every:
            np.testing.assert_array_equal(every[name], again[name])

    @needs("pyarrow")
    def test_regions_of_an_arrow_table(self):
        import pyarrow as pa
        table = {"target": ["r0"], "start": [0], "end": [20]}
        expected = self.index.locate("AC", regions=table)["start"]
        np.testing.assert_array_equal(self.index.locate("AC", regions=pa.table(table))["start"], expected)
        self.assert_raises((gsx.Error, TypeError), "no column 'target'", self.index.count, "AC",
                           regions={"chrom": ["r0"], "start": [0], "end": [20]})

    @needs("pandas")
    def test_regions_of_a_data_frame(self):
        import pandas as pd
        regions = pd.DataFrame({"target": ["r0"], "start": [0], "end": [20]})
        expected = len(self.naive("AC", 0, (), {"target": [0], "start": [0], "end": [20]}))
        self.assertEqual(len(self.index.locate("AC", regions=regions)["start"]), expected)

    def test_guides_across_origins(self):
        text = random_dna(self.source, 60)
        index = gsx.build({"plasmid": text[30:] + text[:30]})
        guide = text[10:30]
        pam = text[30:33]
        self.assertEqual(index.offtarget(guide, pams=[pam], mismatches=0)["n0"][0], 0)
        spanning = gsx.build({"plasmid": text[20:] + text[:20]})
        self.assertEqual(spanning.offtarget(guide, pams=[pam], mismatches=0, circular=True)["n0"][0], 1)
        _, sites = spanning.offtarget_sites(guide, pams=[pam], mismatches=0, circular=["plasmid"])
        self.assertEqual((sites["start"][0], sites["end"][0], sites["site"][0]), (50, 73, text[10:33]))
        self.assert_raises((gsx.UsageError,), "bulge", spanning.offtarget, guide, dna_bulge=1, circular=True)

    def test_guides_of_one_strand(self):
        text = random_dna(self.source, 90)
        index = gsx.build({"r": text})
        guide, pam = text[30:50], text[50:53]
        found = {word: index.offtarget(guide, pams=[pam], mismatches=0, strands=word)["n0"][0]
                 for word in ("both", "forward", "reverse")}
        self.assertEqual(found, {"both": 1, "forward": 1, "reverse": 0})
        self.assert_raises((gsx.UsageError,), "strands", index.offtarget, guide, pams=[pam], strands="up")

    def test_guides_within_regions(self):
        text = random_dna(self.source, 90)
        index = gsx.build({"r": text})
        guide, pam = text[30:50], text[50:53]
        for start, end, expected in [(30, 53, 1), (0, 90, 1), (31, 90, 0), (0, 52, 0)]:
            regions = {"target": ["r"], "start": [start], "end": [end]}
            told = {"pams": [pam], "mismatches": 0, "regions": regions}
            self.assertEqual(index.offtarget(guide, **told)["n0"][0], expected)
            self.assertEqual(len(index.offtarget_sites(guide, **told)[1]["start"]), expected)
        self.assert_raises((gsx.UsageError,), "bulge", index.offtarget, guide, rna_bulge=1, regions=regions)

    def test_wrong_places(self):
        for function in [self.index.count, self.index.locate]:
            for words, told in {
                    "there is no record 3": {"circular": [3]}, "there is no record 'x'": {"circular": ["x"]},
                    "circular[1] is of type float": {"circular": [0, 1.5]},
                    "circular is of type str": {"circular": "r0"}, "circular is of type int": {"circular": 1},
                    "columns target, start and end": {"regions": {"target": [0]}},
                    "different lengths": {"regions": {"target": [0], "start": [0], "end": []}},
                    "regions['start'][0] is -1": {"regions": {"target": [0], "start": [-1], "end": [3]}},
                    "regions['end'] have to be": {"regions": {"target": [0], "start": [0], "end": [0.5]}},
                    "begins at 4, behind its end": {"regions": {"target": [0], "start": [4], "end": [3]}}}.items():
                self.assert_raises((gsx.UsageError,), words, function, "A", **told)
        protein = gsx.build({"p": "MKVLWAALLVTFLAGCQA"})
        self.assert_raises((gsx.UsageError,), "need DNA", protein.count, "AL", circular=True)
        within = {"target": ["p"], "start": [0], "end": [8]}
        self.assertEqual(protein.count("A", regions=within)[0][0], 2)


class FileCountsTest(GsxTest):
    def test_counts_by_file(self):
        source = generator()
        texts = [[random_dna(source, 90) for _ in range(n)] for n in (2, 1, 3)]
        patterns = [random_dna(source, 3) for _ in range(10)] + ["ACGTACGTACGT"]
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number, records in enumerate(texts):
                files.append(Path(folder, f"f{number}.fa"))
                files[-1].write_text("".join(f">r{number}_{i}\n{text}\n" for i, text in enumerate(records)))
            index = gsx.build(files, keep_files=True)
            self.assert_raises((gsx.UsageError,), "keep_files=True", gsx.build(files).count, "A", by_file=True)
        for mismatches in [0, 1]:
            forward, reverse = index.count(patterns, mismatches=mismatches, by_file=True)
            self.assertEqual((forward.shape, forward.dtype), ((len(patterns), len(index.records.files)), np.int64))
            for i, file in itertools.product(range(len(patterns)), range(3)):
                for counts, pattern in [(forward, patterns[i]), (reverse, reverse_complement(patterns[i]))]:
                    self.assertEqual(counts[i, file], sum(len(naive_places(text, pattern, mismatches))
                                                          for text in texts[file]))
        within = index.count(patterns, by_file=True, regions={"target": [0], "start": [0], "end": [90]})[0]
        self.assertEqual(within[:, 1:].sum(), 0)
        self.assertEqual(index.count([], by_file=True)[0].shape, (0, 3))
        self.assert_raises((gsx.UsageError,), "do not go together", index.count, "A", by_file=True, by_mismatches=True)


class PrimersTest(GsxTest):
    def setUp(self):
        source = generator()
        self.text = random_dna(source, 900)
        self.forward = [self.text[100:112], self.text[500:512], self.text[890:] + self.text[:4], "ACGTACGTACGTACG"]
        self.reverse = [reverse_complement(self.text[300:312]), reverse_complement(self.text[560:572]),
                        reverse_complement(self.text[80:92]), self.text[20:32]]
        self.index = gsx.build({"r": self.text})

    def naive(self, pair, mismatches, end=(0, 0)):
        """Rows of the products of a pair, from 50 to 3000 bases."""
        primers = [self.forward[pair], self.reverse[pair]]

        def places(primer, turned):
            pattern = reverse_complement(primer) if turned else primer
            for start, differ in naive_places(self.text, pattern, mismatches):
                site = self.text[start:start + len(primer)]
                site = reverse_complement(site) if turned else site
                last = sum(a != b for a, b in zip(site[len(site) - end[0]:], primer[len(primer) - end[0]:]))
                if end[0] == 0 or last <= end[1]:
                    yield start, start + len(primer), differ
        rows = []
        for order, (words, strand, first, last) in enumerate(
                [("FR", 1, 0, 1), ("RF", -1, 1, 0), ("FF", 0, 0, 0), ("RR", 0, 1, 1)]):
            for (a, a_end, m), (b, b_end, n) in itertools.product(places(primers[first], False),
                                                                  places(primers[last], True)):
                if a <= b and a_end <= b_end and 50 <= b_end - a <= 3000:
                    both = (n, m) if words == "RF" else (m, n)
                    rows.append((a, b_end, order, (pair, 0, a, b_end, b_end - a, strand, *both, words)))
        return [row[-1] for row in sorted(rows)]

    def test_products(self):
        for mismatches, end in [(0, None), (3, None), (5, (4, 0)), (5, (6, 1))]:
            found = self.index.amplicon(self.forward, self.reverse, mismatches=mismatches, three_prime=end)
            self.assertEqual(list(found), ["pair", "target", "start", "end", "length", "strand", "fwd_mismatches",
                                           "rev_mismatches", "primers"])
            expected = [row for pair in range(4) for row in self.naive(pair, mismatches, end or (0, 0))]
            self.assertEqual([tuple(row) for row in zip(*found.values())], expected)
            self.assertIn((0, 0, 100, 312, 212, 1, 0, 0, "FR"), expected)
        few = self.index.amplicon(self.forward, self.reverse, mismatches=5, max_hits=1)
        self.assertEqual((few["pair"] == 0).sum(), 1)
        self.assertEqual(few["start"][0], 100)
        self.assertEqual(len(self.index.amplicon(self.forward, self.reverse, max_length=100)["pair"]), 1)
        self.assertEqual(len(self.index.amplicon([], [])["primers"]), 0)

    def test_circular_and_regions(self):
        pair = (self.forward[2], self.reverse[2])
        self.assertEqual(len(self.index.amplicon(*pair)["pair"]), 0)
        found = self.index.amplicon(*pair, circular=["r"])
        self.assertEqual((found["start"][0], found["end"][0]), (890, 992))
        regions = {"target": ["r", "r"], "start": [0, 890], "end": [92, 900]}
        self.assertEqual(len(self.index.amplicon(*pair, circular=True, regions=regions)["pair"]), 1)
        regions["end"][0] = 91
        self.assertEqual(len(self.index.amplicon(*pair, circular=True, regions=regions)["pair"]), 0)

    def test_wrong_primers(self):
        amplicon = self.index.amplicon
        self.assert_raises((gsx.UsageError,), "2 forward primers and 1 reverse", amplicon, ["A", "C"], ["G"])
        self.assert_raises((gsx.UsageError,), "min_length is 9, more than", amplicon, "A", "C", min_length=9, max_length=8)
        self.assert_raises((gsx.UsageError,), "three_prime[0] is 0", amplicon, "A", "C", three_prime=(0, 1))
        self.assert_raises((gsx.UsageError,), "max_hits is 0", amplicon, "A", "C", max_hits=0)
        protein = gsx.build({"p": "MKVLWAALLVTFLAGCQA"})
        self.assert_raises((gsx.UsageError,), "DNA", protein.amplicon, "ACGT", "ACGT")
        with self.assertWarnsRegex(gsx.PatternWarning, r"1 of 2 reverse cannot match \(first: reverse\[1\]"):
            found = amplicon([self.forward[0]] * 2, [self.reverse[0], None])
        self.assertEqual(set(found["pair"]), {0})


if __name__ == "__main__":
    unittest.main()
