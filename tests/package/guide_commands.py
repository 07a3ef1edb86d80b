#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the shell commands below a heading of a page, word for word.

guide_commands.py docs/install.md "Make the packages"
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
import page  # noqa: E402 (from the folder just added)


def commands(path, heading):
    """The commands between this heading and the next. Raises ValueError if there are none."""
    lines = path.read_text(encoding="utf-8").split("\n")
    headings = [n for n, line in enumerate(lines, 1) if re.match(r"##+ ", line)]
    begin = next((n for n in headings if lines[n - 1].lstrip("# ") == heading), 0)
    end = min((n for n in headings if n > begin), default=len(lines))
    found = [fence for fence in page.fences(path) if begin < fence.line < end]
    if not begin or not found:
        raise ValueError(f"{path} has no commands below {heading!r}")
    return "".join(fence.source for fence in found if fence.language == "sh")


if __name__ == "__main__":
    print(commands(Path(sys.argv[1]), sys.argv[2]), end="")
