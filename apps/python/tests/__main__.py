"""Runs all tests: python -m tests. The last lines say what was skipped, and why."""

import sys
import unittest
from collections import Counter

result = unittest.main(module=None, argv=["tests", "discover", "-s", "tests", "-t", "."], exit=False).result
reasons = Counter((type(test).__name__, reason) for test, reason in result.skipped)
for (name, reason), count in sorted(reasons.items()):
    print(f"skipped: {count} of {name}: {reason}")
if not reasons:
    print("skipped: nothing")
sys.exit(not result.wasSuccessful())
