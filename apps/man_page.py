#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the man page of gpufft: the commands and options as the command's own parser has
them, in the frame gpufft.1.in.

    man_page.py gpufft.1.in gpufft.1
"""

import argparse
import re
import sys
from pathlib import Path

from gnuradio import gpufft
from gnuradio.gpufft.cli.main import make_parser

SPECIAL = {
    "\\": r"\e",
    "-": r"\-",
    "^": r"\(ha",
    "~": r"\(ti",
    "'": r"\(aq",
    "`": r"\(ga",
}


def escape(text):
    """Text as troff shows it unchanged, on one line."""
    text = "".join(SPECIAL.get(character, character) for character in text)
    text = " ".join(text.split())
    return rf"\&{text}" if text.startswith(".") else text  # no request


def commands_of(parser):
    """{name: parser} of the subcommands."""
    for action in parser._actions:  # argparse has no public way to ask
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}


def invocation(action):
    """Names in bold, values in italics: \\fB\\-o\\fR \\fIOUTPUT\\fR."""
    formatter = argparse.HelpFormatter("")
    default = action.dest.upper() if action.option_strings else action.dest
    value = escape(formatter._format_args(action, default))
    if not action.option_strings:
        return rf"\fI{value}\fR"
    value = rf" \fI{value}\fR" if value else ""
    return ", ".join(rf"\fB{escape(name)}\fR{value}" for name in action.option_strings)


def argument(parser, action):
    """The lines of one argument."""
    words = parser._get_formatter()._expand_help(action)
    return [".TP", invocation(action), escape(words)]


def command(name, parser):
    """The lines of one subcommand."""
    usage = parser.format_usage().removeprefix("usage: ").removeprefix(parser.prog)
    yield f'.SS "gpufft {name}"'
    yield escape(parser.description)
    yield from (".PP", rf".B gpufft {escape(name)}", rf"\fR{escape(usage)}")
    for group in parser._action_groups:
        for action in group._group_actions:
            if action.help is not argparse.SUPPRESS:
                yield from argument(parser, action)


def man_page(frame):
    """The whole page."""
    parser = make_parser()
    commands = commands_of(parser)
    parts = {
        "version": gpufft.version(),
        "description": escape(parser.description),
        "synopsis": "\n.br\n".join(
            rf".B gpufft {name}" + "\n" + r"\fIARGUMENTS\fR" for name in commands
        ),
        "commands": "\n".join(
            line for name in commands for line in command(name, commands[name])
        ),
    }
    return re.sub(r"@(\w+)@", lambda match: parts[match[1]], frame)


def main():
    """Reads the frame, writes the page."""
    frame, page = map(Path, sys.argv[1:])
    page.write_text(man_page(frame.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
