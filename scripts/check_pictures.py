#!/usr/bin/env python3
"""Checks how a browser draws the pictures of the documents.

    scripts/check_pictures.py    every SVG file of the repository, in headless Chromium; exit code 77 if there is none

Each text is drawn with all of its characters, in letters that are not squeezed or stretched, and inside its picture, and
no two texts cover each other. Before that, pictures with one fault each show whether the checks notice it.
"""
import pathlib
import re
import sys
import tempfile

from headless_browser import Browser, BrowserError, browser_path

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_BROWSER = 77
MOST_STRETCH = 1.2  # fonts differ between machines

# Of each text: what it says, how many characters are drawn, its width over that of its letters alone, and its box.
TEXTS = """
[...document.querySelectorAll('text')].map(text => {
  const box = text.getBoundingClientRect(), drawn = text.getNumberOfChars(), width = text.getBBox().width;
  const plain = text.cloneNode(true);
  plain.removeAttribute('textLength');
  text.parentNode.appendChild(plain);
  const natural = plain.getBBox().width;
  plain.remove();
  return {says: text.textContent, drawn, stretch: natural ? width / natural : 1, turned: !!text.closest('[transform]'),
          box: [box.left, box.top, box.right, box.bottom]};
})
"""


def faults(browser, path):
    """What is wrong with the picture, a line for each fault."""
    browser.show(path, 1400, 900, dark=False)
    view = browser.value("(() => { const b = document.documentElement.getBoundingClientRect(); "
                         "return [b.left, b.top, b.right, b.bottom]; })()")
    texts = browser.value(TEXTS)
    for text in texts:
        left, top, right, bottom = text["box"]
        says = repr(text["says"])
        if text["drawn"] != len(text["says"]):
            yield f"{says} has {len(text['says'])} characters, and {text['drawn']} are drawn"
        elif not 1 / MOST_STRETCH <= text["stretch"] <= MOST_STRETCH:
            yield f"{says} is drawn {text['stretch']:.2f} times as wide as its letters"
        if left < view[0] - 1 or top < view[1] - 1 or right > view[2] + 1 or bottom > view[3] + 1:
            yield f"{says} leaves the picture"
    level = [text for text in texts if not text["turned"] and text["says"].strip()]
    for i, one in enumerate(level):
        for other in level[:i]:
            a, b = one["box"], other["box"]
            # Boxes hold room above and below the letters.
            if min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5 * (a[3] - a[1]):
                yield f"{one['says']!r} covers {other['says']!r}"


def picture(*lines, attributes=""):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 60" width="400" height="60">'
            f'<g font-family="monospace" font-size="12" {attributes}>' + "".join(lines) + "</g></svg>")


def self_test(browser):
    """Whether faults() notices each fault, and finds none in a good picture."""
    blanks = '<text x="5" y="20" {}>query  count</text>'
    cases = [("", picture(blanks.format('xml:space="preserve"'))),
             (r"has 12 characters, and 11 are drawn", picture(blanks.format(""), attributes='xml:space="preserve"')),
             (r"times as wide", picture('<text x="5" y="20" textLength="300">count</text>')),
             (r"leaves the picture", picture('<text x="380" y="20">count</text>')),
             (r"covers", picture('<text x="5" y="20">count</text>', '<text x="9" y="22">locate</text>'))]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "picture.svg")
        for wanted, text in cases:
            path.write_text(text)
            found = "\n".join(faults(browser, path))
            if not re.search(wanted, found) or (not wanted and found):
                yield f"wanted {wanted!r}, found {found!r}"


def main(arguments):
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    path = browser_path()
    if not path:
        print("there is no Chromium")
        return NO_BROWSER
    pictures = [one for one in sorted(ROOT.glob("*/**/*.svg"))
                if not one.relative_to(ROOT).parts[0].startswith(("build", "dist", "scratch"))]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(path, profile)
        try:
            wrong = list(self_test(browser))
            for one in pictures:
                wrong += [f"{one.relative_to(ROOT)}: {fault}" for fault in faults(browser, one)]
        finally:
            browser.close()
    if wrong:
        print("\n".join(wrong))
        return 1
    print(f"{len(pictures)} pictures are drawn as they should be")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrowserError as error:
        print(f"the browser: {error}")
        sys.exit(1)
