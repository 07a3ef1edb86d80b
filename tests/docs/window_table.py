#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the table of windows of docs/choosing.md: figures of merit as in F. J. Harris, "On
the use of windows for harmonic analysis with the discrete Fourier transform", Proc. IEEE
66(1), 1978, from the taps that the blocks use."""

import numpy as np
from gnuradio import gpufft

WINDOWS = ("none", "hann", "hamming", "blackmanharris", "flattop", ("kaiser", 8.6))
SIZE = 1024
FINE = 64  # points of the response in one bin


def response(taps):
    """Magnitude of the response in steps of 1 / FINE bin, 1 in the middle."""
    return np.abs(np.fft.rfft(taps, FINE * len(taps))) / np.sum(taps)


def width(levels, decibels):
    """Full width in bins where the main lobe is so far below its top."""
    below = np.argmax(levels < 10 ** (-decibels / 20))
    x = np.interp(
        10 ** (-decibels / 20), levels[below - 1 : below + 1][::-1], [below, below - 1]
    )
    return 2 * x / FINE


def highest_sidelobe(levels):
    """In dB below the main lobe; the flat top's ripple is of the main lobe."""
    edge = np.argmax(levels < 0.5)
    rise = edge + np.argmax(np.diff(levels[edge:]) > 0)
    return -20 * np.log10(levels[rise:].max())


def variance(taps, overlap):
    """Of a mean over a long stretch of noise, over that of frames without overlap."""
    hop = round(len(taps) * (1 - overlap))
    correlations = [
        np.dot(taps[shift:], taps[: len(taps) - shift]) / np.dot(taps, taps)
        for shift in range(hop, len(taps), hop)
    ]
    return hop / len(taps) * (1 + 2 * np.sum(np.square(correlations)))


def row(window):
    taps = np.array(gpufft.window_taps(window, SIZE))
    levels = response(taps)
    name = window if isinstance(window, str) else f'("{window[0]}", {window[1]})'
    figures = [
        f"{SIZE * np.sum(taps**2) / np.sum(taps) ** 2:.2f}",
        f"{width(levels, 3.0):.2f}",
        f"{width(levels, 6.0):.2f}",
        f"{-20 * np.log10(levels[FINE // 2]):.2f}",
        f"{highest_sidelobe(levels):.0f}",
        f"{variance(taps, 0.5):.2f}",
        f"{variance(taps, 0.75):.2f}",
    ]
    return f"| `{name}` | " + " | ".join(figures) + " |"


def main():
    print(
        "| window | ENBW, bins | −3 dB width | −6 dB width | scalloping, dB "
        "| highest sidelobe, dB below | variance at overlap 1/2 | at 3/4 |"
    )
    print("|" + " --- |" * 8)
    for window in WINDOWS:
        print(row(window))


if __name__ == "__main__":
    main()
