#!/usr/bin/env python3
"""Reads the part of YAML that files of this repository use.

  scripts/small_yaml.py FILE...       exit code 1 for a file that is not of this part
  scripts/small_yaml.py --self-test

Mappings and lists in blocks, lists and mappings in brackets on one line, plain and quoted scalars, comments, and texts
after `|`, `>` and `>-`. Every scalar is a string. What is not of this part is a ValueError.
"""

import re
import sys
from pathlib import Path

QUOTED = r"""(?:"[^"\\]*"|'[^']*')"""
KEY = re.compile(rf"({QUOTED}|[A-Za-z_][\w.-]*):(?: +(.*))?$")
# A value in brackets that is none itself.
IN_BRACKETS = re.compile(rf"\s*({QUOTED}|[^\s,:\[\]{{}}\"'#&*!|>%@`-](?:[^,:\[\]{{}}\"'#]*[^\s,:\[\]{{}}\"'#])?)\s*")


def unquoted(text):
    return text[1:-1] if text[:1] in ("'", '"') else text


def in_brackets(text, at):
    """The list, mapping or scalar that begins at this place, and the place behind it."""
    while text[at:at + 1] == " ":
        at += 1
    opening = text[at:at + 1]
    if opening not in ("[", "{"):
        match = IN_BRACKETS.match(text, at)
        if not match:
            raise ValueError(f"not of the part of YAML that is read: {text}")
        return unquoted(match[1]), match.end()
    found = [] if opening == "[" else {}
    at += 1
    while True:
        while text[at:at + 1] == " ":
            at += 1
        if text[at:at + 1] == ("]" if opening == "[" else "}"):
            return found, at + 1
        if found:
            if text[at:at + 1] != ",":
                raise ValueError(f"a comma is missing: {text}")
            at += 1
        value, at = in_brackets(text, at)
        if opening == "[":
            found.append(value)
            continue
        if not isinstance(value, str) or text[at:at + 2] != ": " or value in found:
            raise ValueError(f"a key of its own is missing: {text}")
        found[value], at = in_brackets(text, at + 2)


def scalar(text):
    text = text.strip()
    if text[:1] in ("[", "{"):
        found, end = in_brackets(text, 0)
        if text[end:].strip() and not re.match(r"\s+#", text[end:]):
            raise ValueError(f"more behind a bracket: {text}")
        return found
    if text[:1] in ("'", '"'):
        match = re.fullmatch(rf"({QUOTED})(?:\s+#.*)?", text)
        if not match:
            raise ValueError(f"a quote is not closed, or holds a backslash: {text}")
        return unquoted(match[1])
    if text[:1] in tuple("]},&*!%@`|>?") or text in ("-", "---", "...") or text.startswith("--- "):
        raise ValueError(f"not of the part of YAML that is read: {text}")
    text = re.sub(r"\s+#.*$", "", text)
    if ": " in text or text.endswith(":"):
        raise ValueError(f"a plain scalar with a colon: {text}")
    return text


def indent_of(line):
    return len(line) - len(line.lstrip(" "))


class Reader:
    def __init__(self, text):
        self.all = text.splitlines()
        self.at = 0

    def skip(self):
        """Goes to the next line that is not empty; whether there is one."""
        while self.at < len(self.all) and not re.sub(r"^\s*#.*", "", self.all[self.at]).strip():
            self.at += 1
        if self.at < len(self.all) and self.all[self.at][indent_of(self.all[self.at])] == "\t":
            raise ValueError(f"line {self.at + 1} is indented by a tab")
        return self.at < len(self.all)

    def block(self, indent):
        """The mapping, list or scalar whose lines begin at this indentation."""
        line = self.all[self.at]
        if line.lstrip().startswith("- "):
            return self.items(indent)
        if KEY.match(line.strip()):
            return self.mapping(indent)
        self.at += 1
        return scalar(line)

    def items(self, indent):
        found = []
        while self.skip() and indent_of(self.all[self.at]) == indent:
            if not self.all[self.at].lstrip().startswith("- "):
                break
            # What begins behind the dash is a block of its own.
            self.all[self.at] = self.all[self.at].replace("-", " ", 1)
            found.append(self.block(indent_of(self.all[self.at])))
        return found

    def mapping(self, indent):
        found = {}
        while self.skip() and indent_of(self.all[self.at]) == indent:
            line = self.all[self.at]
            match = KEY.match(line.strip())
            if not match:
                raise ValueError(f"line {self.at + 1} is no key: {line}")
            key, rest = unquoted(match[1]), re.sub(r"^#.*", "", match[2] or "")
            if key in found:
                raise ValueError(f"line {self.at + 1} repeats the key {key}")
            self.at += 1
            if rest in ("|", ">", ">-", "|-"):
                found[key] = self.text(indent, rest)
            elif rest:
                found[key] = scalar(rest)
            elif self.skip() and (indent_of(self.all[self.at]) > indent or
                                  indent_of(self.all[self.at]) == indent and
                                  self.all[self.at].lstrip().startswith("- ")):
                found[key] = self.block(indent_of(self.all[self.at]))
            else:
                found[key] = ""
        if self.skip() and indent_of(self.all[self.at]) > indent:
            raise ValueError(f"line {self.at + 1} is indented too far: {self.all[self.at]}")
        return found

    def text(self, indent, kind):
        lines = []
        while self.at < len(self.all) and (not self.all[self.at].strip() or indent_of(self.all[self.at]) > indent):
            lines.append(self.all[self.at].strip())
            self.at += 1
        text = ("\n" if kind[0] == "|" else " ").join(lines).strip()
        return text if kind.endswith("-") else text + "\n"


def parse(text):
    """The document as dictionaries, lists and strings."""
    reader = Reader(text)
    if not reader.skip():
        return {}
    found = reader.block(indent_of(reader.all[reader.at]))
    if reader.skip():
        raise ValueError(f"line {reader.at + 1} is not understood: {reader.all[reader.at]}")
    return found


def self_test():
    right = [
        ("", {}), ("# a\n\na: 1  # b\n", {"a": "1"}), ("a:\n- b\n- c: 1\n  d: 2\ne: f\n", {"a": ["b", {"c": "1", "d": "2"}], "e": "f"}),
        ("a:\n  - - b:\n        c: d\n    - e\n  - f\n", {"a": [[{"b": {"c": "d"}}, "e"], "f"]}),
        ('"*.gz":\n  x.y: "a: #b"  # c\n\'d\': \'e"\'\n', {"*.gz": {"x.y": "a: #b"}, "d": 'e"'}),
        ("a: [b/c.gz, 'd, e' , [f]]  # g\nh: {i: 8, j: [], k: {}}\n",
         {"a": ["b/c.gz", "d, e", ["f"]], "h": {"i": "8", "j": [], "k": {}}}),
        ("a: b [ c:'d' ], e - f#g\n", {"a": "b [ c:'d' ], e - f#g"}),
        ("a: |\n  b\n  c\nd: >-\n  e\n  f\ng:\nh: \"\"\n", {"a": "b\nc\n", "d": "e f", "g": "", "h": ""}),
        ("- a\n- b\n", ["a", "b"]), ("a\n", "a"),
    ]
    wrong = ["a: b: c\n", "a: 'b\n", 'a: "b\\n"\n', "a: [b\n", "a: [b c: d]\n", "a: {b}\n", "a: {b: 1, b: 2}\n", "a: [b] c\n",
             "a: &b c\n", "a: *b\n", "a: !b c\n", "a: 1\na: 2\n", "a: 1\n  b: 2\n", "a:\n  b\n  c\n", "a:\n\tb: c\n", "---\na: 1\n",
             "- a\nb: c\n", "a: 1\n- b\n", "a: [b,, c]\n", "a: ? b\n", "-\n", "a: b:\n"]
    faults = 0
    for text, expected in right:
        found = parse(text)
        if found != expected:
            print(f"{text!r}: {found}, not {expected}")
            faults += 1
    for text in wrong:
        try:
            print(f"{text!r}: {parse(text)}, not an error")
            faults += 1
        except ValueError:
            pass
    print("self-test failed" if faults else f"self-test: {len(right) + len(wrong)} documents judged right")
    return 1 if faults else 0


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        if arguments == ["--self-test"]:
            return self_test()
        print(__doc__, file=sys.stderr)
        return 2
    wrong = 0
    for name in arguments:
        try:
            parse(Path(name).read_text())
        except (OSError, ValueError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
