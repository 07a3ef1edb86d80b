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
import signal
import sys
from contextlib import contextmanager

from .errors import Ended

_came = []  # signals


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


def heard_signals():
    """Those, apart from Ctrl-C's, that end the process: not what nohup lets it ignore."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    return [n for n in numbers if signal.getsignal(n) not in (signal.SIG_IGN, None)]


@contextmanager
def signals_raise():
    """They raise Ended, in this process only: processes that it forks end at once."""
    owner = os.getpid()
    _came.clear()

    def end(number, _):
        if os.getpid() != owner:
            os._exit(128 + number)
        _came.append(number)
        signal.signal(number, signal.SIG_DFL)  # a second one does not wait for cleaning up
        raise Ended(number)

    previous = {number: signal.signal(number, end) for number in heard_signals()}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


@contextmanager
def signals_later():
    """They wait, Ctrl-C's too: half of an object that is made may say so on stderr. For the
    main thread, which Python's handlers run in."""
    came = []
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = {n: signal.getsignal(n) for n in numbers}
    handlers = {n: handler for n, handler in handlers.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda *arguments: came.append(arguments))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for number, frame in came:
        handlers[number](number, frame)


def check_signals():
    """Raises Ended if a signal has come. What it raised then may have been lost: Python
    ignores exceptions in the callbacks of its imports."""
    if _came:
        raise Ended(_came[-1])


def run_program():
    """Runs the program that the command line names."""
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    run(run_program)
