"""What the benchmark's scripts share: a plan of steps, a bash script that runs it, and the CSV.

A script makes a plan. The plan becomes run.sh, which needs only bash, coreutils, grep, awk and gzip, so
that it also runs on a machine without Python; --plan and --collect divide the work so. Each step leaves
its output, its exit code, its times and its date in the folder, and --collect makes CSV from them.
"""

import argparse
import csv
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from running import end_on_signals, fault_of, run_script
from texts import Texts

FIELDS = ["table", "text", "symbols", "work", "program", "version", "transfer", "threads", "run", "seconds",
          "rate", "unit", "demand", "demand_unit", "ceiling", "note", "commit", "cpu", "cores", "gpu", "date",
          "command"]

HEAD = r"""#!/usr/bin/env bash
# Made by scripts/bench/@TABLE@.py. Runs every step that has not succeeded yet.
set -o pipefail
started=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
folder=$PWD
[ -n "$GSX" ] || GSX=@GSX@
gsx() { "$GSX" "$@"; }
{
  echo "cpu=$(grep -m1 'model name' /proc/cpuinfo | sed 's/.*: *//')"
  echo "cores=$(nproc)"
  echo "gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)"
  for program in @PROGRAMS@; do
    echo "version_$program=$({ $program --version || $program; } 2>&1 | grep -om1 '[0-9]\+\(\.[0-9]\+\)\+')"
  done
} > facts
prepare() {  # file, command
  [ -e "$1" ] && [ ! -e "$1.unfinished" ] && return
  : > "$1.unfinished"  # so that a file that a kill left is made again
  if ! eval "$2" 2> "$1.log"; then
    rm -f "$1"; echo "error: $1 was not made: $(tail -n 3 "$1.log" | tr '\n' ' ')" >&2; exit 1
  fi
  rm "$1.unfinished"
}
try_peer() {  # number, name: before the steps, which may take hours
  @TRIAL@ > trial.raw
  fault=$(if peer_$1 trial.raw 2 > trial.out 2> trial.err; then
    awk '/=/ { next }
      !/^ *[0-9.]+([eE][-+]?[0-9]+)? *$/ { said = "prints \047" $0 "\047, which is neither seconds nor KEY=VALUE"; exit }
      $1 <= 0 { said = "prints a time that is not above 0"; exit }
      { times++ }
      END { print said ? said : times == 2 ? "" : "prints " times + 0 " times for 2 runs" }' trial.out
  else
    code=$?; said=$(tail -n 1 trial.err); echo "ends with $code${said:+: $said}"
  fi)
  [ -z "$fault" ] || { echo "error: $2, tried on a short text, $fault" >&2; exit 1; }
}
step() {  # number, command
  [ "$(cat "$1.code" 2> /dev/null)" = 0 ] && return
  echo "$1: $2" >&2
  date -u +%F > "$1.date"
  TIMEFORMAT='%R %U %S'
  { time eval "$2" > "$1.out" 2> "$1.err"; } 2> "$1.time"
  echo $? > "$1.code"
}
"""

BASES = """awk 'BEGIN { for (i = 0; i < 10000; i++) printf "%s", substr("ACGT", int(4 * rand()) + 1, 1) }'"""


class BadOutput(Exception):
    pass


def pair(text):
    name, _, value = text.partition("=")
    if not name or not value or not all(c.isalnum() or c in "-_." for c in name):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def make_parser(description, several_texts=True, peers=False, threads=True):
    """The options of a script; only those that it uses."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.set_defaults(only=None, protein=[], bytes=[], peer=[], threads=1)
    parser.add_argument("--gsx", required=True, help="the program")
    parser.add_argument("--commit", help="the commit of the program (default: that of this folder)")
    parser.add_argument("--dna", type=pair, action="append", default=[], metavar="NAME=FILE",
                        help="a FASTA file with a text, as chr21=FILE; may be given several times")
    if several_texts:
        parser.add_argument("--protein", type=pair, action="append", default=[], metavar="NAME=FILE")
        parser.add_argument("--bytes", type=pair, action="append", default=[], metavar="NAME=FILE",
                            help="any file as a text of bytes")
        parser.add_argument("--only", help="names of texts, separated by commas")
    if peers:
        parser.add_argument("--peer", type=pair, action="append", default=[], metavar="NAME=COMMAND",
                            help="an adapter to compare with; may be given several times")
    if threads:
        parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3, help="how often the programs take turns")
    parser.add_argument("--runs", type=int, default=3, help="runs per turn, after one that warms up")
    parser.add_argument("--shrink", type=int, default=1, help="divides the lengths of generated texts, and of pieces of real ones")
    parser.add_argument("--folder", help="keeps texts and outputs here (default: a temporary folder)")
    parser.add_argument("-o", "--output", help="the CSV (default: standard output)")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--plan", action="store_true", help="only write run.sh into --folder")
    mode.add_argument("--collect", action="store_true", help="only make CSV of what run.sh left there")
    return parser


class Plan:
    """The steps of one table, in the order in which they run."""

    def __init__(self, table, options):
        self.table, self.options = table, options
        self.texts = Texts(options)
        self.prepared, self.steps = {}, []
        self.trial = BASES  # a command that writes what the adapters of peers are tried on

    def wanted(self, names, lengths):
        """The real texts that there are, those that the command line adds, and the generated ones."""
        texts = []
        for name in names:
            text = self.texts.real(name)
            if text is None:
                print(f"{name} is left out: no file (see --dna)", file=sys.stderr)
            else:
                texts.append(text)
        texts += self.texts.others(names)
        texts += [self.texts.generated(kind, length) for kind, length in lengths]
        texts = list({text.name: text for text in texts}.values())  # short ones may have become equal
        if self.options.only:
            only = self.options.only.split(",")
            known = [name for text in texts for name in (text.name, text.kind)]
            for name in only:
                if name not in known:
                    raise BadOutput(f"--only: there is no text '{name}'; there are "
                                    f"{', '.join(text.name for text in texts)}")
            texts = [text for text in texts if text.name in only or text.kind in only]
        return texts

    def prepare(self, name, command):
        self.prepared.setdefault(name, command)

    def need_raw(self, text):
        for part in text.parts:
            self.need_raw(part)
        if "--text" in text.gsx:
            self.prepare(text.fasta, text.fasta_command)
        self.prepare(text.raw, text.raw_command)

    def need_fasta(self, text):
        if "--text" not in text.gsx:
            self.need_raw(text)
        self.prepare(text.fasta, text.fasta_command)

    def add(self, kind, text, command, **more):
        self.steps.append({"kind": kind, "text": text, "command": command,
                           "threads": self.options.threads, **more})

    def bench(self, text, device, work, repeat, arguments=""):
        """A run of gsx bench."""
        if "--input" in text.gsx:
            self.need_fasta(text)
        self.add("bench", text.name,
                 f"gsx bench -q --csv --device {device} -t {self.options.threads} {text.gsx} "
                 f"--work {work} --repeat {repeat} {arguments}".strip(),
                 transfer="pageable" if device == "cuda" else "none")

    def peers(self, text, work):
        """One turn of each peer."""
        for number, (name, _) in enumerate(self.options.peer):
            self.need_raw(text)
            self.add("peer", text.name, f"peer_{number} {text.raw} {self.options.runs}", program=name,
                     work=work, runs=self.options.runs)

    def peers_of_queries(self, text, file, command, queries, work):
        """One turn of each peer at a number of queries, of which a file tells that the command writes."""
        for number, (name, _) in enumerate(self.options.peer):
            self.prepare(file, f"{command} > {file}")
            self.add("peer", text.name, f"peer_{number} {file} {self.options.runs}", program=name, work=work,
                     runs=self.options.runs, file=file, queries=queries)

    def compare(self, text, device, work, measured, arguments=""):
        """gsx and the peers in turn."""
        for _ in range(self.options.rounds):
            self.bench(text, device, work, self.options.runs, arguments)
            self.peers(text, measured)

    def script(self):
        head = HEAD.replace("@TABLE@", self.table).replace("@TRIAL@", self.trial).replace("@GSX@", shlex.quote(self.options.gsx))
        programs = sorted({step["program"] for step in self.steps if step["kind"] == "timed"} | {"gsx"})
        lines = [head.replace("@PROGRAMS@", " ".join(programs))]
        for number, (_, command) in enumerate(self.options.peer):
            lines.append(f'peer_{number}() {{ (cd "$started" && {command} "$folder/$1" "$2"); }}')
        lines += [f"try_peer {number} {shlex.quote(name)}" for number, (name, _) in enumerate(self.options.peer)]
        lines += [f"prepare {name} {shlex.quote(command)}" for name, command in self.prepared.items()]
        lines += [f"step {n} {shlex.quote(step['command'])}" for n, step in enumerate(self.steps)]
        return "\n".join(lines) + "\n"


def read(path):
    return path.read_text() if path.exists() else ""


def peer_results(output, runs):
    """(seconds of each run, {key: value}) of an adapter's output."""
    seconds, notes = [], {}
    for line in output.splitlines():
        key, equals, value = line.strip().partition("=")
        if equals:
            notes[key] = value
            continue
        try:
            seconds.append(float(line))
        except ValueError as error:
            raise BadOutput(f"prints '{line}', which is neither seconds nor KEY=VALUE") from error
    if len(seconds) != runs:
        raise BadOutput(f"prints {len(seconds)} times for {runs} runs")
    if any(second <= 0 for second in seconds):
        raise BadOutput("prints a time that is not above 0")
    return seconds, notes


def logged_seconds(log, words):
    """The seconds behind these words at the start of a line; of several lines, in the last."""
    found = re.findall(f"^{re.escape(words)} ([0-9.]+) s", log, re.MULTILINE)
    if not found:
        raise BadOutput(f"logs no line '{words} N s'")
    return float(found[-1])


class Collector:
    """Makes rows of the outputs in a folder."""

    def __init__(self, folder):
        self.folder = folder
        try:
            self.plan = json.loads((folder / "plan.json").read_text())
            self.facts = dict(line.split("=", 1) for line in (folder / "facts").read_text().splitlines())
        except OSError as error:
            raise BadOutput(f"{folder} has no run to collect: {error}") from error
        self.runs = {}  # (text, work, program, transfer) -> runs so far
        self.rows = []

    def size_of(self, text):
        """The symbols of a text; 0 if they have not been counted."""
        for path in self.folder.glob(text + ".raw"):
            return path.stat().st_size
        return int(read(self.folder / (text + ".fa.count")) or 0)

    def add(self, step, date, **values):
        key = tuple(values.get(name) for name in ("work", "program", "transfer")) + (step["text"],)
        self.runs[key] = self.runs.get(key, 0) + 1
        row = {"table": self.plan["table"], "text": step["text"], "threads": step["threads"], "date": date,
               "run": self.runs[key], "commit": self.plan["commit"], "command": step["command"],
               "cpu": self.facts["cpu"], "cores": self.facts["cores"], "gpu": self.facts["gpu"]}
        row.update(values)
        self.rows.append({field: row.get(field, "") for field in FIELDS})

    def bench(self, step, output, date):
        version = self.facts["version_gsx"]
        for row in csv.DictReader(io.StringIO(output)):
            rate, median = float(row["rate"]), float(row["seconds"])
            demand = float(row["traffic"]) / rate if row["traffic"] and rate else ""
            work = row["work"]
            common = dict(work=work, program="gsx", version=version, unit=row["unit"],
                          demand=f"{demand:.4g}" if demand else "", demand_unit=row["traffic_unit"],
                          ceiling=row["ceiling"], symbols=self.size_of(step["text"]) or step_length(step),
                          transfer="none" if work.startswith("on the device") else step["transfer"])
            if not row["runs"]:
                self.add(step, date, rate=row["rate"], **common)
            for seconds in map(float, row["runs"].split()):
                self.add(step, date, seconds=f"{seconds:.6g}", rate=f"{rate * median / seconds:.6g}",
                         **common)

    def peer(self, step, output, date):
        seconds, notes = peer_results(output, step["runs"])
        symbols, queries = self.size_of(step["text"]), step.get("queries")
        name = step["program"]
        step = {**step, "command": f"{name} {step.get('file', step['text'] + '.raw')} {step['runs']}"}
        for second in seconds:
            self.add(step, date, symbols=symbols, work=step["work"], program=name, seconds=f"{second:.6g}",
                     rate=f"{(queries or symbols) / second:.6g}", unit="queries/s" if queries else "symbols/s",
                     version=notes.get("version", ""),
                     transfer=notes.get("transfer", "none"),
                     note=" ".join(f"{key}={value}" for key, value in sorted(notes.items())
                                   if key not in ("version", "transfer")))

    def timed(self, step, date, number):
        """A whole command: its amount is the lines or the bytes of a file, or the symbols of a text."""
        if step["warms"]:
            return
        wall, user, system = map(float, read(self.folder / f"{number}.time").split()[-3:])
        taken = wall if step["clock"] == "wall" else user + system
        if step["log"]:
            taken = logged_seconds(read(self.folder / f"{number}.err"), step["log"])
        taken = max(taken, 1e-3)  # bash gives milliseconds, and so does the log
        file = self.folder / step["amount"]  # which need not be there if its lines alone count
        counted = file.stat().st_size if step["unit"] == "B/s" or step["ceiling"] else 0
        amount = counted if step["unit"] == "B/s" else int(read(file.with_name(file.name + ".count")))
        self.add(step, date, work=step["work"], program=step["program"], seconds=f"{taken:.6g}",
                 rate=f"{amount / taken:.6g}", unit=step["unit"], transfer=step["transfer"],
                 version=self.facts["version_" + step["program"]],
                 demand=f"{counted / amount:.4g}" if step["ceiling"] else "",
                 demand_unit="B/s" if step["ceiling"] else "", ceiling=step["ceiling"],
                 symbols=self.size_of(step["of"]), note=f"clock={'log' if step['log'] else step['clock']} wall={wall:g} cpu={user + system:g} {step['note']}".rstrip())

    def collect(self):
        """Adds the rows of every step. Returns what is wrong with those that have none."""
        errors = []
        for number, step in enumerate(self.plan["steps"]):
            try:
                self.take(number, step)
            except BadOutput as error:
                errors.append(str(error))
        return errors

    def take(self, number, step):
        code = read(self.folder / f"{number}.code").strip()
        where = f"{step.get('program', 'gsx')} ({step['command']})"
        if code != "0":
            said = read(self.folder / f"{number}.err").strip().splitlines()
            raise BadOutput(f"{where} {'ends with ' + code if code else 'has not run'}"
                            f"{': ' + said[-1] if said else ''}")
        output, date = (read(self.folder / f"{number}.{kind}") for kind in ("out", "date"))
        try:
            if step["kind"] == "bench":
                self.bench(step, output, date.strip())
            elif step["kind"] == "peer":
                self.peer(step, output, date.strip())
            else:
                self.timed(step, date.strip(), number)
        except (BadOutput, ValueError, KeyError) as error:
            raise BadOutput(f"{where}: {error}") from error


def step_length(step):
    words = step["command"].split()
    return int(words[words.index("--length") + 1]) if "--length" in words else ""


def commit_of(options):
    if options.commit:
        return options.commit
    shown = subprocess.run(["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"],
                           capture_output=True, text=True, check=False)
    if shown.returncode:
        raise BadOutput("no commit is known here: give --commit")
    return shown.stdout.strip()


def write_csv(rows, output):
    with open(output, "w", newline="") if output else sys.stdout as out:
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def check_inputs(options):
    """Refuses a program and files that cannot be used, before anything is made of them."""
    if fault := fault_of(options.gsx):
        raise BadOutput(f"--gsx {options.gsx}: {fault}")
    for kind in ("dna", "protein", "bytes"):
        files = getattr(options, kind)
        for number, (name, path) in enumerate(files):
            try:
                open(path, "rb").close()
            except OSError as error:
                raise BadOutput(f"--{kind} {name}={path}: {error.strerror}") from error
            files[number] = name, str(Path(path).resolve())  # run.sh works in its own folder


def run_table(table, options, fill):
    """Plans with fill(plan), runs and collects, as the options say. Returns the exit code."""
    end_on_signals()
    folder = Path(options.folder or tempfile.mkdtemp(prefix="gsx-bench-"))
    try:
        if (options.plan or options.collect) and not options.folder:
            raise BadOutput("--plan and --collect need --folder")
        if not options.collect:
            folder.mkdir(parents=True, exist_ok=True)
            if not options.plan:
                options.gsx = str(Path(options.gsx).resolve())
                check_inputs(options)
            plan = Plan(table, options)
            fill(plan)
            (folder / "run.sh").write_text(plan.script())
            facts = {"table": table, "commit": commit_of(options), "steps": plan.steps}
            (folder / "plan.json").write_text(json.dumps(facts, indent=1))
        if not options.plan and not options.collect:
            if run_script(folder / "run.sh", options.gsx):  # which has said why
                return 1
        if not options.plan:
            collector = Collector(folder)
            errors = collector.collect()
            write_csv(collector.rows, options.output)
            for error in errors:
                print(f"error: {error}", file=sys.stderr)
            return 1 if errors else 0
    except BadOutput as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if not options.folder:
            shutil.rmtree(folder)
    return 0
