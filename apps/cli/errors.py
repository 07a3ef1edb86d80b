# SPDX-License-Identifier: GPL-3.0-or-later
"""What ends the command with one line on stderr, and its exit status."""

from contextlib import contextmanager


class CommandError(Exception):
    """The work failed: exit status 1."""

    status = 1


class InputError(CommandError):
    """An argument or a file is not what it should be: exit status 2."""

    status = 2


class NoCluster(CommandError):
    """There is no cluster, or no longer: no recording can go on."""

    def __init__(self, message, status=CommandError.status):
        super().__init__(message)
        self.status = status


class Ended(KeyboardInterrupt):
    """A signal other than Ctrl-C's ends the command, which cleans up alike."""

    def __init__(self, number):
        super().__init__()
        self.number = number


@contextmanager
def errors_of_blocks():
    """Makes errors of blocks (values, devices, memory) errors of the command."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error)) from None
    except (RuntimeError, MemoryError) as error:
        raise CommandError(str(error) or "out of memory") from None
