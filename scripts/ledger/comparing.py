"""Shows how two recordings differ: changes that are alike, in any number of cases, once."""

import difflib
import re

from ledger.blanking import command_of

EXAMPLES = 4  # lines of cases that a group shows
LINES = 12  # of a change that an example shows
# What makes changes alike that differ only in what the case is about, in this order.
ALIKE = [(re.compile(pattern), by) for pattern, by in (
    (r"\| gsx .*? \| device", "| gsx ... | device"),
    (r"'[^']*'", "'...'"),
    (r"\bgsx [a-z0-9]+\b", "gsx COMMAND"),
    (r"\b[\w./-]+\.(gsx|fa|fq|fna|tsv|txt|csv|bed|json|gz|bgz|sam|bam|bw|bg|lz77|html)\b", "FILE"),
    (r"\b[0-9a-f]{16}\b", "HASH"), (r"\b[ACGTNacgtn]{5,}\b", "BASES"), (r"\d+(\.\d+)?", "N"),
)]


def lines_of(content):
    """Output, messages or a file of a record as lines."""
    if isinstance(content, str):
        return content.splitlines()
    lines = [f"({key} {value})" for key, value in content.items() if key not in ("text", "head")]
    return lines + (content["text"].splitlines() if "text" in content else content.get("head", []))


def alike(line):
    for pattern, by in ALIKE:
        line = pattern.sub(by, line)
    if "\t" in line:
        line = re.sub(r"[^\t]+", "W", line)
    return line


def hunks(old, new):
    """The stretches in which two lists of lines differ, as pairs of lists."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [(old[a:b], new[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


def changes(old, new):
    """Where two records differ: pairs of what makes a change like others, and the lines to show."""
    found = []
    if old["exit"] != new["exit"]:
        found.append((("exit code", f"{old['exit']} -> {new['exit']}"),
                      [f"- {old['exit']}", f"+ {new['exit']}"]))
    parts = [("standard output", old["out"], new["out"]), ("messages", old["err"], new["err"])]
    for name in sorted(old["files"].keys() | new["files"].keys()):
        before, after = old["files"].get(name), new["files"].get(name)
        if before is None or after is None:
            how = "a file that was not there" if before is None else "a file that is not there"
            found.append(((how, name), [f"{'+' if before is None else '-'} {name}"]))
        else:
            parts.append((f"file {name}", before, after))
    for part, before, after in parts:
        if before == after:
            continue
        for gone, come in hunks(lines_of(before), lines_of(after)) or [(["(the end of a line)"], [])]:
            kind = (part, *(sign + alike(lines[0]) if lines else "" for sign,
                            lines in (("- ", gone), ("+ ", come))))
            found.append((kind, [f"- {line}" for line in gone] + [f"+ {line}" for line in come]))
    return found


class Group:
    """Changes that are alike."""

    def __init__(self, kind):
        self.kind = kind
        self.cases = []
        self.shown = None

    def add(self, case, lines):
        if self.shown is None:
            self.shown = lines
        if not self.cases or self.cases[-1] != case:
            self.cases.append(case)

    def text(self, every):
        commands = {}
        for case in self.cases:
            name = command_of(case) or "gsx"
            commands[name] = commands.get(name, 0) + 1
        count = len(self.cases)
        of = ", ".join(f"{name} {n}" for name, n in sorted(commands.items(), key=lambda c: (-c[1], c[0])))
        lines = [f"== {count} case{'s' if count > 1 else ''}: {' '.join(self.kind[:1])} ({of})",
                 f"  $ {self.cases[0]}"]
        lines += [f"    {line[:300]}" for line in self.shown[:LINES]]
        if len(self.shown) > LINES:
            lines.append(f"    ... {len(self.shown) - LINES} more lines")
        others = self.cases[1:] if every else self.cases[1:EXAMPLES]
        lines += [f"  $ {case}" for case in others]
        if len(self.cases) > 1 + len(others):
            lines.append(f"  ... and {len(self.cases) - 1 - len(others)} more")
        return "\n".join(lines)


def compare(old, new, every=False):
    """The differences of two recordings as a text; empty if there are none."""
    before, after = ({record["case"]: record for record in records} for records in (old, new))
    groups = {}
    for case, record in before.items():
        if case in after:
            for kind, lines in changes(record, after[case]):
                groups.setdefault(kind, Group(kind)).add(case, lines)
        else:
            groups.setdefault(("only in OLD",), Group(("only in OLD",))).add(case, [])
    for case in after:
        if case not in before:
            groups.setdefault(("only in NEW",), Group(("only in NEW",))).add(case, [])
    if not groups:
        return ""
    differ = len({case for group in groups.values() for case in group.cases})
    shown = sorted(groups.values(), key=lambda group: -len(group.cases))
    total = f"{differ} of {len(before.keys() | after.keys())} cases differ, in {len(groups)} ways"
    return "\n\n".join([*(group.text(every) for group in shown), total]) + "\n"


def text_of(record):
    """A record as a text to read."""
    lines = [f"$ {record['case']}"]
    lines += lines_of(record["out"]) + [f"2> {line}" for line in lines_of(record["err"])]
    for name, content in record["files"].items():
        lines += [f"file {name}"] + [f"  | {line}" for line in lines_of(content)]
    return "\n".join([*lines, f"exit code {record['exit']}"]) + "\n"
