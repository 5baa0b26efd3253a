"""Maximal matches, sites of guides and mappability, against naive answers."""

import collections
import tempfile
import unittest
from pathlib import Path

import numpy as np

import gsx

from .support import (GsxTest, generator, naive_counts, naive_places, random_dna,
                      reverse_complement)


class MatchesTest(GsxTest):
    def setUp(self):
        source = generator()
        self.text = random_dna(source, 500)
        self.index = gsx.build({"r": self.text})
        self.query = (random_dna(source, 5) + self.text[100:130] + random_dna(source, 5) +
                      reverse_complement(self.text[200:240]) + "N" + self.text[:12])

    def naive_lengths(self, query):
        def occurs(part):
            return part in self.text or reverse_complement(part) in self.text
        lengths = []
        for i in range(len(query)):
            length = 0
            while (i + length < len(query) and query[i + length] != "N"
                   and occurs(query[i:i + length + 1])):
                length += 1
            lengths.append(length)
        return lengths

    def test_match_lengths(self):
        queries = [self.query, "", self.query[::-1]]
        lengths, offsets = self.index.match_lengths(queries)
        self.assertEqual(list(np.diff(offsets)), [len(q) for q in queries])
        for i, query in enumerate(queries):
            self.assertEqual(list(lengths[offsets[i]:offsets[i + 1]]), self.naive_lengths(query))
        ending, _ = self.index.match_lengths(self.query, ending=True)
        backwards = gsx.build({"r": self.text[::-1]}).match_lengths(self.query[::-1])[0]
        self.assertEqual(list(ending), list(backwards[::-1]))

    def test_maximal_matches(self):
        lengths = self.naive_lengths(self.query)
        ends = [i + length for i, length in enumerate(lengths)]
        expected = [(i, end) for i, end in enumerate(ends)
                    if end - i >= 10 and (i == 0 or ends[i - 1] < end)]
        found = self.index.mem(["ACGT", self.query], min_length=10)
        self.assertEqual(set(found["query"]), {1})
        self.assertEqual(list(zip(found["start"], found["end"])), expected)
        for start, end, forward, reverse in zip(*[found[n] for n in ("start", "end", "forward", "reverse")]):
            self.assertEqual((forward, reverse), naive_counts([self.text], self.query[start:end]))
        self.assert_raises((gsx.UsageError,), "min_length is 0", self.index.mem, "ACGT", min_length=0)


class GuidesTest(GsxTest):
    def setUp(self):
        source = generator()
        self.text = random_dna(source, 3000)
        self.index = gsx.build({"r": self.text})
        at = 1000
        self.guide = self.text[at:at + 20]
        self.text = self.text[:at + 20] + "AGG" + self.text[at + 23:]
        self.index = gsx.build({"r": self.text})

    def naive_sites(self, mismatches):
        """(start, strand, mismatches) of sites with the PAM NGG."""
        found = []
        for strand, text in [(1, self.text), (-1, reverse_complement(self.text))]:
            for start, differ in naive_places(text, self.guide, mismatches):
                if text[start + 21:start + 23] == "GG":
                    found.append((start if strand == 1 else len(text) - start - 23, strand, differ))
        return sorted(found)

    def test_sites(self):
        sites = self.naive_sites(9)
        summary, found = self.index.offtarget_sites([self.guide, "AAN"], mismatches=9)
        of = found["guide"] == 0
        self.assertEqual([tuple(row) for row in zip(*[found[n][of] for n in ("start", "strand",
                                                                            "mismatches")])], sites)
        self.assertTrue((found["end"][of] - found["start"][of] == 23).all())
        counts = collections.Counter(site[2] for site in sites)
        self.assertEqual([summary[f"n{k}"][0] for k in range(10)], [counts[k] for k in range(10)])
        self.assertEqual(summary["n_total"][0], len(sites))
        exact = found["mismatches"] == 0
        self.assertEqual(found["site"][exact & of][0], self.guide + "AGG")
        self.assertEqual(found["score"][exact & of][0], 100)
        self.assertTrue(0 < summary["specificity"][0] <= 100)
        odd = self.index.offtarget([self.guide, self.guide[:19] + "X", ""])
        self.assertEqual(list(odd["searched"]), [True, False, False])
        self.assertTrue(np.isnan(odd["specificity"][1:]).all())
        none = self.index.offtarget("ACGT" * 5, mismatches=0)
        self.assertEqual(none["n_total"][0], 0)
        self.assertTrue(np.isnan(none["specificity"][0]))
        again = self.index.offtarget([self.guide, "AAN"], mismatches=9)
        for name, column in summary.items():
            np.testing.assert_array_equal(again[name], column)

    def test_bulges_and_most_hits(self):
        summary, found = self.index.offtarget_sites(self.guide, mismatches=2, dna_bulge=1, rna_bulge=1,
                                                    max_hits=1, letters=False)
        self.assertIn("dna1_n0", summary)
        self.assertIn("rna1_n2", summary)
        self.assertEqual(len(found["bulge"]), 1)
        self.assertNotIn("site", found)

    def test_score_table_and_stop(self):
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder, "table.tsv")
            table.write_text("not a table\n")
            self.assert_raises((gsx.InputError,), "table.tsv", self.index.offtarget, self.guide,
                               score_table=table)
        dropped = self.index.offtarget([self.guide], stop_at=(0, 0))["dropped"]
        self.assertEqual((dropped.dtype, dropped[0]), (np.bool_, True))

    def test_guides_that_hold_the_pam(self):
        with_pam = self.guide + "TGG"
        for asked in (self.index.offtarget, self.index.offtarget_sites):
            self.assert_raises((gsx.UsageError,), "end in the PAM NGG: give with_pam", asked, [with_pam])
            self.assert_raises((gsx.UsageError,), "guide 1 does not end in the PAM", asked,
                               [with_pam, "GATTACAT"], with_pam=True)
        alone, cut = self.index.offtarget(self.guide), self.index.offtarget(with_pam.lower(), with_pam=True)
        self.assertGreater(alone["n0"][0], 0)
        for name, column in alone.items():
            np.testing.assert_array_equal(cut[name], column)
        # Not all of them, or told so: they are what they are.
        for guides, told in [([with_pam, self.guide], None), ([with_pam], False)]:
            self.assertEqual(self.index.offtarget(guides, mismatches=0, with_pam=told)["n0"][0], 0)
        # On the other side, the first letters are the PAM.
        first = self.index.offtarget("CCA" + self.guide, pams=["CCN"], pam_first=True, with_pam=True)
        self.assertEqual(first["n_total"][0],
                         self.index.offtarget(self.guide, pams=["CCN"], pam_first=True)["n_total"][0])

    def test_wrong_options(self):
        offtarget = self.index.offtarget
        self.assert_raises((gsx.UsageError,), "max_hits is 0", self.index.offtarget_sites, self.guide, max_hits=0)
        self.assert_raises((gsx.UsageError,), "mismatches is 999", offtarget, self.guide, mismatches=999)
        self.assert_raises((gsx.UsageError,), "dna_bulge is 6", offtarget, self.guide, dna_bulge=6)
        self.assert_raises((gsx.UsageError,), "'!'", offtarget, self.guide, pams=["!"])
        protein = gsx.build({"p": "MKVLWAALLVTFLAGCQA"})
        self.assert_raises((gsx.UsageError,), "DNA", protein.offtarget, self.guide)


class MappabilityTest(GsxTest):
    def setUp(self):
        source = generator()
        repeat = random_dna(source, 60)
        self.texts = [random_dna(source, 200) + repeat + "NN" + random_dna(source, 100),
                      repeat[:40] + reverse_complement(repeat) + random_dna(source, 50), "ACG"]
        self.index = gsx.build({f"r{i}": text for i, text in enumerate(self.texts)})

    def naive_frequency(self, text, start, k):
        kmer = text[start:start + k]
        if len(kmer) < k or "N" in kmer:
            return 0
        both = {kmer, reverse_complement(kmer)}
        return sum(len(naive_places(other, p)) for other in self.texts for p in both)

    def test_frequencies(self):
        for k in [1, 4, 12]:
            expected = [[self.naive_frequency(text, i, k) for i in range(len(text))]
                        for text in self.texts]
            frequencies = self.index.mappability(k, values="frequency")
            self.assertEqual([list(of) for of in frequencies], expected)
            self.assertEqual(frequencies[0].dtype, np.uint32)
            for values, of in zip(self.index.mappability(k), expected):
                self.assertEqual(values.dtype, np.float32)
                np.testing.assert_allclose(
                    values, [1 / f if f > 0 else np.nan for f in of], rtol=1e-6)

    def test_places_on_both_strands(self):
        palindrome = gsx.build({"a": "TTACGTAA"})
        self.assertEqual(palindrome.mappability(8, values="frequency")[0][0], 1)
        self.assertIn("its own\nreverse complement", gsx.Index.mappability.__doc__)
        near_palindrome = gsx.build({"a": "ACGTTAACGA"})
        self.assertEqual(near_palindrome.mappability(10, mismatches=2, values="frequency")[0][0], 1)

    def test_with_mismatches_and_caps(self):
        exact = np.concatenate(self.index.mappability(12, values="frequency"))
        near = np.concatenate(self.index.mappability(12, mismatches=1, values="frequency"))
        self.assertTrue((near >= exact).all() and (near > exact).any())
        capped = np.concatenate(self.index.mappability(4, values="frequency", cap=2))
        self.assertEqual(capped.max(), 2)

    def test_both_strands_or_one(self):
        for measure in (self.index.kmer_spectrum, self.index.shortest_unique,
                        lambda strands: self.index.mappability(12, strands=strands)):
            measure(strands="forward")
            self.assert_raises((gsx.UsageError,), "'both' or 'forward'", measure, strands="reverse")

    def test_umap(self):
        unique = np.concatenate(self.index.mappability(12, values="umap_single"))
        self.assertEqual(set(unique[~np.isnan(unique)]), {1})
        share = np.concatenate(self.index.mappability(12, values="umap_multi"))
        np.testing.assert_array_equal(np.isnan(share), np.isnan(unique))

    def test_shortest_unique(self):
        for record, values in enumerate(self.index.shortest_unique()):
            text = self.texts[record]
            for start, least in enumerate(values):
                if least > 0:
                    self.assertEqual(self.naive_frequency(text, start, least), 1)
                    if least > 1:
                        self.assertGreater(self.naive_frequency(text, start, least - 1), 1)

    def test_spectrum(self):
        spectrum = self.index.kmer_spectrum()
        for k in [1, 5, 20]:
            kmers = collections.Counter()
            for text in self.texts:
                for i in range(len(text) - k + 1):
                    kmer = text[i:i + k]
                    if "N" not in kmer:
                        kmers[min(kmer, reverse_complement(kmer))] += 1
            row = [int(spectrum[n][k - 1]) for n in ("k", "distinct", "unique", "total")]
            self.assertEqual(row, [k, len(kmers), sum(c == 1 for c in kmers.values()),
                                   sum(kmers.values())])

    def test_wrong_options(self):
        mappability = self.index.mappability
        self.assert_raises((gsx.UsageError,), "k is 0", mappability, 0)
        self.assert_raises((gsx.UsageError,), "mismatches is 5", mappability, 20, mismatches=5)
        self.assert_raises((gsx.UsageError,), "", mappability, 2, mismatches=2)
        self.assert_raises((gsx.UsageError,), "values is 'x'", mappability, 2, values="x")
        self.assert_raises((gsx.ResourceError,), "memory", mappability, 2, memory_limit=1000)


if __name__ == "__main__":
    unittest.main()
