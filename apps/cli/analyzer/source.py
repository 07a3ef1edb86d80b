# SPDX-License-Identifier: GPL-3.0-or-later
"""What all of the analyzer's sources have in common."""

import importlib
from contextlib import contextmanager

from ..conversion import enlarge_buffers
from ..errors import CommandError
from ..formats import item_bytes, sample_bytes
from ..quantities import format_frequency


class Source:
    """name: for display; rate, frequency: Hz, or None if unknown; samples: until the end, or
    None for no end; blocks: a chain of GNU Radio blocks whose items have the format.

    Blocks after the chain may be replaced while it runs, so its last block gives whole
    samples only: I and Q of interleaved integers stay together."""

    is_live = False  # whether samples come when they like
    can_lose = False  # whether those that are not read in time are lost
    is_tunable = False
    end = "end of the file"
    playback = None  # of a recording
    samples = None
    files = ()  # that are read

    def __init__(self, name, format, rate, frequency, blocks):
        self.name = name
        self.format = format
        self.rate = rate
        self.frequency = frequency
        self.items_per_sample = sample_bytes(format) // item_bytes(format)
        self.blocks = blocks
        enlarge_buffers(format, blocks)
        self.blocks[-1].set_output_multiple(self.items_per_sample)
        self.notes = []  # for stderr, one line each

    def is_read(self):
        """Whether all samples have been read."""
        return False


class Tunable:
    """A source whose centre can be moved."""

    is_tunable = True

    def tune(self, frequency):
        """Moves the centre to `frequency` in Hz. Raises CommandError."""
        with told(f"the receiver refuses {format_frequency(frequency)}"):
            self._set_frequency(frequency)
        self.frequency = frequency

    def _set_frequency(self, frequency):
        raise NotImplementedError


class RadioSource(Tunable, Source):
    """A receiver; complex64."""

    is_live = True
    can_lose = True

    def __init__(self, name, block, rate, frequency):
        super().__init__(name, "cf32", rate, frequency, (block,))


def import_part(part, name, package):
    """The module gnuradio.`part`."""
    try:
        return importlib.import_module(f"gnuradio.{part}")
    except ImportError:
        raise CommandError(
            f"{name} needs GNU Radio's part gr-{part}, which is missing: on Debian "
            f"install {package}"
        ) from None


@contextmanager
def told(failure):
    """Turns a receiver's refusal into one line: RuntimeError comes from the driver,
    ValueError from GNU Radio's block for what the driver cannot do, OSError from a socket."""
    try:
        yield
    except (RuntimeError, ValueError, OSError) as error:
        raise CommandError(f"{failure}: {' '.join(str(error).split())}") from None
