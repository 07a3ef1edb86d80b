# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft analyzer`: the command line, and the life of window or page."""

import asyncio
import functools
import os
import signal
import sys
from pathlib import Path

from ..ending import heard_signals
from ..errors import CommandError, InputError
from ..formats import EXTENSIONS, FORMATS_HELP
from ..framing import parse_hop
from ..output import OutputFile
from ..quantities import SECONDS, parse_integer, parse_positive
from ..spectrum import check_engine, warn

SCREENSHOT_SECONDS = "3"
DESKTOP_ENTRY = "gpufft-analyzer"  # the installed file's name, and its icon's
SWITCH_SECONDS = 0.001  # that drawing may keep the thread that reads a file waiting
MOST_SECONDS = 2_000_000  # Qt counts milliseconds in 31 bits


def add_parser(subparsers):
    """Adds the subcommand and its options."""
    parser = subparsers.add_parser(
        "analyzer",
        help="the live spectrum of a file, a radio or the network, in a window or browsers",
        description="A spectrum analyzer: spectrum with average, holds and peaks, "
        "density, waterfall, in a window or on a page for browsers. Without a source it shows a built-in scene: a synthetic "
        "band of 10 MHz.",
    )
    parser.set_defaults(run=run)
    add_sources(parser)
    add_transform(parser)
    add = parser.add_argument_group("display").add_argument
    add("--centre", help="centre of the band shown, in Hz (default: the stream's)")
    add("--span", help="width of the band shown, in Hz (default: all)")
    add("--averaging", default="0.3", help="time constant in s, 0 is off (default 0.3)")
    add(
        "--persistence",
        default="1",
        help="time constant of the density, in s (default 1)",
    )
    add("--levels", help="LOW,HIGH in dBFS, e.g. --levels=-120,0 (default: automatic)")
    modes = "AM, NFM, WFM, USB or LSB"
    add(
        "--listen",
        metavar="MODE",
        help=f"listen at the centre of the band shown: {modes}",
    )
    folder = "where recordings and audio files go (default: the current folder)"
    add("--record-to", metavar="FOLDER", default=".", help=folder)
    add("--theme", default="dark", help="dark or light (default dark)")
    add("--screenshot", metavar="PNG", help="write the window to this file, and end")
    add(
        "--seconds",
        help=f"end after this time (default: {SCREENSHOT_SECONDS} with --screenshot, else when "
        "the window is closed, or at Ctrl-C with --serve)",
    )
    add_serving(parser)


def add_sources(parser):
    """Where samples come from."""
    raw = ", ".join(EXTENSIONS)
    add = parser.add_argument_group("source").add_argument
    names = (
        f"SigMF (.sigmf-meta), WAV (I/Q in two channels), Blue, raw ({raw}), or a pipe (- is "
        f"standard input)"
    )
    add("file", nargs="?", help=names)
    add("--zmq", metavar="ADDRESS", help="ZeroMQ publisher, e.g. tcp://host:5555")
    add(
        "--udp", metavar="[HOST:]PORT", help="samples in datagrams that come to this port"
    )
    add("--tcp", metavar="HOST:PORT", help="samples that a TCP server sends")
    add("--rtl-tcp", metavar="HOST:PORT", help="receiver of an rtl_tcp server")
    add("--soapy", metavar="DEVICE", help="receiver by SoapySDR, e.g. driver=rtlsdr")
    add("--uhd", metavar="DEVICE", help="receiver by UHD, e.g. type=b200")
    add("--format", help=f"sample format: {FORMATS_HELP}")
    add("--rate", help="sample rate, e.g. 2.4M or 2.4 MHz")
    add("--freq", help="centre frequency, e.g. 1090M")
    add("--gain", help="gain of a receiver, in dB (default: automatic)")
    add("--once", action="store_true", help="play a file once (default: in a loop)")
    speed = "play a file as fast as it can be computed (default: in real time)"
    add("--full-speed", action="store_true", help=speed)


def add_serving(parser):
    """A page in place of the window."""
    add = parser.add_argument_group("page for browsers").add_argument
    add(
        "--serve",
        metavar="[HOST:]PORT",
        help="compute here and show a page in browsers, whose address is printed, in place of "
        "the window (default host: 127.0.0.1; port 0: any that is free)",
    )
    add("--certificate", metavar="PEM", help="certificate for TLS, and those it needs")
    add("--key", metavar="PEM", help="its private key (default: in the same file)")
    add(
        "--token",
        metavar="FILE",
        help="keep the address's secret part in this file, which is written if it is missing "
        "(default: another secret at each start)",
    )


def add_transform(parser):
    """The same as for `gpufft spectrum`."""
    add = parser.add_argument_group("transform").add_argument
    add("--size", default="4096", help="FFT length, 16 to 4194304 (default 4096)")
    add("--overlap", help="0 <= overlap of frames < 1, or 75%% (default 0.5)")
    add("--hop", help="the same in samples from frame to frame, 1 to the FFT length")
    add("--window", default="hann", help="name, or kaiser:8.6 (default hann)")
    add("--average", default="auto", help="frames in a row (default: as the rate needs)")
    add("--detector", default="mean", help="of a row: mean, max or min (default mean)")
    add("--engine", default="auto", help="auto, cpu or cuda (default auto)")
    add("--device", default="0", help="index of the GPU (default 0)")


def run(arguments):
    """Runs the subcommand."""
    check_one_source(arguments)
    check_serving(arguments)
    seconds = parse_seconds(arguments)
    if arguments.serve is not None:
        serve(arguments, seconds)
        return
    application = open_display(arguments.screenshot is not None)
    sys.setswitchinterval(SWITCH_SECONDS)
    flowgraph = make_flowgraph(arguments)
    tell_notes(flowgraph)
    with OutputFile(arguments.screenshot, ".png", flowgraph.source.files) as png:
        show(application, make_window(flowgraph, arguments), seconds, png)


def tell_notes(flowgraph):
    """Prints what there is to say about the source."""
    for note in flowgraph.source.notes:
        warn(note)


def check_one_source(arguments):
    """Raises InputError if several sources are given."""
    names = ("file", "zmq", "udp", "tcp", "rtl_tcp", "soapy", "uhd")
    given = [name for name in names if getattr(arguments, name) is not None]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are given: only one source can be shown")


def check_serving(arguments):
    """Raises InputError if window and page are both asked for."""
    if arguments.serve is None:
        for name in ("certificate", "key", "token"):
            if getattr(arguments, name) is not None:
                raise InputError(f"--{name} needs --serve")
    elif arguments.screenshot is not None:
        raise InputError("--screenshot is of the window: it cannot be used with --serve")


def parse_seconds(arguments):
    """How long to run, or None."""
    text = arguments.seconds
    if text is None and arguments.screenshot is not None:
        text = SCREENSHOT_SECONDS
    seconds = None if text is None else parse_positive(text, "--seconds", SECONDS)
    if seconds is not None and seconds > MOST_SECONDS:
        raise InputError(
            f"--seconds {text} is out of range: it must be {MOST_SECONDS} or less"
        )
    return seconds


def open_display(is_picture_only):
    """The QApplication. Qt itself ends the process if it finds no display."""
    try:
        from PyQt5.QtCore import qInstallMessageHandler
        from PyQt5.QtWidgets import QApplication
        import pyqtgraph  # noqa: F401 (missing it is told now)
    except ImportError as error:
        raise CommandError(
            f"the analyzer's window needs PyQt5 and pyqtgraph ({error}): on Debian "
            f"install python3-pyqt5 and python3-pyqtgraph"
        ) from None
    has_display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if (
        not has_display
        and sys.platform == "linux"
        and "QT_QPA_PLATFORM" not in os.environ
    ):
        if not is_picture_only:
            raise CommandError(
                "there is no display (DISPLAY is not set): run it on a desktop, or with "
                "--screenshot, or under xvfb-run"
            )
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    qInstallMessageHandler(tell_faults)
    return QApplication.instance() or make_application()


@functools.cache
def make_application():
    """The QApplication, kept as long as the process lives: when the last one ends, an X
    server resets and may drop the next one's connection, whereupon Qt ends the process."""
    from PyQt5.QtGui import QIcon
    from PyQt5.QtWidgets import QApplication

    application = QApplication([DESKTOP_ENTRY])
    application.setDesktopFileName(DESKTOP_ENTRY)
    application.setWindowIcon(QIcon.fromTheme(DESKTOP_ENTRY))
    return application


def tell_faults(kind, _context, message):
    """Prints Qt's errors, without its remarks on the desktop."""
    from PyQt5.QtCore import QtCriticalMsg, QtFatalMsg

    if kind in (QtCriticalMsg, QtFatalMsg):
        warn(message)


def make_flowgraph(arguments):
    """The flowgraph that the command line asks for."""
    from . import settings, sources
    from .flowgraph import AnalyzerFlowgraph

    check_engine(arguments.engine)
    size = settings.check_size(arguments.size)
    now = settings.Settings(
        size=size,
        overlap=1 - parse_hop(arguments, size) / size,
        window=settings.check_window(arguments.window),
        average=settings.check_average(arguments.average),
        detector=settings.check_detector(arguments.detector),
        averaging=settings.check_seconds(arguments.averaging, "--averaging"),
        persistence=settings.check_seconds(arguments.persistence, "--persistence"),
    )
    device = parse_integer(arguments.device, "--device", 0, 1023)
    source = sources.make_source(arguments)
    return AnalyzerFlowgraph(
        source, now, arguments.engine, device, not arguments.full_speed
    )


def make_session(flowgraph, arguments):
    """The session, with the command line's settings."""
    from . import theme
    from .session import Session

    theme.choose(arguments.theme)
    folder = Path(arguments.record_to)
    if not folder.is_dir():
        raise InputError(f"--record-to {folder} is no folder")
    session = Session(flowgraph, folder)
    for name in ("span", "centre", "levels"):
        text = getattr(arguments, name)
        if text is not None:
            session.actions.set(name, text)
    if arguments.listen is not None:
        session.actions.set("demodulate", arguments.listen.upper())
    return session


def make_window(flowgraph, arguments):
    """The window of a session."""
    from .window import AnalyzerWindow

    return AnalyzerWindow(make_session(flowgraph, arguments))


def show(application, window, seconds, png):
    """Runs the stream and the window until it is closed, or for `seconds`."""
    from PyQt5.QtCore import QTimer

    # Quits as soon as the event loop runs: before, quit() would do nothing.
    for number in (signal.SIGINT, *heard_signals()):  # an exception would abort Qt
        signal.signal(number, lambda *_: QTimer.singleShot(0, application.quit))
    flowgraph = window.session.flowgraph
    window.show()
    flowgraph.start()
    try:
        if seconds is not None:
            QTimer.singleShot(round(1000 * seconds), application.quit)
        application.exec_()
        png.save(lambda shown, file: shown.save_picture(file), window)
    finally:
        flowgraph.stop()
        flowgraph.wait()


def serve(arguments, seconds):
    """Runs the stream and its page until Ctrl-C, or for `seconds`."""
    try:
        import aiohttp  # noqa: F401 (what the server needs)
    except ImportError as error:
        raise CommandError(
            f"the analyzer's page needs aiohttp ({error}): on Debian install "
            f"python3-aiohttp"
        ) from None
    from .access import make_access
    from .server import PageServer

    access = make_access(arguments)
    flowgraph = make_flowgraph(arguments)
    tell_notes(flowgraph)
    server = PageServer(make_session(flowgraph, arguments), access)
    flowgraph.start()
    try:
        asyncio.run(server.run(seconds))
    finally:
        flowgraph.stop()
        flowgraph.wait()
