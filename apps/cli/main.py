# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry of the `gpufft` command: reads the command line and runs the subcommand."""

import argparse
import os
import re
import signal
import sys

from gnuradio import gpufft

from . import advise, bench, info, spectrum, tune, verify
from .analyzer import command as analyzer
from .ending import signals_raise
from .errors import CommandError, Ended, InputError


class Parser(argparse.ArgumentParser):
    """Usage errors as one line; "-100k" and "-120,0" are values, not options."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        # What Python 3.14 takes for a negative number; before, it is a bare number only.
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def parse_known_args(self, *arguments, **options):
        known, others = super().parse_known_args(*arguments, **options)
        names = [each for each in self._get_positional_actions() if each.nargs in ("+", "*")]
        if others and (not names or any(re.match("-.", word) for word in others)):
            # told by the command's parser, which knows its own help
            self.error(f"unrecognized arguments: {' '.join(others)}")
        if others:  # names behind an option
            before = getattr(known, names[0].dest) or []
            setattr(known, names[0].dest, [*before, *others])
        return known, []

    def error(self, message):
        raise InputError(f"{message} (see: {self.prog} --help)")


def make_parser():
    """The command line."""
    parser = Parser(
        prog="gpufft",
        description="Fourier transforms and spectra on the GPU, or "
        "on the CPU if there is none.",
    )
    parser.add_argument(
        "--version", action="version", version=f"gpufft {gpufft.version()}"
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (spectrum, analyzer, advise, bench, verify, tune, info):
        command.add_parser(subparsers)
    return parser


def main(argv=None):
    """Runs the command; returns its exit status."""
    try:
        arguments = make_parser().parse_args(argv)
        with signals_raise():
            arguments.run(arguments)
        sys.stdout.flush()
        return 0
    except CommandError as error:
        message, status = str(error), error.status
    except Ended as end:
        name = signal.Signals(end.number).name
        message, status = f"ended by {name}", 128 + end.number
    except KeyboardInterrupt:
        message, status = "interrupted", 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        message, status = str(error), 1
    except MemoryError:
        message, status = "out of memory", 1
    except Exception as error:  # a fault of this program: one line, too
        message, status = f"internal error, please report it: {error!r}", 1
    if "/.gnuradio" in message:
        message += (
            ": GNU Radio writes there, so HOME must name a folder that can be written"
        )
    print(f"gpufft: {message}", file=sys.stderr)
    return status
