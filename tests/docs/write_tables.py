#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tables of pages anew that scripts of this folder print: write_tables.py
PAGE.md... in the project's folder. (Those of tests/benchmark/results_table.py it writes
itself.)"""

import re
import subprocess
import sys
from pathlib import Path

TABLE = re.compile(r"(<!-- (tests/docs/\S+\.py[^>]*) -->\n)(?:\|.*\n)*")


def with_table(found):
    script, *arguments = found[2].split()
    table = subprocess.check_output([sys.executable, script, *arguments], text=True)
    return found[1] + table


def main():
    for page in map(Path, sys.argv[1:]):
        text = page.read_text(encoding="utf-8")
        page.write_text(TABLE.sub(with_table, text), encoding="utf-8")


if __name__ == "__main__":
    main()
