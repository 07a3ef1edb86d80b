# SPDX-License-Identifier: GPL-3.0-or-later
"""How a process that may have used Qt ends.

At Python's end a hook of PyQt5 (atexit) visits all objects that sip knows. A few times in
a thousand one of them was gone before, its memory a freed text of Python's, and the
process crashed there, with its work done (seen with PyQt5.sip 12.11.1; who left the entry
behind is open). Leaving the process at once skips the hook.

    python3 -m gnuradio.gpufft.cli.ending PROGRAM.py ARGUMENTS

runs another program so, e.g. a flowgraph with a window.
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
