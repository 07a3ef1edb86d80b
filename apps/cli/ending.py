# SPDX-License-Identifier: GPL-3.0-or-later
"""How a process that may have used Qt ends.

When Python ends, an atexit hook of PyQt5 visits all objects that sip knows. A few times in
a thousand one of them was already freed, and the process crashed there, with its work done
(seen with PyQt5.sip 12.11.1; the cause of the stale entry is unknown). Leaving the process
at once skips the hook.

    python3 -m gnuradio.gpufft.cli.ending PROGRAM.py ARGUMENTS

runs another program this way, e.g. a flowgraph with a window.
"""

import os
import runpy
import sys


def run(main):
    """Runs main(), which returns the exit status or raises SystemExit, and ends."""
    try:
        status = main()
    except SystemExit as end:
        status = end.code
    if isinstance(status, str):
        print(status, file=sys.stderr)
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    if "PyQt5" in sys.modules:
        os._exit(int(status or 0))
    sys.exit(status)


def run_program():
    """Runs the program that the command line names."""
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    run(run_program)
