"""Runs the cases and writes a record of each: what it printed, and which files it left."""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from ledger import inputs
from ledger.blanking import Blanking

SECONDS = 20  # that a case may take
CLOSED = ("closed.fa", "closed.gsx", "closed.txt")  # files that may not be read
SHUT = "shut"  # a folder that may not be written to
# Root may read and write everything, so cases that name one of these run as another user then.
AS_OTHER = re.compile(r"\bclosed\.|\bshut/") if os.geteuid() == 0 else re.compile("$.")
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}


def make_closed(path):
    path.touch()
    path.chmod(0)


class Place:
    """A working folder with the inputs, in which one case runs at a time; each leaves it as it was."""

    def __init__(self, base, name, master, program_folder, blanking):
        self.folder = base / name
        self.master = master
        self.out, self.err = base / f"{name}.out", base / f"{name}.err"
        self.blanking = blanking
        home = base / f"{name}.home"
        home.mkdir()
        shutil.copytree(master, self.folder)
        (self.folder / "tmp").mkdir()
        (self.folder / SHUT).mkdir(mode=0o555)
        for name in CLOSED:
            make_closed(self.folder / name)
        for folder in (self.folder, self.folder / "tmp"):
            folder.chmod(0o777)
        self.environment = {"PATH": f"{program_folder}:/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C",
                            "HOME": str(home), "TMPDIR": str(self.folder / "tmp")}
        self.before = self.look()

    def look(self):
        """Each file and folder here, and what changes if it is written."""
        found, folders = {}, [""]
        while folders:
            folder = folders.pop()
            for entry in os.scandir(self.folder / folder):
                name = f"{folder}{entry.name}"
                status = entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(name + "/")
                    found[name + "/"] = (status.st_mode,)
                else:
                    found[name] = (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino)
        return found

    def run(self, line):
        """The record of a case."""
        with self.out.open("wb") as out, self.err.open("wb") as err:
            process = subprocess.Popen(["bash", "-c", line], cwd=self.folder, env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       start_new_session=True, **(NOBODY if AS_OTHER.search(line) else {}))
            late = threading.Event()

            def stop():
                late.set()
                os.killpg(process.pid, signal.SIGKILL)
            timer = threading.Timer(SECONDS, stop)
            timer.start()
            code = process.wait()
            timer.cancel()
            try:
                os.killpg(process.pid, signal.SIGKILL)  # what a case has started in the background
            except ProcessLookupError:
                pass
        record = {"case": line, "exit": "late" if late.is_set() else 128 - code if code < 0 else code}
        record["out"] = self.blanking.output(self.out.read_bytes(), line)
        record["err"] = self.blanking.messages(self.err.read_bytes(), line)
        record["files"] = self.files(line)
        return record

    def files(self, line):
        """What the case has made, changed or removed. Puts everything back."""
        after = self.look()
        found = {}
        for name in sorted(after.keys() | self.before.keys()):
            if after.get(name) == self.before.get(name):
                continue
            shown = re.sub(r"\.gsx-[0-9a-f-]+\.tmp", ".gsx-X.tmp", name)
            found[shown] = self.content(name, line) if name in after else "gone"
        if found:
            self.restore(after)
        return found

    def content(self, name, line):
        """What a record says of a file or folder that is new or changed."""
        path, old = self.folder / name, self.master / name
        if name.endswith("/"):
            return "folder"
        if path.is_symlink() or not path.is_file():
            return "no plain file"
        content = self.blanking.output(path.read_bytes(), line)
        if name not in self.before:
            return content
        if old.is_file() and old.read_bytes() == path.read_bytes():
            return "written again"
        return {"replaced": True, **(content if isinstance(content, dict) else {"text": content})}

    def restore(self, after):
        for name in sorted(after.keys() - self.before.keys(), reverse=True):
            path = self.folder / name
            if name.endswith("/"):
                shutil.rmtree(path, ignore_errors=True)
            elif path.is_symlink() or path.exists():
                path.unlink()
        for name in sorted(self.before):
            path = self.folder / name
            if name.endswith("/"):
                path.mkdir(exist_ok=True)
                path.chmod(self.before[name][0] & 0o7777)
            elif after.get(name) != self.before[name]:
                path.unlink(missing_ok=True)
                if name in CLOSED:
                    make_closed(path)
                else:
                    shutil.copy2(self.master / name, path)
        self.before = self.look()


class Recorder:
    """Makes the inputs with the program, and records cases."""

    def __init__(self, program, emulated=None, jobs=1):
        self.base = Path(tempfile.mkdtemp(prefix="gsx-ledger-"))
        self.base.chmod(0o755)
        self.jobs = jobs
        self.bin = self.base / "bin"
        self.bin.mkdir()
        for name, source in (("gsx", program), ("gsx-emulated", emulated)):
            if source:
                shutil.copyfile(source, self.bin / name)  # a build that goes on does not disturb
                (self.bin / name).chmod(0o755)
        version = subprocess.run([self.bin / "gsx", "--version"], capture_output=True, text=True, check=True)
        self.blanking = Blanking(version.stdout.split()[-1], self.base)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.base, ignore_errors=True)

    def page(self, *words):
        """What the program prints for these arguments."""
        return subprocess.run([self.bin / "gsx", *words], capture_output=True, text=True, check=False).stdout

    def prepare(self, lines=None):
        """Makes the inputs; returns the records of the lines that make some of them with the program."""
        self.master = self.base / "inputs"
        self.master.mkdir()
        inputs.write(self.master)
        records = []
        place = Place(self.base, "made", self.master, self.bin, self.blanking)
        place.restore = lambda _: None  # what a line makes stays for the next one
        for line in inputs.setup_lines() if lines is None else lines:
            records.append(place.run(line))
            place.before = place.look()
        for path in sorted(place.folder.iterdir()):
            if path.is_file() and not (self.master / path.name).exists():
                shutil.copyfile(path, self.master / path.name)
        inputs.finish(self.master)
        return records

    def record(self, lines):
        """The records of the lines, in their order."""
        free = [Place(self.base, f"work{i}", self.master, self.bin, self.blanking) for i in range(self.jobs)]
        done = 0

        def one(line):
            nonlocal done
            place = free.pop()
            record = place.run(line)
            free.append(place)
            done += 1
            if sys.stderr.isatty() and done % 50 == 0:
                print(f"\r{done} of {len(lines)} cases", end="", file=sys.stderr)
            return record
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            try:
                records = list(pool.map(one, lines))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        if sys.stderr.isatty():
            print("\r", end="", file=sys.stderr)
        return records


def write(records, path):
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
