"""What the tests share: random texts, and naive answers."""

import os
import random
import unittest
from importlib import util

import gsx

COMPLEMENT = str.maketrans("ACGT", "TGCA")
SEED = int(os.environ.get("GSX_SEED", random.SystemRandom().randrange(1 << 30)))


def generator():
    print(f"GSX_SEED={SEED}", flush=True)
    return random.Random(SEED)


def random_dna(source, length, letters="ACGT"):
    return "".join(source.choice(letters) for _ in range(length))


def reverse_complement(text):
    return text.translate(COMPLEMENT)[::-1]


def naive_places(text, pattern, mismatches=0):
    """(start, mismatches) of the places of a pattern in a text of A, C, G, T and N."""
    found = []
    for start in range(len(text) - len(pattern) + 1):
        window = text[start:start + len(pattern)]
        differ = sum(a != b for a, b in zip(window, pattern))
        if pattern and "N" not in window and differ <= mismatches:
            found.append((start, differ))
    return found


def naive_counts(texts, pattern, mismatches=0):
    return tuple(sum(len(naive_places(text, p, mismatches)) for text in texts)
                 for p in (pattern, reverse_complement(pattern)))


def naive_suffix_array(data):
    return sorted(range(len(data)), key=lambda i: data[i:])


def needs(module):
    """Skips a test, or fails it with GSX_REQUIRE_PYPI=1, where a module is not installed."""
    there = util.find_spec(module) is not None
    if not there and os.environ.get("GSX_REQUIRE_PYPI"):
        raise ImportError(f"{module} is not installed, and GSX_REQUIRE_PYPI is set")
    return unittest.skipUnless(there, f"there is no {module}")


class GsxTest(unittest.TestCase):
    def assert_raises(self, kinds, words, function, *arguments, **options):
        """The call raises an error that is of all the kinds, and whose message has the words."""
        with self.assertRaises(kinds[0]) as caught:
            function(*arguments, **options)
        for kind in kinds[1:]:
            self.assertIsInstance(caught.exception, kind)
        self.assertIsInstance(caught.exception, gsx.Error)
        self.assertIn(words, str(caught.exception))
