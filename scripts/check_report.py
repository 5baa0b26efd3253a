#!/usr/bin/env python3
"""Checks the pages that gsx report writes: their form, and what a browser makes of them.

    scripts/check_report.py GSX                  the form of pages of many kinds of input
    scripts/check_report.py GSX --browser        the same pages in headless Chromium; exit code 77 if there is none
    scripts/check_report.py GSX --picture FILE   draws the picture of the README again, as PNG

The form: a page is well-formed XML and closes what it opens as HTML; ids are unique, and links and labels name some;
tables have captions and scopes; drawings have a title and a description, or are hidden from readers; colours have a
contrast of at least 4.5; nothing is loaded, and no name becomes markup; a million records make less than 1 MB, and so do
hundreds of runs whose summaries have long names.

In Chromium, light and dark, on a wide screen and on one of 400 pixels: the page asks for nothing but itself, logs no
error, is as wide as the screen, shows something, and the tab key reaches the skip link first and then each link.
"""
import argparse
import html.parser
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
import zlib

from headless_browser import Browser, BrowserError, browser_path

LEAST_CONTRAST = 4.5
MOST_BYTES = 1 << 20
NO_BROWSER = 77
HOSTILE = '<script>alert(1)</script>&"\'<img/src=x>\\x41'
XHTML = "{http://www.w3.org/1999/xhtml}"
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Wrong(Exception):
    pass


def require(holds, *about):
    if not holds:
        raise Wrong(" ".join(str(part) for part in about))


def run(gsx, *arguments, cwd, stdin=None):
    done = subprocess.run([gsx, *arguments], cwd=cwd, input=stdin, capture_output=True, check=False)
    require(done.returncode == 0, "gsx", *arguments, "ends with", done.returncode, done.stderr.decode(errors="replace"))
    return done.stdout


# The pages.

def fasta(records):
    return "".join(f">{name}\n{symbols}\n" for name, symbols in records)


def drawn(size, letters="ACGT"):
    return "".join(random.choices(letters, k=size))


def summary(queries, matched, forward, reverse, options=None):
    return json.dumps({"version": "0.1.0", "command": "count", "queries": queries, "queries_with_hits": matched,
                       "queries_that_cannot_match": 0, "queries_truncated": 0, "hits": forward + reverse,
                       "hits_fwd": forward, "hits_rev": reverse, "hits_reported": 0, "records": 1,
                       "index": {"file": HOSTILE, "checksum": f"{queries:016x}"}, "query_files": [HOSTILE],
                       "options": options or {"strand": "both"}})


def make_pages(gsx, folder):
    """Pages of many kinds of input: {name: path}."""
    fragments = [(f"r{i}{HOSTILE}", drawn(int(random.lognormvariate(6, 1)) + 50) + "N" * random.choice((0, 0, 9, 300)))
                 for i in range(200)]
    inputs = {
        "fragments": (fasta(fragments), []),
        "one": (fasta([("one", drawn(5000))]), []),
        "one_base": (">a\nA\n", []),
        "empty_records": (">a\n>b\nACGT\n>c\n", []),
        "nearly_n": (fasta([("a", "N" * 500), ("b", "NNN"), ("c", "A")]), ["--alphabet", "dna"]),
        "equal": (fasta([(f"e{i}", drawn(100)) for i in range(30)]), []),
        "protein": (fasta([(f"p{i}", drawn(random.randrange(30, 400), "ACDEFGHIKLMNPQRSTVWY")) for i in range(50)]),
                    ["--alphabet", "protein"]),
        "bytes": (fasta([("b", drawn(3000, "<&\"'ab01"))]), ["--alphabet", "bytes"]),
        "masked": (fasta([("m", drawn(500) + drawn(300, "acgt") + "RYK-" + drawn(200))]), ["--soft-mask", "split"]),
    }
    pages = {}
    for name, (text, options) in inputs.items():
        (folder / f"{name}.fa").write_text(text)
        run(gsx, "index", "-q", f"{name}.fa", *options, cwd=folder)
        pages[name] = folder / f"{name}.html"
        run(gsx, "report", "-q", f"{name}.gsx", "--genome-size", "1M", "-o", pages[name], cwd=folder)
    run(gsx, "mappability", "-q", "--spectrum", "fragments.gsx", "-o", "spectrum.tsv", cwd=folder)
    samples = []
    for i in range(12):
        samples.append(f"sample {i}{HOSTILE.replace('/', '|')}.json")
        (folder / samples[-1]).write_text(summary(1000 + i, 80 * i, 30 * i, 50 * i, {"strand": HOSTILE}))
    run(gsx, "filter", "-q", "-x", "one.gsx", "one.fa", "--keep", "-o", "kept.fa", "--summary", "kept.json", cwd=folder)
    pages["runs"] = folder / "runs.html"
    run(gsx, "report", "-q", "--summary", *samples, "kept.json", "-o", pages["runs"], cwd=folder)
    pages["all"] = folder / "all.html"
    run(gsx, "report", "-q", "fragments.gsx", *samples, "kept.json", "--spectrum", "spectrum.tsv", "-o", pages["all"],
        cwd=folder)
    barcodes = [("pairs", []), ("clusters", ["--clusters"]), ("corrections", ["--correct", "--whitelist", "list.txt"])]
    (folder / "list.txt").write_text("ACGTAC\nACGTAA\n")
    for name, options in barcodes:
        run(gsx, "neighbors", "-q", "equal.fa", "--at", "1-6", *options, "-o", "table.tsv", "--summary", f"{name}.json",
            cwd=folder)
    run(gsx, "prefix", "-q", "--entry", "ACG", "equal.fa", "-o", "table.tsv", "--summary", "begins.prefix.json", cwd=folder)
    pages["barcodes"] = folder / "barcodes.html"
    run(gsx, "report", "-q", "--summary", *(f"{name}.json" for name, _ in barcodes), "begins.prefix.json", "-o",
        pages["barcodes"], cwd=folder)
    pages["k_mers"] = folder / "k_mers.html"
    run(gsx, "report", "-q", "--spectrum", "spectrum.tsv", "-o", pages["k_mers"], cwd=folder)
    return pages


def check_size(gsx, folder, records):
    (folder / "many.fa").write_text("".join(f">contig_{i}\n{'ACGTTGCAGG'[:5 + i % 6]}\n" for i in range(records)))
    run(gsx, "index", "-q", "many.fa", cwd=folder)
    page = run(gsx, "report", "-q", "many.gsx", "--top", "1000", cwd=folder)
    require(len(page) < MOST_BYTES, "the page of", records, "records has", len(page), "bytes")
    check_form(page.decode())


def check_size_of_runs(gsx, folder, runs):
    """Summaries that hold what is as long as a summary may be."""
    names = []
    for i in range(runs):
        changed = json.loads(summary(1000, i % 1000, 5, 6))
        if i % 20 == 0:
            changed["version"] = f"{i}" + HOSTILE * 10000
            changed["options"] = {f"{i}\u05d0" + HOSTILE * 10000: "\u202e" * 10000}
        names.append(f"{i}{HOSTILE.replace('/', '|') * 4}.json")
        (folder / names[-1]).write_text(json.dumps(changed))
    page = run(gsx, "report", "-q", "--summary", *names, cwd=folder)
    require(len(page) < MOST_BYTES, "the page of", runs, "runs has", len(page), "bytes")
    check_form(page.decode())
    changed = {**json.loads(summary(1, 1, 1, 0)), "command": "count" * 180000}
    (folder / names[0]).write_text(json.dumps(changed))
    done = subprocess.run([gsx, "report", names[0]], cwd=folder, capture_output=True, check=False)
    require(done.returncode == 3 and b"command is none" in done.stderr and len(done.stderr) < 1000,
            "a long command ends with", done.returncode, "and", len(done.stderr), "bytes of messages")


# Their form.

class Tags(html.parser.HTMLParser):
    """Whether what is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        require(tag not in ("script", "img", "iframe", "object", "link"), "a page holds", tag)
        for name, _ in attrs:
            require(not name.startswith("on"), "an element of a page has", name)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        require(self.open and self.open[-1] == tag, "</", tag, "> closes", self.open[-1:])
        self.open.pop()


def named(element, name):
    """The elements below that have this name, of HTML or SVG."""
    return [below for below in element.iter() if below.tag.rsplit("}", 1)[-1] == name]


def check_form(page):
    tags = Tags()
    tags.feed(page)
    tags.close()
    require(not tags.open, "left open:", tags.open)
    root = xml.fromstring(page.replace("<!DOCTYPE html>", "", 1))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    require(len(ids) == len(set(ids)), "ids occur twice:", sorted(set(i for i in ids if ids.count(i) > 1)))
    for element in root.iter():
        for label in (element.get("aria-labelledby") or "").split():
            require(label in ids, "a label names", label)
        link = element.get("href")
        require(link is None or (link[0] == "#" and link[1:] in ids), "a link leads to", link)
        require(element.get("src") is None, "something is loaded:", element.get("src"))
    for table in named(root, "table"):
        require(named(table, "caption"), "a table has no caption")
        require(all(cell.get("scope") in ("row", "col") for cell in named(table, "th")), "a heading has no scope")
        width = {len(row) for row in named(table, "tr")}
        require(len(width) == 1, "the rows of a table have", sorted(width), "cells")
    for drawing in named(root, "svg"):
        is_hidden = drawing.get("aria-hidden") == "true"
        require(is_hidden or (named(drawing, "title") and named(drawing, "desc")), "a drawing has no description")
    style = named(root, "style")[0].text
    require("url(" not in style and "@import" not in style and "http" not in style, "the style loads something")
    for drawn_path in named(root, "path"):
        require(re.fullmatch(r"[-0-9.MLHVhvz ]*", drawn_path.get("d")), "a path is drawn by", drawn_path.get("d"))
    check_colours(style)


def luminance(colour):
    parts = [int(colour[i:i + len(colour) // 3] * (6 // len(colour)), 16) / 255
             for i in range(0, len(colour), len(colour) // 3)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def check_colours(style):
    """Each set of colours: text, quiet text and marks on both grounds."""
    sets = re.findall(r"--ground:#([0-9a-f]+);--card:#([0-9a-f]+);--text:#([0-9a-f]+);\s*--quiet:#([0-9a-f]+);"
                      r"\s*--line:#[0-9a-f]+;\s*--a:#([0-9a-f]+);\s*--b:#([0-9a-f]+)", style)
    require(len(sets) == 3, "the style has", len(sets), "sets of colours, not those of light, dark and print")
    for ground, card, *colours in sets:
        for colour in colours:
            for behind in (ground, card):
                require(contrast(colour, behind) >= LEAST_CONTRAST, f"#{colour} on #{behind} has a contrast of",
                        round(contrast(colour, behind), 2))


def check_content(pages):
    text = {name: path.read_text() for name, path in pages.items()}
    for name in ("fragments", "runs", "all"):
        require("&lt;script&gt;alert(1)" in text[name], "a hostile name is missing in", name)
    for name, words in (("one", "There is no N."), 
                        ("nearly_n", "503 N in 2 runs"), ("protein", "protein"), ("bytes", "&lt;"), ("masked", "masked"),
                        ("fragments", "NG50"), ("k_mers", "at least half of all places"), ("runs", "With hits"),
                        ("all", "searched another index than"), ("barcodes", "ambiguous")):
        require(words.lower() in text[name].lower(), repr(words), "is missing in", name)


# What a browser makes of them.

def colours_of(png):
    """How many bytes occur in each quarter of a picture: few, if nothing is drawn."""
    data, at = b"", 8
    while at < len(png):
        size = int.from_bytes(png[at:at + 4], "big")
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    pixels = zlib.decompress(data)
    return [len(set(pixels[len(pixels) * i // 4:len(pixels) * (i + 1) // 4])) for i in range(4)]


def check_in_browser(browser, name, path):
    grounds = set()
    for dark in (False, True):
        for width, height in ((1200, 900), (400, 800)):
            about = f"{name}, {width} pixels, {'dark' if dark else 'light'}:"
            asked, logged = browser.show(path, width, height, dark)
            require(asked == [path.as_uri()], about, "the page asks for", asked)
            require(not logged, about, "the page logs", logged)
            wide = browser.value("document.documentElement.scrollWidth")
            require(wide <= width, about, "the page is", wide, "pixels wide")
            require(max(colours_of(browser.picture())) > 8, about, "the picture is blank")
            grounds.add(browser.value("getComputedStyle(document.body).backgroundColor"))
    require(len(grounds) == 2, name, "has the grounds", grounds)
    browser.press_tab()
    require(browser.value("document.activeElement.className") == "skip", name, "the skip link is not the first")
    require(browser.value("document.activeElement.getBoundingClientRect().left") >= 0, name, "the skip link is hidden")
    links = browser.value("document.querySelectorAll('nav a').length")
    for i in range(links):
        browser.press_tab()
        place = browser.value("[...document.querySelectorAll('nav a')].indexOf(document.activeElement)")
        require(place == i, name, "tab key", i + 2, "reaches link", place)
    require(browser.value("document.scripts.length") == 0, name, "has scripts")


def check_cards(browser, name, path):
    """No card breaks the number of symbols of a large genome in two."""
    lines = """[...document.querySelectorAll('.cards dd')].map(card => {
      if (!/^[0-9,]+$/.test(card.textContent)) return 1;
      card.textContent = '32,396,374,171';
      const range = document.createRange();
      range.selectNodeContents(card);
      return range.getClientRects().length;
    })"""
    for width in (320, 400, 768, 1024, 1100, 1200, 1280, 1440):
        browser.show(path, width, 900, False)
        most = max(browser.value(lines), default=1)
        require(most == 1, f"{name}, {width} pixels: a number in a card takes", most, "lines")
        wide = browser.value("document.documentElement.scrollWidth")
        require(wide <= width, f"{name}, {width} pixels: with long numbers, the page is", wide, "pixels wide")


def check_all_in_browser(pages, folder):
    path = browser_path()
    if path is None:
        print("not checked: there is no chromium")
        return NO_BROWSER
    browser = Browser(path, folder / "profile")
    try:
        for name, page in pages.items():
            check_in_browser(browser, name, page)
            check_cards(browser, name, page)
            print("shown:", name)
    finally:
        browser.close()
    return 0


def draw_picture(gsx, folder, picture):
    """The page of phage lambda and of its reads."""
    root = pathlib.Path(__file__).resolve().parent.parent
    for name in ("lambda.fa", "reads.fq.gz"):
        shutil.copy(root / "data" / name, folder)
    run(gsx, "index", "-q", "lambda.fa", cwd=folder)
    run(gsx, "mappability", "-q", "--spectrum", "lambda.gsx", "-o", "spectrum.tsv", cwd=folder)
    run(gsx, "locate", "-q", "lambda.gsx", "reads.fq.gz", "-o", "hits.tsv", "--summary", "exact.json", cwd=folder)
    run(gsx, "locate", "-q", "lambda.gsx", "reads.fq.gz", "-k", "2", "-o", "near.tsv", "--summary", "two_mismatches.json",
        cwd=folder)
    run(gsx, "report", "-q", "lambda.gsx", "exact.json", "two_mismatches.json", "--spectrum", "spectrum.tsv", "-o",
        "lambda.html", cwd=folder)
    browser = Browser(browser_path(), folder / "profile")
    try:
        browser.ask("Emulation.setScrollbarsHidden", hidden=True)
        browser.show(folder / "lambda.html", 1000, 1500, False)
        end = browser.value("document.querySelector('#k-mers').parentElement.getBoundingClientRect().bottom")
        browser.show(folder / "lambda.html", 1000, int(end) + 10, False)
        picture.write_bytes(browser.picture())
    finally:
        browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gsx", type=os.path.abspath)
    parser.add_argument("--browser", action="store_true", help="check the pages in Chromium")
    parser.add_argument("--picture", type=pathlib.Path, help="draw the picture of the README to this file")
    parser.add_argument("--records", type=int, default=100000, help="of the index whose page must stay small")
    options = parser.parse_args()
    random.seed(7)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if options.picture:
                draw_picture(options.gsx, folder, options.picture)
                return 0
            pages = make_pages(options.gsx, folder)
            if options.browser:
                return check_all_in_browser(pages, folder)
            for page in pages.values():
                check_form(page.read_text())
            check_content(pages)
            check_size(options.gsx, folder, options.records)
            check_size_of_runs(options.gsx, folder, 600)
    except (Wrong, BrowserError) as wrong:
        print("wrong:", wrong, file=sys.stderr)
        return 1
    print(f"{len(pages)} pages are in form")
    return 0


if __name__ == "__main__":
    sys.exit(main())
