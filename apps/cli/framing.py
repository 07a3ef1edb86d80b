# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuts a part of a recording into frames and rows, as the command line says."""

from dataclasses import dataclass

from .errors import InputError
from .quantities import parse_integer, parse_number, parse_positive

DEFAULT_SIZE = 4096
DEFAULT_ROWS = 500  # of the waterfall, about
KURTOSIS_FRAMES = 100  # in a row, at least: noise then reads 1, give or take 0.2


@dataclass
class Framing:
    """How a part of a recording is cut; in samples, but average (frames) and rows."""

    first: int
    samples: int
    size: int
    hop: int
    average: int
    rows: int


def make_framing(recording, arguments):
    """Checks the numbers of the command line against the recording."""
    first, samples = part_of(recording, arguments.start, arguments.duration)
    if samples < 2:
        raise InputError(
            f"{recording.path}: {samples} sample is too short for a spectrum, "
            f"at least 2 are needed"
        )
    size = min(DEFAULT_SIZE, 1 << (samples.bit_length() - 1))
    if arguments.size is not None:
        size = parse_integer(arguments.size, "--size", 2)
    if size > samples:
        raise InputError(f"--size {size} is more than the {samples} samples to transform")
    overlap = parse_number(arguments.overlap, "--overlap")
    if not 0 <= overlap < 1:
        raise InputError(
            f"--overlap {arguments.overlap} is out of range: 0 <= overlap < 1"
        )
    hop = max(1, round(size * (1 - overlap)))
    frames = (samples - size) // hop + 1
    average = -(-frames // DEFAULT_ROWS)
    if arguments.detector == "kurtosis":
        average = max(average, min(frames, KURTOSIS_FRAMES))
    if arguments.average is not None:
        average = parse_integer(arguments.average, "--average", 1)
    if average > frames:
        raise InputError(
            f"--average {average} is more than the {frames} frames of {size} "
            f"samples in the recording"
        )
    return Framing(first, samples, size, hop, average, frames // average)


def part_of(recording, start, duration):
    """First sample and number of samples for --start and --duration."""
    seconds = parse_number(start, "--start")
    if recording.rate is None:
        if seconds != 0 or duration is not None:
            raise InputError(
                "--start and --duration are seconds: give the sample rate too, "
                "with --rate"
            )
        return 0, recording.samples
    first = seconds * recording.rate
    if not 0 <= first < recording.samples - 0.5:  # it may be infinite
        raise InputError(
            f"--start {start} is outside the recording, which has "
            f"{recording.samples / recording.rate:g} s"
        )
    first = round(first)
    samples = recording.samples - first
    if duration is not None:
        wanted = parse_positive(duration, "--duration") * recording.rate
        samples = round(min(samples, wanted))
    return first, samples
