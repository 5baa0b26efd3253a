"""Starts the programs of a benchmark so that none of them outlives it."""

import os
import signal
import subprocess
import sys
import time


def end_on_signals():
    """Makes SIGTERM and SIGHUP end this script as an error does: with its folders removed."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


def end_group(leader):
    """Ends a process and all that it has started; returns when none is left."""
    for number, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, 60)):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            leader.poll()  # so that a leader that has ended does not count
            try:
                os.killpg(leader.pid, number)
            except ProcessLookupError:
                return
            time.sleep(0.05)


def run_script(path, program):
    """Runs a benchmark's run.sh with `program` as gsx. Returns its exit code."""
    script = subprocess.Popen(["bash", str(path)], env={**os.environ, "GSX": program}, start_new_session=True)
    try:
        return script.wait()
    except BaseException:
        end_group(script)
        raise


def fault_of(program):
    """Why `program` is no gsx that can be measured; "" if it is one."""
    try:
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        return error.strerror
    return "" if shown.stdout.startswith("gsx ") else "it is not gsx"
