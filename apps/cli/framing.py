# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuts a part of a recording into frames and rows, as the command line says."""

from dataclasses import dataclass, replace
from typing import Optional

from .errors import InputError
from .quantities import (
    SECONDS,
    parse_integer,
    parse_number,
    parse_positive,
    parse_ratio,
    parse_size,
)

DEFAULT_SIZES = (4096, 2048, 1024, 512, 256)
DEFAULT_ROWS = 500  # of the waterfall, about
FEWEST_ROWS = 200  # that the default size makes, if the samples suffice
OVERLAP, OVERLAP_OF_SHORT = 0.5, 0.75
STREAM_ROW = 1e-3  # s, of a row of a stream whose length nobody knows,
STREAM_FRAMES = 8  # frames of a stream whose rate is not known either
LONGEST_STREAM = 2**62  # samples
KURTOSIS_FRAMES = 100  # in a row, at least: noise then reads 1, give or take 0.2
FEWEST_KURTOSIS_FRAMES = 2  # of a short recording


@dataclass
class Framing:
    """How a part of a recording is cut; in samples, but average (frames) and rows. A stream
    whose end is not known has no number of samples and rows."""

    first: int
    samples: Optional[int]
    size: int
    hop: int
    average: int
    rows: Optional[int]

    def end_after(self, rows):
        """The framing of a stream that has ended after `rows` rows."""
        samples = (rows * self.average - 1) * self.hop + self.size
        return replace(self, samples=samples, rows=rows)


def make_framing(recording, arguments):
    """Checks the numbers of the command line against the recording."""
    first, samples = part_of(recording, arguments.start, arguments.duration)
    if samples is None:
        return make_stream_framing(recording, arguments, first)
    if samples < 2:
        raise InputError(
            f"{recording.path}: {samples} sample is too short for a spectrum, "
            f"at least 2 are needed"
        )
    size, hop = choose_size(samples, arguments)
    if size > samples:
        raise InputError(f"--size {size} is more than the {samples} samples to transform")
    frames = count_frames(samples, size, hop)
    average = -(-frames // DEFAULT_ROWS)
    if arguments.detector == "kurtosis":
        if frames < FEWEST_KURTOSIS_FRAMES:
            raise InputError(
                f"--detector kurtosis needs {FEWEST_KURTOSIS_FRAMES} frames or more: "
                f"{samples} samples have {frames} of {size} with a hop of {hop}"
            )
        average = max(average, min(frames, KURTOSIS_FRAMES))
    if arguments.average is not None:
        average = parse_integer(arguments.average, "--average", 1)
    if average > frames:
        raise InputError(
            f"--average {average} is more than the {frames} frames of {size} "
            f"samples in the recording"
        )
    return Framing(first, samples, size, hop, average, frames // average)


def choose_size(samples, arguments):
    """(FFT length, hop) for --size, --overlap and --hop.

    The default size is the largest of DEFAULT_SIZES that makes FEWEST_ROWS rows; for the
    kurtosis, that many rows of KURTOSIS_FRAMES. If no size makes that many, frames
    overlap by OVERLAP_OF_SHORT (not for the kurtosis, which wants independent frames).
    Frames are no shorter than a given hop.
    """
    is_kurtosis = arguments.detector == "kurtosis"
    if arguments.size is not None:
        size = parse_size(arguments.size, "--size", 2)
        return size, parse_hop(arguments, size)
    wanted = FEWEST_ROWS * (KURTOSIS_FRAMES if is_kurtosis else 1)
    for size in DEFAULT_SIZES:
        hop = parse_hop(arguments, size)
        is_shortest = arguments.hop is not None and 2 * hop > size
        if is_shortest or count_frames(samples, size, hop) >= wanted:
            return size, hop
    size = min(size, 1 << (samples.bit_length() - 1))
    overlap = OVERLAP if is_kurtosis else OVERLAP_OF_SHORT
    hop = parse_hop(arguments, size, overlap)
    if is_kurtosis and count_frames(samples, size, hop) < FEWEST_KURTOSIS_FRAMES:
        size //= 2
        hop = parse_hop(arguments, size, overlap)
    return size, hop


def parse_hop(arguments, size, overlap=OVERLAP):
    """Samples from frame to frame, for --hop or --overlap or, without both, this overlap."""
    if arguments.hop is not None:
        if arguments.overlap is not None:
            raise InputError("--hop and --overlap say the same: use one of them")
        return parse_integer(arguments.hop, "--hop", 1, size)
    if arguments.overlap is not None:
        overlap = parse_ratio(arguments.overlap, "--overlap")
    return max(1, round(size * (1 - overlap)))


def count_frames(samples, size, hop):
    """The number of whole frames in `samples` samples."""
    return max(0, (samples - size) // hop + 1)


def make_stream_framing(recording, arguments, first):
    """The same for a stream without a known end: rows of about a millisecond."""
    size, hop = choose_size(LONGEST_STREAM, arguments)
    average = STREAM_FRAMES
    if recording.rate is not None:
        average = max(1, round(recording.rate * STREAM_ROW / hop))
    if arguments.detector == "kurtosis":
        average = max(average, KURTOSIS_FRAMES)
    if arguments.average is not None:
        average = parse_integer(arguments.average, "--average", 1)
    return Framing(first, None, size, hop, average, None)


def part_of(recording, start, duration):
    """First sample and number of samples for --start and --duration; None for all of a stream
    without a known end."""
    seconds = parse_number(start, "--start", SECONDS)
    if recording.rate is None:
        if seconds != 0 or duration is not None:
            raise InputError(
                "--start and --duration are seconds: give the sample rate too, "
                "with --rate"
            )
        return 0, recording.samples
    first = seconds * recording.rate
    if recording.samples is None:
        if not 0 <= first < LONGEST_STREAM:
            raise InputError(f"--start {start} is out of range: it must be 0 or more")
        if duration is None:
            return round(first), None
        wanted = parse_positive(duration, "--duration", SECONDS) * recording.rate
        return round(first), round(min(wanted, LONGEST_STREAM))
    if not 0 <= first < recording.samples - 0.5:  # it may be infinite
        raise InputError(
            f"--start {start} is outside the recording, which has "
            f"{recording.samples / recording.rate:g} s"
        )
    first = round(first)
    samples = recording.samples - first
    if duration is not None:
        wanted = parse_positive(duration, "--duration", SECONDS) * recording.rate
        samples = round(min(samples, wanted))
    return first, samples
