#!/usr/bin/env python3
"""Draws a run of gsx in a terminal, as SVG.

  scripts/terminal_picture.py GSX -o FILE.svg    run the commands and draw what they print
  scripts/terminal_picture.py GSX --check FILE   run them, and compare with the text of a picture

The commands run in a temporary folder with a copy of data/; the log appears as on a terminal.
--check ignores the figures of the log: time, memory and the version. Exit code 1 if the picture is
out of date.
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = ["gsx index data/lambda.fa",
            "gsx count -q data/lambda.gsx -p GGATCC -p GGGCGGCGACCT | column -t",
            "gsx locate -q data/lambda.gsx -p GGATCC --strand fwd --bed",
            "gsx offtarget -q data/lambda.gsx -p CAGCAAATACCGAAATATTT | column -t"]
WIDTH, LINE, LEFT, TOP = 7.3, 19, 16, 44  # of a character, between lines, margins, in pixels
COLOURS = {"prompt": "#7ee787", "log": "#8b949e", "text": "#e6edf3"}


def run(gsx):
    """The session as [(kind, line)]."""
    session = []
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bin").mkdir()
        Path(folder, "bin", "gsx").symlink_to(Path(gsx).resolve())
        work = Path(folder, "work")
        work.mkdir()
        shutil.copytree(ROOT / "data", work / "data")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GSX_")}
        environment.update(PATH=f"{folder}/bin:{environment['PATH']}", LC_ALL="C.UTF-8")
        for command in COMMANDS:
            done = subprocess.run(["bash", "-c", command], cwd=work, env=environment, check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, timeout=600)
            session.append(("prompt", "$ " + command))
            for line in done.stdout.decode().expandtabs(8).splitlines():
                session.append(("log" if re.match(r"(info|warning): ", line) else "text", line))
    return session


def draw(session):
    width = round(max(len(line) for _, line in session) * WIDTH) + 2 * LEFT
    height = TOP + LINE * len(session) + 10
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             f'width="{width}" height="{height}" role="img" aria-label="gsx in a terminal">',
             f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>']
    for x, colour in ((20, "#ff5f56"), (40, "#ffbd2e"), (60, "#27c93f")):
        parts.append(f'<circle cx="{x}" cy="18" r="6" fill="{colour}"/>')
    parts.append('<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="12">')
    for i, (kind, line) in enumerate(session):
        # Chromium does not take xml:space from a parent.
        parts.append(f'<text x="{LEFT}" y="{TOP + LINE * i}" xml:space="preserve" fill="{COLOURS[kind]}" '
                     f'textLength="{len(line) * WIDTH:.1f}">{html.escape(line, quote=False)}</text>'
                     if line else "")
    return "\n".join(part for part in parts if part) + "\n</g>\n</svg>\n"


def without_figures(svg):
    """The lines of a picture, with N for the figures of its log."""
    lines = [html.unescape(line) for line in re.findall(r"<text [^>]*>(.*)</text>", svg)]
    return [re.sub(r"[0-9.]+", "N", line) if line.startswith("info: ") else line for line in lines]


def main(arguments):
    if len(arguments) != 3 or arguments[1] not in ("-o", "--check"):
        print(__doc__, file=sys.stderr)
        return 2
    picture = draw(run(arguments[0]))
    path = Path(arguments[2])
    if arguments[1] == "-o":
        path.write_text(picture)
        return 0
    if without_figures(path.read_text()) != without_figures(picture):
        print(f"{path} is out of date: make it again with -o. Now it is\n" +
              "\n".join(without_figures(picture)))
        return 1
    print(f"{path} shows what gsx prints")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
