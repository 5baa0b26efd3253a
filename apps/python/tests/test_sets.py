"""Sets of short sequences, and longest prefixes, against naive answers."""

import collections
import unittest

import numpy as np

import gsx

from .support import GsxTest, generator, random_dna


def distance(a, b):
    return sum(x != y for x, y in zip(a, b))


def explains(a, b):
    return a >= 2 * b - 1


class SequenceSetTest(GsxTest):
    def setUp(self):
        self.source = generator()
        self.given = [random_dna(self.source, 5, "ACGT" * 4 + "N") for _ in range(200)]
        self.counts = [self.source.randrange(1, 40) for _ in self.given]
        self.set = gsx.sequence_set(self.given, counts=self.counts)
        totals = collections.Counter()
        for sequence, count in zip(self.given, self.counts):
            totals[sequence] += count
        self.sequences = sorted(totals)
        self.totals = [totals[sequence] for sequence in self.sequences]

    def test_what_a_set_holds(self):
        self.assertEqual([s.decode() for s in self.set.sequences], self.sequences)
        self.assertEqual((self.set.counts.dtype, list(self.set.counts)), (np.uint64, self.totals))
        self.assertEqual(len(self.set), len(self.sequences))
        self.assertEqual(repr(self.set), f"<gsx.SequenceSet of {len(self.sequences)} sequences of 5 symbols>")
        letters = "".join(self.given).lower().encode()
        again = gsx.sequence_set(letters, range(0, 1001, 5), threads=2)
        np.testing.assert_array_equal(again.sequences, self.set.sequences)
        self.assertEqual(again.counts.sum(), 200)
        self.assertEqual(list(gsx.sequence_set([" acgu\n"]).sequences), [b"ACGT"])

    def pairs(self, first, second, most):
        return [(i, j, distance(a, b)) for i, a in enumerate(first) for j, b in enumerate(second)
                if distance(a, b) <= most]

    def test_neighbors(self):
        other = gsx.sequence_set([random_dna(self.source, 5) for _ in range(50)])
        others = [s.decode() for s in other.sequences]
        for most in [1, 2]:
            found = self.set.neighbors(distance=most)
            self.assertEqual([found[name].dtype for name in found], [np.int64, np.int64, np.uint8])
            self.assertEqual(list(zip(found["a"], found["b"], found["distance"])),
                             [pair for pair in self.pairs(self.sequences, self.sequences, most) if pair[0] < pair[1]])
            found = self.set.neighbors(other, distance=most, threads=1, device="cpu", memory_limit=1 << 30)
            self.assertEqual(list(zip(*found.values())), self.pairs(self.sequences, others, most))

    def near(self, number):
        return [i for i, s in enumerate(self.sequences) if distance(s, self.sequences[number]) == 1]

    def test_clusters(self):
        clusters, numbers = self.set.clusters()
        left, expected, of = set(range(len(self.sequences))), [], {}
        for centroid in sorted(left, key=lambda i: (-self.totals[i], i)):
            if centroid not in left:
                continue
            members, todo = {centroid}, [centroid]
            while todo:
                at = todo.pop()
                for i in self.near(at):
                    if i in left and i not in members and explains(self.totals[at], self.totals[i]):
                        members.add(i)
                        todo.append(i)
            left -= members
            of.update(dict.fromkeys(members, centroid))
            expected.append((-sum(self.totals[i] for i in members), centroid))
        self.assertEqual([(-int(count), at) for at, count in zip(clusters["centroid"], clusters["count"])],
                         sorted(expected))
        self.assertEqual([clusters["centroid"][n] for n in numbers], [of[i] for i in range(len(self.sequences))])

    def test_corrections_by_counts(self):
        found = self.set.corrections()

        def best(number):
            most = [i for i in self.near(number) if self.totals[i] > self.totals[number]
                    and explains(self.totals[i], self.totals[number])]
            highest = max((self.totals[i] for i in most), default=0)
            best = [i for i in most if self.totals[i] == highest]
            return (best[0] if len(best) == 1 else number), len(best) > 1
        for i, (corrected, far, ambiguous) in enumerate(zip(*found.values())):
            end, tied = best(i)
            self.assertEqual(ambiguous, tied)
            while best(end)[0] != end:
                end = best(end)[0]
            self.assertEqual((corrected, far), (end, distance(self.sequences[i], self.sequences[end])))

    def test_corrections_to_a_whitelist(self):
        whitelist = gsx.sequence_set(self.sequences[::7] + ["AAAAA", "CCCCC"], counts=None)
        entries = [s.decode() for s in whitelist.sequences]
        totals = dict(zip(self.sequences, self.totals))
        for confidence in [None, 0, 0.5, 1]:
            least = 0.975 if confidence is None else confidence
            found = self.set.corrections(whitelist, confidence=confidence)
            self.assertEqual([found[name].dtype for name in found], [np.int64, np.int8, np.bool_])
            for sequence, row in zip(self.sequences, zip(*found.values())):
                far = min(distance(sequence, entry) for entry in entries)
                nearest = [j for j, entry in enumerate(entries) if distance(sequence, entry) == far <= 1]
                expected = (-1, -1, len(nearest) > 1)
                shares = [totals.get(entries[j], 0) for j in nearest]
                if len(nearest) == 1:
                    expected = (nearest[0], far, False)
                elif shares and max(shares) > 0 and shares.count(max(shares)) == 1 \
                        and max(shares) / sum(shares) >= least:
                    expected = (nearest[shares.index(max(shares))], far, False)
                self.assertEqual(tuple(row), expected)

    def test_empty_sets(self):
        empty = gsx.sequence_set([])
        self.assertEqual((len(empty), len(empty.sequences), len(empty.counts)), (0, 0, 0))
        self.assertEqual(len(empty.neighbors(self.set)["a"]), 0)
        self.assertEqual(len(empty.neighbors()["a"]), 0)
        self.assertEqual(len(empty.clusters()[1]), 0)
        self.assertEqual(set(self.set.corrections(empty)["corrected"]), {-1})

    def test_wrong_sets(self):
        make = gsx.sequence_set
        for words, sequences in {"sequence 1 has 3 symbols": ["ACGT", "ACG"], "sequence 1 is wrong": ["ACGT", "AC-T"],
                                 "sequence 0 has 65": ["A" * 65], "sequences[1] is null": ["A", None],
                                 "sequence 0 has 0": [""]}.items():
            self.assert_raises((gsx.UsageError,), words, make, sequences)
        self.assert_raises((gsx.UsageError,), "counts[1] is 0", make, ["A", "C"], counts=[1, 0])
        self.assert_raises((gsx.UsageError,), "1 counts of 2 sequences", make, ["A", "C"], counts=[1])
        self.assert_raises((gsx.UsageError,), "0 counts of 1 sequences", make, ["A"], counts=[])
        self.assert_raises((gsx.UsageError,), "distance is 3", self.set.neighbors, distance=3)
        self.assert_raises((gsx.UsageError,), "the other one 4", self.set.neighbors, make(["ACGT"]))
        self.assert_raises((gsx.UsageError,), "confidence goes with", self.set.corrections, confidence=0.5)
        self.assert_raises((gsx.UsageError,), "confidence of 1.5", self.set.corrections, self.set, confidence=1.5)
        self.assert_raises((gsx.ArgumentTypeError,), "give SequenceSet", self.set.corrections, ["ACGTA"])
        self.assert_raises((gsx.ResourceError, MemoryError), "memory", self.set.clusters, memory_limit=1)


class LongestPrefixesTest(GsxTest):
    def test_longest_prefixes(self):
        source = generator()
        prefixes = sorted({random_dna(source, source.randrange(1, 6)) for _ in range(60)}, key=lambda p: p[::-1])
        queries = [random_dna(source, source.randrange(0, 9), "ACGT" * 4 + "N") for _ in range(300)] + ["", "N", None]
        found = gsx.longest_prefixes(prefixes, queries, threads=2)
        self.assertEqual(found.dtype, np.int64)
        for query, number in zip(queries, found):
            fits = [p for p in prefixes if query and query.startswith(p)]
            self.assertEqual(number, prefixes.index(max(fits, key=len)) if fits else -1)
        self.assertEqual(list(gsx.longest_prefixes(["ACG", "acguu"], b"ACGTTAacgNAC", [0, 6, 10, 12])), [1, 0, -1])
        self.assertEqual(list(gsx.longest_prefixes([], ["A"])), [-1])

    def test_wrong_prefixes(self):
        for words, prefixes in {"0 and 2": ["A", "C", "a"], "sequence 1": ["A", "N"], "prefixes[1]": ["A", None],
                                "sequence 0": [""]}.items():
            self.assert_raises((gsx.UsageError,), words, gsx.longest_prefixes, prefixes, ["A"])


if __name__ == "__main__":
    unittest.main()
