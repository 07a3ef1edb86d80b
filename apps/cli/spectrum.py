# SPDX-License-Identifier: GPL-3.0-or-later
"""`gpufft spectrum FILE`: the spectrum and waterfall of a recording."""

import sys

import numpy as np
from gnuradio import gpufft

from .errors import CommandError, errors_of_blocks
from .flowgraph import SpectrumFlowgraph, make_spectrum
from .formats import EXTENSIONS, FORMATS
from .framing import DEFAULT_ROWS, DEFAULT_SIZE, make_framing
from .output import OutputFile
from .progress import progress_bar
from .quantities import parse_integer, parse_number
from .recording import open_recording
from .waterfall import Waterfall


def add_parser(subparsers):
    """Adds the subcommand and its options."""
    parser = subparsers.add_parser(
        "spectrum",
        help="spectrum and waterfall of a recording, as PNG and CSV",
        description="Computes the power spectrum of a recording in a GNU Radio flowgraph "
        "and draws it with its waterfall. Levels: dBFS/Hz where the sample rate is known "
        "(a full-scale complex tone has 0 dBFS), else dBFS per bin.",
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    raw = ", ".join(EXTENSIONS)
    add("file", help=f"SigMF (.sigmf-meta), WAV (I/Q in two channels) or raw ({raw})")

    add = parser.add_argument_group("what the file holds").add_argument
    add("--format", help=f"sample format: {', '.join(FORMATS)}")
    add("--rate", help="sample rate in Hz, e.g. 2.4M")
    add("--freq", help="centre frequency in Hz, e.g. 1090M")
    add("--start", default="0", help="seconds to skip (default 0)")
    add("--duration", help="seconds to use (default: all)")

    add = parser.add_argument_group("transform").add_argument
    add("--size", help=f"FFT length (default {DEFAULT_SIZE}, less for short files)")
    add(
        "--overlap",
        default="0.5",
        help="overlap of frames, 0 <= overlap < 1 (default 0.5)",
    )
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

    add = parser.add_argument_group("output").add_argument
    add("-o", "--output", default="spectrum.png", help="PNG (default %(default)s)")
    add("--csv", help="also write frequency and mean power of every bin")
    progress = "show the progress bar at once, even if stderr is not a terminal"
    add("--progress", action="store_true", help=progress)


def run(arguments):
    """Runs the subcommand."""
    recording = open_recording(
        arguments.file, arguments.format, arguments.rate, arguments.freq
    )
    for note in recording.notes:
        warn(note)
    framing = make_framing(recording, arguments)
    device = parse_integer(arguments.device, "--device", 0, 1023)
    png_path, csv_path = arguments.output, arguments.csv
    with OutputFile(png_path, ".png", recording.files) as png, OutputFile(
        csv_path, apart_from=(*recording.files, png_path)
    ) as csv:
        from . import picture, report  # matplotlib takes half a second to import

        window = parse_window(arguments.window)
        spectrum = make_block(recording, framing, arguments, window, device)
        waterfall = Waterfall(framing.size, framing.rows)
        seconds = compute(recording, framing, spectrum, waterfall, arguments.progress)
        check_rows(waterfall, framing, spectrum)
        taps = np.array(gpufft.window_taps(window, framing.size))
        view = report.make_view(recording, framing, spectrum, taps, waterfall)
        png.save(picture.draw, view)
        csv.save(report.write_csv, view)
    print(report.closing_line(framing, spectrum, seconds, view))


def warn(message):
    """One line on stderr."""
    print(f"gpufft: {message}", file=sys.stderr)


def parse_window(text):
    """NAME, or NAME:PARAMETER as (name, parameter)."""
    name, colon, parameter = text.partition(":")
    return (name, parse_number(parameter, "--window")) if colon else name


def check_engine(name):
    """Raises CommandError if it is "cuda" and that is not here."""
    cuda = gpufft.query_cuda()
    if name == "cuda" and not cuda["usable"]:
        raise CommandError(f"engine cuda cannot be used here: {cuda['reason']}")


def make_block(recording, framing, arguments, window, device):
    """The power spectrum block; what it refuses is an error of the command line."""
    check_engine(arguments.engine)
    density = recording.rate is not None
    with errors_of_blocks():
        return make_spectrum(
            recording.format,
            fft_size=framing.size,
            hop=framing.hop,
            window=window,
            average=framing.average,
            mode="linear",
            shift=True,
            scaling="density" if density else "spectrum",
            sample_rate=recording.rate if density else 1.0,
            detector=arguments.detector,
            hold=arguments.hold,
            engine=arguments.engine,
            device=device,
        )


def compute(recording, framing, spectrum, waterfall, force_progress):
    """Runs the flowgraph into `waterfall`; returns the seconds it took."""
    try:
        graph = SpectrumFlowgraph(
            recording, framing.first, framing.samples, spectrum, waterfall.add
        )
        with progress_bar(framing.samples, "samples", force_progress, True) as bar:
            return graph.run_with(
                lambda: bar.update(waterfall.rows * framing.average * framing.hop - bar.n)
            )
    except (RuntimeError, MemoryError) as error:
        raise CommandError(str(error) or "out of memory") from None


def check_rows(waterfall, framing, spectrum):
    """Raises CommandError if the flowgraph ended early or nothing was finite."""
    if waterfall.rows < framing.rows:
        raise CommandError(
            f"the flowgraph ended after {waterfall.rows} of {framing.rows} rows: "
            f"{spectrum.error() or 'the file is shorter than its size'}"
        )
    if waterfall.rows_left_out == waterfall.rows:
        raise CommandError(
            f"every one of the {waterfall.rows} rows has NaN or Inf: nothing to draw"
        )
    if waterfall.rows_left_out:
        warn(
            f"{waterfall.rows_left_out} of {waterfall.rows} rows hold NaN or Inf samples "
            f"and are left out"
        )
