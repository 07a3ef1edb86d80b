# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft spectrum FILE...`: the spectrum and waterfall of recordings."""

from contextlib import contextmanager, nullcontext

from .destinations import DEFAULT_PICTURE, check_destinations, check_names, distinct
from .drawing import (  # noqa: F401 (the analyzer takes some from here)
    Here,
    check_engine,
    draw_recording,
    parse_window,
    warn,
    window_taps,
)
from .errors import CommandError, InputError, NoCluster
from .formats import EXTENSIONS, FORMATS_HELP
from .framing import DEFAULT_ROWS, DEFAULT_SIZES, FEWEST_ROWS
from .on_cluster import OnCluster, add_cluster, check_cluster
from .recording import open_recording
from .style import COLOURS, DEFAULT_SIZE, make_style


def add_parser(subparsers):
    """Adds the subcommand and its options."""
    parser = subparsers.add_parser(
        "spectrum",
        help="spectrum and waterfall of recordings, as pictures and tables",
        description="Computes the power spectrum of a recording in a GNU Radio flowgraph "
        "and draws it with its waterfall. Levels: dBFS/Hz where the sample rate is known "
        "(a full-scale tone has 0 dBFS), else dBFS per bin. Real samples are drawn from "
        "0 to half the rate.",
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    raw = ", ".join(EXTENSIONS)
    names = (
        f"SigMF (.sigmf-meta), WAV (I/Q in two channels), Blue, raw ({raw}), a pipe "
        f"(- is standard input), or with --cluster a URL"
    )
    add("files", nargs="+", metavar="file", help=names)

    add = parser.add_argument_group("what the file holds").add_argument
    add("--format", help=f"sample format: {FORMATS_HELP}")
    add("--rate", help="sample rate, e.g. 2.4M or 2.4 MHz")
    add("--freq", help="centre frequency, e.g. 1090M; for real samples, of 0 Hz")
    add("--start", default="0", help="time to skip, e.g. 1.5 or 100ms (default 0)")
    add("--duration", help="time to use (default: all)")
    add_transform(parser.add_argument_group("transform").add_argument)
    add_display(parser.add_argument_group("display").add_argument)
    add_output(parser.add_argument_group("output").add_argument)
    add_cluster(parser.add_argument_group("cluster").add_argument)


def add_transform(add):
    """How the samples become rows of power."""
    smallest, largest = DEFAULT_SIZES[-1], DEFAULT_SIZES[0]
    sizes = f"a power of two from {smallest} to {largest}, for {FEWEST_ROWS} rows or more"
    add("--size", help=f"FFT length, e.g. 1000 or 64k (default: {sizes})")
    overlap = "default 0.5; with a default size, 0.75 for short recordings"
    add("--overlap", help=f"overlap of frames, 0 <= overlap < 1, or 75%% ({overlap})")
    add("--hop", help="the same in samples from frame to frame, 1 to the FFT length")
    add(
        "--window",
        default="hann",
        help="name, or name:parameter as kaiser:8.6 (default hann)",
    )
    rows = f"default: as many as make about {DEFAULT_ROWS} rows"
    add("--average", help=f"frames in one row of the waterfall ({rows})")
    add(
        "--detector",
        default="mean",
        help="how a row combines its frames: mean, max, min or kurtosis (default mean)",
    )
    add(
        "--hold",
        default="none",
        help="how a row combines with earlier rows: none, max or min (default none)",
    )
    add("--engine", default="auto", help="auto, cpu or cuda (default auto)")
    add("--device", default="0", help="index of the GPU (default 0)")


def add_display(add):
    """What is drawn, and how."""
    add("--centre", help="centre of the band to draw, in Hz (default: the recording's)")
    add("--span", help="width of the band to draw, in Hz (default: all)")
    levels = "range of colours and of the level axis in dB, as --levels -120,-20"
    add("--levels", metavar="LOW,HIGH", help=f"{levels} (default: from the levels)")
    colours = f"{', '.join(COLOURS)} (default {COLOURS[0]})"
    add("--colors", metavar="NAME", help=f"colours of the waterfall: {colours}")
    add(
        "--picture-size",
        metavar="WIDTHxHEIGHT",
        default=DEFAULT_SIZE,
        help="pixels, 640x480 to 8192x8192 (default %(default)s)",
    )


def add_output(add):
    """What is written. A name that ends in a slash is a folder, for files with the names
    of the recordings."""
    several = "for several recordings, the name of each, as PNG"
    add(
        "-o",
        "--output",
        help=f"PNG, SVG or PDF, or a folder (default {DEFAULT_PICTURE}; {several})",
    )
    add("--csv", help="also write frequency, mean and maximum power of every bin")
    rows = "also write the rows of the waterfall: .npy, or .csv as rtl_power does"
    add("--waterfall", metavar="FILE", help=rows)
    annotate = "also write the signals that are found as SigMF annotations (.sigmf-meta)"
    add("--annotate", metavar="FILE", help=annotate)
    progress = "show the progress bar at once, even if stderr is not a terminal"
    add("--progress", action="store_true", help=progress)


def run(arguments):
    """Runs the subcommand."""
    style = make_style(arguments)
    check_destinations(arguments, len(arguments.files))
    check_cluster(arguments)
    if arguments.cluster is None:
        check_engine(arguments.engine)
    statistics = (arguments.detector, arguments.hold)
    if arguments.annotate is not None and statistics != ("mean", "none"):
        raise InputError("--annotate finds signals in means: no --detector, no --hold")
    if len(arguments.files) == 1:
        recording = open_file(arguments.files[0], arguments)
        with rows_of([recording], arguments) as source:
            draw_recording(recording, recording.files, arguments, style, source)
    else:
        draw_recordings(arguments, style)


def open_file(name, arguments):
    """The Recording that one of the names means."""
    return open_recording(
        name,
        arguments.format,
        arguments.rate,
        arguments.freq,
        streams=True,
        urls=arguments.cluster is not None,
    )


def rows_of(recordings, arguments):
    """Context manager: the source of their rows."""
    if arguments.cluster is None:
        return nullcontext(Here())
    return OnCluster(arguments, recordings)


def draw_recordings(arguments, style):
    """Several recordings, one after the other. Raises CommandError at the end if some
    failed, InputError if all were wrong."""
    recordings, failures = [], []
    for name in arguments.files:
        with told(failures):
            recordings.append(open_file(name, arguments))
    recordings = distinct(recordings)
    count = len(recordings) + len(failures)
    check_names(recordings)
    inputs = (*arguments.files, *(file for each in recordings for file in each.files))
    with rows_of(recordings, arguments) as source:
        for recording in recordings:
            with told(failures):
                draw_recording(recording, inputs, arguments, style, source)
    if failures:
        wrong = (isinstance(failure, InputError) for failure in failures)
        error = InputError if len(failures) == count and all(wrong) else CommandError
        raise error(f"{len(failures)} of {count} recordings could not be drawn")


@contextmanager
def told(failures):
    """Tells an error and appends it to `failures`; the next recording goes on."""
    try:
        yield
    except NoCluster:
        raise
    except (CommandError, OSError, MemoryError) as error:
        warn(str(error) or "out of memory")
        failures.append(error)
