# SPDX-License-Identifier: GPL-3.0-or-later
"""One recording of `gpufft spectrum`: computed, drawn and written."""

import re
import sys

import numpy as np
from gnuradio import gpufft

from . import annotations, tables
from .band import choose_band
from .destinations import destinations_of, open_outputs
from .errors import CommandError, InputError, errors_of_blocks
from .flowgraph import SpectrumFlowgraph, make_spectrum
from .formats import sample_bytes
from .framing import make_framing
from .levels import silence_level, tone_offset
from .progress import progress_bar
from .quantities import NO_UNIT, parse_integer, parse_number
from .waterfall import Waterfall


def draw_recording(recording, inputs, arguments, style, source):
    """Everything for one recording; inputs: all files that the command reads; source: of
    the rows, as Here."""
    is_one = len(arguments.files) == 1
    for note in recording.notes:
        warn(note)
    framing = make_framing(recording, arguments)
    band = choose_band(recording, framing.size, arguments.centre, arguments.span)
    if arguments.annotate is not None:
        annotations.check_describable(recording)
    taps = window_taps(arguments.window, framing.size)
    check_weight(taps, arguments.window)
    names = destinations_of(arguments, recording, is_one)
    with open_outputs(names, inputs) as outputs:
        spectrum = source.spectrum(recording, framing, arguments)
        waterfall = Waterfall(band.bins, framing.rows, *style.image_limits)
        table = make_table(
            outputs.waterfall, names.waterfall, recording, framing, band, spectrum
        )

        def add(rows):
            waterfall.add(rows)
            table.add(rows)

        def run(progress):
            return source.run(recording, framing, band, spectrum, add, progress)

        seconds = compute(run, framing, waterfall, arguments.progress)
        if recording.descriptor is not None:
            framing = end_of_stream(waterfall, framing)
        check_rows(waterfall, framing, spectrum)
        table.close()
        from . import picture, report  # matplotlib takes half a second to import

        boxes = told_once(annotations.read(recording)) if recording.rate else []
        view = report.make_view(
            recording, framing, band, spectrum, taps, waterfall, boxes
        )
        format = names.output.rpartition(".")[2].lower()
        outputs.output.save(picture.draw, (view, style, format))
        outputs.csv.save(tables.write_csv, view)
        if names.annotate is not None:
            found = find_signals(recording, framing, band, taps, waterfall)
            content = (recording, found, names.annotate)
            outputs.annotate.save(annotations.write_detections, content)
    line = report.closing_line(framing, spectrum, seconds, view)
    print(line if is_one else f"{names.output}: {line}")


def find_signals(recording, framing, band, taps, waterfall):
    """The detections of a waterfall."""
    from . import detections  # scipy takes time to import, too

    silence = silence_level(recording.format, framing.size, recording.rate, taps)
    tone = tone_offset(recording, band, taps)
    return detections.find_detections(waterfall, framing, band, taps, silence, tone)


def make_table(output, path, recording, framing, band, spectrum):
    """The table of the waterfall's rows, which may be none."""
    if path is None:
        return tables.RowTable(None, None, False)
    start = told_once(annotations.start_time(recording))
    return tables.make_row_table(
        output, path, recording, framing, band, spectrum.detector(), start
    )


def told_once(result):
    """The first of (value, note); the note, if any, is told."""
    value, note = result
    if note is not None:
        warn(note)
    return value


def warn(message):
    """One line on stderr."""
    print(f"gpufft: {message}", file=sys.stderr)


def parse_window(text):
    """NAME, or NAME:PARAMETER as (name, parameter)."""
    name, colon, parameter = text.partition(":")
    return (name, parse_number(parameter, "--window", NO_UNIT)) if colon else name


def window_taps(text, size):
    """The taps of a window as --window says it. Raises InputError, CommandError."""
    window = parse_window(text)
    try:
        with errors_of_blocks():
            return np.array(gpufft.window_taps(window, size))
    except InputError as error:  # the library writes it as in Python
        message = re.sub(r"\('(\w+)', ([\d.]+)\)", r"\1:\2", str(error))
        raise InputError(message) from None


def check_weight(taps, window):
    """Raises InputError if a window of few taps has none above 0."""
    if len(taps) and not taps.any():
        raise InputError(
            f"--window {window} is 0 at all {len(taps)} samples of a frame: use --window "
            f"none or a larger --size"
        )


def check_engine(name):
    """Raises CommandError if it is "cuda" and that is not here."""
    cuda = gpufft.query_cuda()
    if name == "cuda" and not cuda["usable"]:
        raise CommandError(f"engine cuda cannot be used here: {cuda['reason']}")


class Here:
    """Rows of power from a flowgraph of this process."""

    def spectrum(self, recording, framing, arguments):
        """The power spectrum block."""
        parameters = spectrum_parameters(recording, framing, arguments)
        return make_block(recording, parameters)

    def run(self, recording, framing, band, spectrum, add, progress):
        """Gives the rows' bins of the band to add(); returns the seconds it took."""
        graph = SpectrumFlowgraph(
            recording,
            framing.first,
            framing.samples,
            spectrum,
            lambda rows: add(rows[:, band.slice]),
        )
        seconds = graph.run_with(progress)
        if framing.samples is None and graph.left_out:
            warn(
                f"{recording.path}: the last {graph.left_out} bytes are no whole "
                f"{recording.format} sample ({sample_bytes(recording.format)} bytes) and "
                f"are left out"
            )
        return seconds


def spectrum_parameters(recording, framing, arguments):
    """Parameters of the power spectrum block, as make_spectrum() takes them."""
    density = recording.rate is not None
    return {
        "fft_size": framing.size,
        "hop": framing.hop,
        "window": parse_window(arguments.window),
        "average": framing.average,
        "mode": "linear",
        "shift": True,
        "scaling": "density" if density else "spectrum",
        "sample_rate": recording.rate if density else 1.0,
        "detector": arguments.detector,
        "hold": arguments.hold,
        "engine": arguments.engine,
        "device": parse_integer(arguments.device, "--device", 0, 1023),
    }


def make_block(recording, parameters):
    """The block with these parameters. What it refuses is an error of the command line."""
    with errors_of_blocks():
        return make_spectrum(recording.format, **parameters)


def compute(run, framing, waterfall, force_progress):
    """Calls run(progress) under a progress bar; returns what it returns."""
    try:
        with progress_bar(framing.samples, "samples", force_progress, True) as bar:
            return run(
                lambda: bar.update(waterfall.rows * framing.average * framing.hop - bar.n)
            )
    except (RuntimeError, MemoryError) as error:
        raise CommandError(str(error) or "out of memory") from None


def end_of_stream(waterfall, framing):
    """The framing of what has come."""
    if waterfall.rows == 0:
        raise CommandError(
            f"the stream ended before it had a row of {framing.average} frames of "
            f"{framing.size} samples"
        )
    if framing.rows is not None and waterfall.rows < framing.rows:
        warn(f"the stream ended early: {waterfall.rows} of {framing.rows} rows are there")
    waterfall.end()
    return framing.end_after(waterfall.rows)


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
