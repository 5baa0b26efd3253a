#!/usr/bin/env python3
"""Runs the script block of an nf-core module with bash, as Nextflow would, and looks at its outputs.

  run_nf_script.py MAIN.NF NAME=VALUE...

NAME=VALUE fills in the variables of the block ($reads, ${prefix}, $task.cpus, ...); what is not given
must not occur. The block runs in the current folder. Each path of the outputs of the module that is not
optional must match a file then. This is not Nextflow: groovy code beside the block is not run.
"""

import re
import subprocess
import sys
from pathlib import Path


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    text = Path(arguments[0]).read_text()
    values = dict(argument.split("=", 1) for argument in arguments[1:])
    block = re.search(r'script:.*?"""\n(.*?)"""', text, re.DOTALL)[1]
    indent = min(len(line) - len(line.lstrip()) for line in block.splitlines() if line)
    block = "\n".join(line[indent:] for line in block.splitlines()) + "\n"
    # A backslash keeps a sign from Nextflow: \$ is a $ of the shell.
    pattern = r"\\(\$)|\$\{([\w.]+)\}|\$(\w+(?:\.\w+)*)"
    script = re.sub(pattern, lambda m: m[1] or values[m[2] or m[3]], block)
    subprocess.run(["bash", "-euo", "pipefail", "-c", script], check=True)
    outputs = text.split("    output:\n", 1)[1].split("\n\n", 1)[0]
    wrong = 0
    for line in outputs.splitlines():
        for name in re.findall(r'path\(?\s*"([^"]+)"', line):
            choices = re.search(r"\{(.*)\}", name)
            names = [name.replace(choices[0], one) for one in choices[1].split(",")] if choices else [name]
            if not any(list(Path(".").glob(one)) for one in names) and "optional: true" not in line:
                print(f"{arguments[0]}: no file {name}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
