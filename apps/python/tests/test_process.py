"""What calls do to the process: the lock of the interpreter, signals, progress, threads."""

import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import gsx

from .support import GsxTest, generator, random_dna

# Makes a call that takes long, again and again, and sends itself SIGINT while it is under way. Prints
# how much CPU time it took after that: other work on the machine makes the call no slower by this clock.
INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
import gsx
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
source = np.random.default_rng(1)
letters = np.frombuffer(b"ACGT", np.uint8)[source.integers(0, 4, {symbols})]
{setup}
sent = []
def interrupt():
    time.sleep(0.4)
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    while not sent or time.process_time() - sent[0] < 60:
        {call}
    print("ignored", flush=True)
except KeyboardInterrupt:
    print("after", time.process_time() - sent[0], flush=True)
"""
CALLS = {
    "suffix_array": (60_000_000, "", "gsx.suffix_array(letters, threads=1, device='cpu')"),
    "build": (40_000_000, "text = letters.tobytes()",
              "gsx.build([('r', text)], threads=1, device='cpu')"),
    "count": (2_000_000, "index = gsx.build([('r', letters.tobytes())], threads=1)\n"
              "patterns = np.frombuffer(b'ACGT', np.uint8)[source.integers(0, 4, (6_000_000, 20))]",
              "index.count(patterns)"),
    "count with mismatches": (
        4_000_000, "index = gsx.build([('r', letters.tobytes())], threads=1)\n"
        "patterns = letters[:400_000].reshape(-1, 20)", "index.count(patterns, mismatches=4)"),
    "locate": (2_000_000, "index = gsx.build([('r', letters.tobytes())], threads=1)",
               "index.locate(['ACGT'] * 300_000)"),
    "offtarget": (2_000_000, "index = gsx.build([('r', letters.tobytes())], threads=1)\n"
                  "guides = letters[:1_000_000].reshape(-1, 20)",
                  "index.offtarget(guides, mismatches=6)"),
    "mem": (2_000_000, "index = gsx.build([('r', letters.tobytes())], threads=1)",
            "index.mem(letters.tobytes()[::-1] * 20, min_length=8)"),
    "amplicon": (2_000_000, "index = gsx.build([('r', letters.tobytes())], threads=1)\n"
                 "primers = [bytes(row) for row in letters[:720_000].reshape(-1, 18)]",
                 "index.amplicon(primers, primers[::-1], mismatches=2)"),
    "repeats": (2_000_000, "index = gsx.build([('r', letters.tobytes())], threads=1)", "index.repeats(8)"),
    "neighbors": (8_000_000, "tags = gsx.sequence_set(letters.reshape(-1, 16))",
                  "tags.neighbors(distance=2, threads=1)"),
    "mappability": (8_000_000, "index = gsx.build([('r', letters.tobytes())], threads=1)",
                    "index.mappability(20)"),
}
# After Ctrl-C. Work looks for it some times per second; the rest is for memory that is given back.
MOST_CPU_SECONDS = 2


class InterruptTest(GsxTest):
    def test_ctrl_c_ends_long_calls(self):
        for name, (symbols, setup, call) in CALLS.items():
            with self.subTest(name):
                done = subprocess.run(
                    [sys.executable, "-c", INTERRUPTED.format(symbols=symbols, setup=setup, call=call)],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
                words = done.stdout.split()
                self.assertEqual(words[:1], ["after"], done.stdout)
                self.assertLess(float(words[1]), MOST_CPU_SECONDS)

    def test_what_a_signal_handler_raises_comes_out(self):
        class Enough(Exception):
            pass

        def stop(*_):
            raise Enough
        before = signal.signal(signal.SIGALRM, stop)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(Enough):
                while True:
                    gsx.suffix_array(b"ACGTTGCA" * 500_000, threads=1)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


class ProgressTest(GsxTest):
    def setUp(self):
        self.text = random_dna(generator(), 200_000)
        self.index = gsx.build({"r": self.text})

    def test_reports(self):
        calls = [lambda progress: gsx.build({"r": self.text}, progress=progress),
                 lambda progress: gsx.suffix_array(self.text.encode(), progress=progress),
                 lambda progress: gsx.bwt(self.text.encode(), progress=progress),
                 lambda progress: self.index.count([self.text[:20]] * 1000, progress=progress),
                 lambda progress: self.index.count([self.text[:20]], mismatches=2, progress=progress),
                 lambda progress: self.index.locate([self.text[:20]] * 10, progress=progress),
                 lambda progress: self.index.mem([self.text[:100]], progress=progress),
                 lambda progress: self.index.offtarget([self.text[:20]], progress=progress),
                 lambda progress: self.index.mappability(20, progress=progress),
                 lambda progress: self.index.amplicon(self.text[:20], self.text[-20:], progress=progress),
                 lambda progress: self.index.matches_any([self.text[:100]], progress=progress),
                 lambda progress: self.index.repeats(20, progress=progress),
                 lambda progress: self.index.repeat_pairs(20, progress=progress),
                 lambda progress: self.index.lz77(progress=progress),
                 lambda progress: gsx.lcp_array(self.text.encode(), progress=progress),
                 lambda progress: gsx.sequence_set([self.text[:9], self.text[1:10]]).neighbors(progress=progress),
                 lambda progress: gsx.longest_prefixes([self.text[:9]], [self.text], progress=progress)]
        for i, call in enumerate(calls):
            reports = []

            def show(stage, fraction):
                self.assertIs(threading.current_thread(), threading.main_thread())
                reports.append((stage, fraction))
            with self.subTest(i):
                call(show)
                self.assertGreater(len(reports), 0)
                self.assertTrue(all(isinstance(s, str) and f <= 1 for s, f in reports))

    def test_what_progress_raises_ends_the_call(self):
        class Enough(Exception):
            pass

        def stop(stage, fraction):
            raise Enough
        with self.assertRaises(Enough):
            gsx.suffix_array(b"ACGTTGCA" * 100_000, progress=stop)
        with self.assertRaises(Enough):
            gsx.build({"r": self.text}, progress=stop)
        self.assertEqual(self.index.count("A")[0][0], self.text.count("A"))


class ThreadsTest(GsxTest):
    def test_the_lock_is_released(self):
        """Another thread of Python goes on while suffixes are sorted."""
        steps, done = 0, threading.Event()

        def sort():
            gsx.suffix_array(b"ACGTTGCAA" * 1_000_000, threads=1)
            done.set()
        thread = threading.Thread(target=sort)
        thread.start()
        while not done.is_set():
            time.sleep(0.001)
            steps += 1
        thread.join()
        self.assertGreater(steps, 20)

    def test_many_threads_share_an_index(self):
        text = random_dna(generator(), 50_000)
        index = gsx.build({"r": text})
        patterns = [text[i:i + 12] for i in range(0, 40_000, 7)]
        expected, wrong = index.count(patterns), []

        def search():
            for mismatches in [0, 0, 1]:
                found = index.count(patterns[:len(patterns) >> 4 * mismatches], mismatches=mismatches)
                if mismatches == 0 and not all(map(np.array_equal, found, expected)):
                    wrong.append(found)
        threads = [threading.Thread(target=search) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_list_that_changes_meanwhile(self):
        index = gsx.build({"r": random_dna(generator(), 50_000)})
        patterns = ["ACGTACGTAC" * 3 + str(i) for i in range(20_000)]
        thread = threading.Thread(target=patterns.clear)
        thread.start()
        forward, _ = index.count(patterns)
        thread.join()
        self.assertEqual(forward.sum(), 0)


if __name__ == "__main__":
    unittest.main()
