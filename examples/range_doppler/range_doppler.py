#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Range-Doppler map of a pulsed radar: how far targets are and how fast they come.

    range_doppler.py [--engine ENGINE] [--seed SEED] [--plot FILE]

A radar at 10 GHz sends 128 chirps of 20 us and 15 MHz, 100 us apart. Echoes of six
targets, 8 to 25 dB below the noise, arrive with ground clutter 10 dB above it. The 128
pulses of 2000 samples are a matrix: gpufft.fft2d_vcc transforms pulses to velocity and
range to frequency, where the product with the chirp's conjugate spectrum is the matched
filter, and gpufft.fft_vcc transforms back to range.
The exit status is 1 unless each target, and nothing else, is found within a cell.
"""

import argparse
import math
import sys
from dataclasses import dataclass

import numpy as np
from gnuradio import analog, blocks, fft, gpufft, gr

LIGHT = 299792458.0  # m/s
CARRIER = 10e9  # Hz
RATE = 20e6  # samples a second
BANDWIDTH = 15e6  # Hz, of the chirp
CHIRP = 400  # samples
COLUMNS = 2000  # samples from pulse to pulse
PULSES = 128
RANGE_CELL = LIGHT / (2 * RATE)  # 7.5 m
SPEED_CELL = LIGHT / CARRIER / 2 * RATE / (COLUMNS * PULSES)  # 1.17 m/s
NEAREST, FARTHEST = CHIRP, COLUMNS - CHIRP  # cells whose echoes are received whole
CLUTTER = 10  # dB over the noise
CLUTTER_SPEED = 7  # m/s: slower is not told from clutter
THRESHOLD = 15  # dB over the mean noise: once in 10^14 cells


@dataclass
class Target:
    """A target sent or found. Closing speeds are positive; levels are dB over the noise, of
    the echo in a sample or of the peak in the map."""

    distance: float  # m
    speed: float  # m/s
    level: float


# The last three are close together: two of one speed, two at one range.
TARGETS = (
    Target(3400, -52.0, -8),
    Target(6050, 24.3, -25),
    Target(8800, -13.6, -22),
    Target(10600, 61.7, -16),
    Target(10660, 61.7, -16),
    Target(10660, 52.0, -20),
)


def chirp_frequency():
    """The frequency in each sample of a chirp, Hz; the mean is 0."""
    return BANDWIDTH * ((np.arange(CHIRP) + 0.5) / CHIRP - 0.5)


def matched_filter():
    """The chirp's conjugate spectrum, its band weighted against sidelobes in range."""
    chirp = np.exp(2j * np.pi * np.cumsum(chirp_frequency()) / RATE)
    spectrum = np.fft.fft(chirp, COLUMNS)
    frequency = np.fft.fftfreq(COLUMNS, 1 / RATE)
    weight = 0.54 + 0.46 * np.cos(2 * np.pi * frequency / BANDWIDTH)
    return spectrum.conj() * np.where(np.abs(frequency) < BANDWIDTH / 2, weight, 0)


class RangeDoppler(gr.top_block):
    """Transmitter -> targets, clutter, noise -> 2-D FFT -> matched filter -> map."""

    def __init__(self, targets, engine="auto", seed=1):
        gr.top_block.__init__(self, "Range-Doppler map")
        echoes = blocks.add_cc()
        pulses = self._transmitter()
        for number, target in enumerate(targets):
            self.connect(*self._echo(pulses, target), (echoes, 2 + number))
        self.connect(pulses, *self._clutter(seed, engine), echoes)
        noise = analog.noise_source_c(analog.GR_GAUSSIAN, 1, seed)
        self.connect(noise, (echoes, 1))

        # Of alternating sign: speed 0 comes to the middle of the map.
        window = np.array(fft.window.blackmanharris(PULSES)) * (-1) ** np.arange(PULSES)
        taps = np.repeat(window, COLUMNS)
        self.transform = gpufft.fft2d_vcc(PULSES, COLUMNS, True, taps, engine=engine)
        self._map = blocks.vector_sink_f(COLUMNS)
        matrix = PULSES * COLUMNS
        self.connect(
            echoes,
            blocks.head(gr.sizeof_gr_complex, matrix),
            blocks.stream_to_vector(gr.sizeof_gr_complex, matrix),
            self.transform,
            blocks.vector_to_stream(gr.sizeof_gr_complex * COLUMNS, PULSES),
            blocks.multiply_const_vcc(matched_filter().tolist()),
            gpufft.fft_vcc(COLUMNS, False, [], engine=engine),
            blocks.complex_to_mag_squared(COLUMNS),
            self._map,
        )

    def _transmitter(self):
        """Chirps, all of one phase, and silence in between."""
        silence = [0.0] * (COLUMNS - CHIRP)
        gate = blocks.vector_source_c([1.0] * CHIRP + silence, True)
        pulses = blocks.multiply_cc()
        self.connect(
            blocks.vector_source_f(chirp_frequency().tolist() + silence, True),
            analog.frequency_modulator_fc(2 * math.pi / RATE),
            pulses,
        )
        self.connect(gate, (pulses, 1))
        return pulses

    def _echo(self, pulses, target):
        delay = round(target.distance / RANGE_CELL)
        doppler = 2 * target.speed / LIGHT * CARRIER
        return (
            pulses,
            blocks.delay(gr.sizeof_gr_complex, delay),
            blocks.rotator_cc(2 * math.pi * doppler / RATE),
            blocks.multiply_const_cc(10 ** (target.level / 20)),
        )

    def _clutter(self, seed, engine):
        """The ground: a random echo from every range, decaying, slowly varying."""
        random = np.random.default_rng(seed)
        cells = np.arange(NEAREST, FARTHEST)
        echo = random.standard_normal((len(cells), 2)) @ [1, 1j]
        taps = np.zeros(FARTHEST, complex)
        taps[NEAREST:] = echo * (NEAREST / cells)
        power = CHIRP * np.mean(np.abs(taps) ** 2)  # chirps overlap
        taps *= 10 ** (CLUTTER / 20) / math.sqrt(power)
        sway = blocks.multiply_cc()
        tone = analog.sig_source_c(RATE, analog.GR_COS_WAVE, 30, 0.2, 1)
        self.connect(tone, (sway, 1))
        return gpufft.fft_filter_ccc(1, taps.tolist(), engine=engine), sway

    def receive(self):
        """Runs; returns power over the mean noise by speed (upwards) and range."""
        self.run()
        power = np.reshape(self._map.data(), (PULSES, COLUMNS))
        return over_noise(power)


def over_noise(power):
    """Power over the mean noise, which is the median over ln 2: few cells hold more."""
    return power / (np.median(power) / math.log(2))


def speeds():
    return SPEED_CELL * (np.arange(PULSES) - PULSES // 2)


def find_targets(power):
    """The strongest of 9 speeds x 11 ranges around, above the threshold, off clutter."""
    strongest = np.zeros_like(power)
    for row in range(-4, 5):
        for column in range(-5, 6):
            moved = np.roll(power, (row, column), (0, 1))
            np.maximum(strongest, moved, out=strongest)
    peaks = (power == strongest) & (power > 10 ** (THRESHOLD / 10))
    peaks &= np.abs(speeds())[:, None] > CLUTTER_SPEED
    peaks[:, :NEAREST] = peaks[:, FARTHEST:] = False
    for row, column in np.argwhere(peaks):
        level = 10 * math.log10(power[row, column])
        yield Target(column * RANGE_CELL, speeds()[row], level)


def pair(targets, found):
    """Each target with the one found within a cell of it, or None."""

    def near(target, other):
        return (
            abs(other.distance - target.distance) <= RANGE_CELL
            and abs(other.speed - target.speed) <= SPEED_CELL
        )

    return [
        (target, next((other for other in found if near(target, other)), None))
        for target in targets
    ]


def plot(file, power, found):
    """The map with what was found, and its part around the last three targets."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (whole, part) = pyplot.subplots(
        1, 2, figsize=(12, 6), width_ratios=(2, 1), layout="constrained"
    )
    middle = TARGETS[-1]
    box = (middle.distance - 250, middle.distance + 190, middle.speed - 9, 74)
    inside = [t for t in found if box[0] < t.distance < box[1] and t.speed > box[2]]
    for axes, cells in ((whole, 4), (part, 1)):  # of range drawn as one, the strongest
        ranges = power[:, NEAREST:FARTHEST].reshape(PULSES, -1, cells).max(axis=2)
        image = axes.imshow(
            10 * np.log10(ranges),
            origin="lower",
            aspect="auto",
            interpolation="nearest",
            cmap="inferno",
            vmin=0,
            vmax=44,
            extent=(
                (NEAREST - 0.5) * RANGE_CELL,
                (FARTHEST - 0.5) * RANGE_CELL,
                speeds()[0] - SPEED_CELL / 2,
                speeds()[-1] + SPEED_CELL / 2,
            ),
        )
        axes.set(xlabel="Range (m)", ylabel="Closing speed (m/s)")
    figure.colorbar(image, label="Power over the noise (dB)", pad=0.02, extend="both")
    part.set(xlim=box[:2], ylim=box[2:])
    corners = (box[0], box[2]), box[1] - box[0], box[3] - box[2]
    whole.add_patch(pyplot.Rectangle(*corners, fill=False, color="white"))
    for target in found:
        place = (target.distance, target.speed)
        axes = part if target in inside else whole
        left = target in inside and target.distance < middle.distance - 30
        axes.plot(*place, "o", color="#4fc3f7", markersize=14, markerfacecolor="none")
        axes.annotate(
            f"{target.distance:.0f} m\n{target.speed:+.1f} m/s".replace("-", "−"),
            place,
            (-12 if left else 12, 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
            color="white",
        )
    whole.set_title(f"{len(found)} targets found; clutter at 0 m/s", loc="left")
    part.set_title("The box: three targets", loc="left")
    figure.savefig(file, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="auto", help="auto, cuda or cpu")
    parser.add_argument("--seed", type=int, default=1, help="seed of clutter and noise")
    parser.add_argument("--plot", metavar="FILE", help="write a picture")
    options = parser.parse_args()

    flowgraph = RangeDoppler(TARGETS, options.engine, options.seed)
    power = flowgraph.receive()
    found = list(find_targets(power))
    if options.plot:
        plot(options.plot, power, found)
    print(f"engine {flowgraph.transform.engine()}, matrix of {PULSES} x {COLUMNS}")
    print(" target            found")
    pairs = pair(TARGETS, found)
    for target, other in pairs:
        line = f"{target.distance:6.0f} m {target.speed:6.1f} m/s"
        if other:
            line += f"  {other.distance:6.0f} m {other.speed:6.1f} m/s"
            line += f" {other.level:5.1f} dB"
        print(line)
    missed = sum(other is None for _, other in pairs)
    false = len(found) + missed - len(TARGETS)
    print(f"{missed} missed, {false} false")
    return int(missed or false)


if __name__ == "__main__":
    sys.exit(main())
