# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a row of bins that is drawn, searched for peaks and written."""

from dataclasses import dataclass

from .errors import InputError
from .quantities import HERTZ, parse_number, parse_positive

FEWEST_BINS = 4  # of a part that --span chooses
MIRRORED_BINS = 2  # of real samples, next to 0: their noise is no complex Gaussian one


@dataclass(frozen=True)
class Band:
    """Neighbouring bins of a row, the lowest frequency first. Frequencies: Hz, or cycles
    a sample where the rate is unknown."""

    first: int  # index in the row
    bins: int
    start: float  # frequency of the first bin
    step: float  # from bin to bin
    mirrored: bool = False  # real samples from 0 on: the first bins see their image, too

    @property
    def end(self):
        """Frequency of the bin behind the last one."""
        return self.start + self.bins * self.step

    @property
    def slice(self):
        """The bins in a row."""
        return slice(self.first, self.first + self.bins)

    def frequency(self, position):
        """Of a bin of the band, which may be a fraction."""
        return self.start + position * self.step


def whole_band(recording, size):
    """All bins of complex samples; from zero to half the rate for real ones, whose other
    half is the mirror image. `frequency` is the middle of complex samples and the zero of
    real ones."""
    step = (recording.rate or 1.0) / size
    zero = size // 2  # where the row has the frequency 0
    first = zero if recording.is_real else 0
    start = (recording.frequency or 0.0) + (first - zero) * step
    return Band(first, size - first, start, step, mirrored=recording.is_real)


def choose_band(recording, size, centre, span):
    """The band for --centre and --span, texts or None.

    A band that reaches over an edge is moved to lie within, as in the analyzer; without
    --span it reaches from the centre to the nearer edge on both sides.
    """
    whole = whole_band(recording, size)
    if centre is None and span is None:
        return whole
    middle = (whole.start + whole.end) / 2
    if centre is not None:
        middle = parse_number(centre, "--centre", HERTZ)
        if not whole.start <= middle <= whole.end:
            raise InputError(
                f"--centre {centre} is outside the recording's band, which is "
                f"{whole.start:.12g} ... {whole.end:.12g}{unit(recording)}"
            )
    width = 2 * min(middle - whole.start, whole.end - middle)
    if span is not None:
        width = min(parse_positive(span, "--span", HERTZ), whole.end - whole.start)
    bins = round(width / whole.step)
    if bins < min(FEWEST_BINS, whole.bins):
        raise InputError(
            f"the band of {width:.6g}{unit(recording)} to show is less than "
            f"{FEWEST_BINS} bins of {whole.step:.6g}{unit(recording)}: give a larger "
            f"--span or --size"
        )
    first = round((middle - width / 2 - whole.start) / whole.step)
    first = min(max(first, 0), whole.bins - bins)
    start = whole.frequency(first)
    return Band(
        whole.first + first,
        bins,
        start,
        whole.step,
        mirrored=whole.mirrored and first == 0,
    )


def unit(recording):
    """What follows a frequency."""
    return " cycles a sample" if recording.rate is None else " Hz"
