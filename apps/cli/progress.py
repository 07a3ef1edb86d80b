# SPDX-License-Identifier: GPL-3.0-or-later
"""A progress bar, where tqdm is installed."""

import sys

from .ending import signals_later


class NoBar:
    """Stands in for tqdm."""

    n = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def update(self, count):
        """Counts, shows nothing."""
        self.n += count

    def set_postfix_str(self, text):
        """Nothing to show."""

    def write(self, text):
        """A line on stdout."""
        print(text, flush=True)


def progress_bar(total, unit, force=False, scale=False):
    """A bar on stderr: on a terminal after a second, or at once if forced. scale: writes
    large counts with k, M, G."""
    with signals_later():
        try:
            from tqdm import tqdm
        except ImportError:
            return NoBar()
        return tqdm(
            total=total,
            unit=f" {unit}",
            unit_scale=scale,
            leave=False,
            delay=0 if force else 1,
            disable=False if force else None,  # None: on a terminal
        )


def write_above(text):
    """A line on stderr, above a bar that may be there."""
    try:
        from tqdm import tqdm
    except ImportError:
        print(text, file=sys.stderr)
    else:
        tqdm.write(text, file=sys.stderr)
