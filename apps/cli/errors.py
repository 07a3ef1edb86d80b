# SPDX-License-Identifier: GPL-3.0-or-later
"""What ends the command with one line on stderr, and its exit status."""


class CommandError(Exception):
    """The work failed: exit status 1."""

    status = 1


class InputError(CommandError):
    """An argument or a file is not what it should be: exit status 2."""

    status = 2
