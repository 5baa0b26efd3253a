"""The options of each command, as its page of help lists them; and which of them the cases use."""

import re
import shlex

OPTION = re.compile(r"^  (-[^ ].*?)(?:  .*)?$")
TUNING = re.compile(r"^Tuning: (.*);", re.MULTILINE)  # names of options that another page explains
FORMS = re.compile(r"^((?:-\w, )?--?[\w-]+)(?: (.*))?$")


class Option:
    """An option: its names, the name of its value (none for a flag), and the words it takes."""

    def __init__(self, names, value):
        self.names = names
        self.value = value
        several = value and value.endswith(",...")
        words = (value[:-4] if several else value or "").split("|")
        self.words = words if len(words) > 1 and all(re.fullmatch(r"[\w:-]+", w) for w in words) else []

    @property
    def name(self):
        return self.names[-1]


def commands_of(page):
    """The names of the commands, from the page of the program."""
    lists = page.split("\nCommands:\n", 1)[1].split("\n\n", 2)[:2]  # those that help lists first, and more
    return re.findall(r"^  ([a-z0-9]+) ", "\n".join(lists), re.MULTILINE)


def options_of(page, tuning):
    """The options of a command, from its page and that of the tuning options of all commands."""
    named = TUNING.search(page)
    named = named[1].split(", ") if named else []
    options = {}
    for text in (page.split("\n\nExamples:")[0], tuning):
        for line in text.splitlines():
            found = OPTION.match(line)
            form = found and FORMS.match(found.group(1))
            if form and (text is not tuning or form.group(1).split(", ")[-1] in named):
                options.setdefault(form.group(1), Option(form.group(1).split(", "), form.group(2)))
    return list(options.values())


def calls_of(line):
    """The arguments of each call of gsx in a line for bash."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&{}")
    lexer.whitespace_split = True
    lexer.commenters = ""
    calls, words = [], None
    try:
        for token in lexer:
            if token in ("gsx", "gsx-emulated"):
                words = []
                calls.append(words)
            elif token and set(token) <= set(";|&{}"):
                words = None
            elif words is not None:
                words.append(token)
    except ValueError:
        pass
    return [call for call in calls if call]


def used(line, options):
    """Pairs of a command and an option that a line names, and triples with a value that it gives."""
    found = set()
    for command, *words in calls_of(line):
        for at, word in enumerate(words):
            name, _, value = word.partition("=")
            for option in options.get(command, []):
                short = option.names[0] if len(option.names[0]) == 2 else None
                joined = short and word.startswith(short) and not word.startswith("--")
                if name not in option.names and not joined:
                    continue
                found.add((command, option.name))
                if not value and option.value and at + 1 < len(words):
                    value = words[at + 1]
                found |= {(command, option.name, part) for part in value.split(",")}
    return found


def uncovered(lines, options):
    """What no line uses: options of commands, and the words that they take."""
    found = set().union(*(used(line, options) for line in lines)) if lines else set()
    missing = []
    for command, list_ in options.items():
        for option in list_:
            if (command, option.name) not in found:
                missing.append(f"{command} {option.name}")
            missing += [f"{command} {option.name} {word}" for word in option.words
                        if (command, option.name, word) not in found]
    return missing
