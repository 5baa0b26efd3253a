"""All cases, in their order."""

import re

from ledger import pages, products, requests, searches, texts

# Commands that have work for a GPU.
ON_GPU = ("index sa bwt count locate mem ms filter offtarget amplicon neighbors prefix mappability "
          "repeats lz77 verify").split()
DEVICES = ["--device cuda", "--device cuda:0", "--device auto", "--device cuda:all"]


def tables():
    return {**searches.TABLES, **texts.TABLES, "": requests.common}


def options(page):
    """The options of each command, given what shows a page."""
    commands = pages.commands_of(page("--help"))
    tuning = page("help", "tuning")
    return {command: pages.options_of(page(command, "--help"), tuning) for command in commands}


def on_emulated(lines):
    """Every third line, with a GPU in place of the CPU."""
    found = []
    for at, line in enumerate(lines[::3]):
        line = re.sub(r"(^| )gsx ", r"\1gsx-emulated ", line.replace(" --device cpu", ""))
        found.append(f"{line} {DEVICES[at % len(DEVICES)]}")
    return found


def lines(page, emulated=None):
    """The lines for bash."""
    known = options(page)
    found = texts.pages(known)
    for command, table in tables().items():
        of_command = table()
        found += of_command
        if emulated and command in ON_GPU:
            found += on_emulated([line for line in of_command if ";" not in line and "&&" not in line])
    return list(dict.fromkeys(found + requests.requests(known)))


def missing(page):
    """What no case of a table uses, wrong requests apart."""
    known = options(page)
    return pages.uncovered([line for table in tables().values() for line in table()] + texts.pages(known)
                           + products.table(requests.LIMITS), known)
