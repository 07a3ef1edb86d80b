#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twenty FM broadcast stations at once, each demodulated to its audio.

    fm_band.py [--engine ENGINE] [--seed SEED] [--plot FILE]

Twenty stations between 94 and 102 MHz, up to 25 dB apart in level and 300 to 500 kHz
from one to the next, each play their own note beside the stereo pilot, in noise. One
gpufft.channel_bank_cc extracts all of them from 8 million samples a second: a single FFT
of the input, a filter and a frequency for each station. GNU Radio's quadrature
demodulators and audio filters follow. The program measures each station's note,
deviation and signal-to-noise ratio.
The exit status is 1 unless every station plays its note, as clearly as FM theory says.
"""

import argparse
import math
import sys
from dataclasses import dataclass

import numpy as np
from gnuradio import analog, blocks, filter, gpufft, gr

RATE = 8e6  # samples a second
CENTER = 98e6  # Hz
STATIONS = 20
NOISE = -119  # dBFS/Hz
LEVELS = (-50, -25)  # dBFS, the weakest and strongest station
DEVIATION = 60e3  # Hz, of the note
PILOT = 7.5e3  # Hz, of the stereo pilot at 19 kHz
SECONDS = 0.3

DECIMATION = 32
CHANNEL_RATE = RATE / DECIMATION  # 250 kHz
AUDIO_DECIMATION = 5
AUDIO_RATE = CHANNEL_RATE / AUDIO_DECIMATION  # 50 kHz
SETTLING = 500  # audio samples, until all filters are full
SIZE = 4096  # of the spectrum
NAMES = ("A", "A♯", "B", "C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯")


@dataclass
class Station:
    """Frequency (Hz from the centre), level (dBFS), note (Hz)."""

    offset: float
    level: float
    note: float


@dataclass
class Reception:
    """What is heard: the note's frequency and deviation in Hz, its SNR in dB."""

    note: float
    deviation: float
    clarity: float


def make_stations(random):
    """Stations on a raster of 100 kHz, each with its own semitone from A4 (440 Hz) up."""
    offsets = -3.9e6 + 0.4e6 * np.arange(STATIONS)
    offsets += 0.1e6 * random.integers(0, 2, STATIONS)
    levels = random.permutation(np.linspace(*LEVELS, STATIONS))
    notes = 440 * 2 ** (random.permutation(STATIONS) / 12)
    return [Station(*values) for values in zip(offsets, levels, notes)]


def channel_taps():
    """Taps for a station: they pass 110 kHz and stop from 150 kHz."""
    return filter.firdes.low_pass_2(1, RATE, 130e3, 40e3, 70)


def audio_taps():
    """Taps that pass 14 kHz and stop from 18 kHz, below the pilot."""
    return filter.firdes.low_pass_2(1, CHANNEL_RATE, 16e3, 4e3, 80)


class FmBand(gr.top_block):
    """Stations and noise -> channel bank -> a demodulator for each; and the spectrum."""

    def __init__(self, stations, engine="auto", seed=1):
        gr.top_block.__init__(self, "FM band")
        band = blocks.add_cc()
        for number, station in enumerate(stations):
            self.connect(self._transmitter(station), (band, 1 + number))
        amplitude = math.sqrt(RATE * 10 ** (NOISE / 10))
        noise = analog.fastnoise_source_c(analog.GR_GAUSSIAN, amplitude, seed, 1 << 20)
        samples = int(SECONDS * RATE)
        self.connect(noise, blocks.head(gr.sizeof_gr_complex, samples), band)

        self.bank = gpufft.channel_bank_cc(
            DECIMATION,
            channel_taps(),
            [station.offset for station in stations],
            RATE,
            engine=engine,
        )
        self.connect(band, self.bank)
        self._audio = [self._receiver(number) for number in range(len(stations))]
        self._spectrum = blocks.vector_sink_f(SIZE)
        spectrum = gpufft.power_spectrum_cf(
            SIZE,
            hop=SIZE // 2,
            window="blackmanharris",
            average=samples // (SIZE // 2) - 1,
            mode="db",
            scaling="density",
            samp_rate=RATE,
            engine=engine,
        )
        self.connect(band, spectrum, self._spectrum)

    def _transmitter(self, station):
        """Note and pilot at a low rate, then up, then FM around the station's place."""
        baseband = blocks.add_ff()
        for port, (hertz, deviation) in enumerate(
            ((station.note, DEVIATION), (19e3, PILOT))
        ):
            tone = analog.sig_source_f(CHANNEL_RATE, analog.GR_SIN_WAVE, hertz, deviation)
            self.connect(tone, (baseband, port))
        smooth = filter.firdes.low_pass_2(DECIMATION, RATE, 100e3, 50e3, 80)
        modulated = blocks.multiply_const_cc(10 ** (station.level / 20))
        self.connect(
            baseband,
            filter.interp_fir_filter_fff(DECIMATION, smooth),
            blocks.add_const_ff(station.offset),
            analog.frequency_modulator_fc(2 * math.pi / RATE),
            modulated,
        )
        return modulated

    def _receiver(self, number):
        """Demodulates one channel to Hz, then to audio; returns the sink."""
        sink = blocks.vector_sink_f()
        self.connect(
            (self.bank, number),
            analog.quadrature_demod_cf(CHANNEL_RATE / (2 * math.pi)),
            filter.fir_filter_fff(AUDIO_DECIMATION, audio_taps()),
            sink,
        )
        return sink

    def receive(self):
        """Runs; returns audio in Hz by station and time, and the spectrum in dBFS/Hz."""
        self.run()
        audio = np.array([sink.data()[SETTLING:] for sink in self._audio])
        return audio, np.reshape(self._spectrum.data(), (-1, SIZE))[0]


def measure(audio):
    """The strongest tone of one station's audio: the sinusoid with the least residual."""
    time = np.arange(len(audio)) / AUDIO_RATE

    def fit(hertz):
        basis = np.exp(2j * np.pi * hertz * time)
        basis = np.stack([basis.real, basis.imag, np.ones(len(audio))], axis=1)
        weights, *_ = np.linalg.lstsq(basis, audio, rcond=None)
        return np.hypot(*weights[:2]), np.mean((audio - basis @ weights) ** 2)

    spectrum = np.abs(np.fft.rfft((audio - audio.mean()) * np.hanning(len(audio))))
    cell = AUDIO_RATE / len(audio)
    note = spectrum.argmax() * cell
    while cell > 1e-3:  # Hz
        cell /= 2
        note = min((note - cell, note, note + cell), key=lambda hertz: fit(hertz)[1])
    deviation, rest = fit(note)
    return Reception(note, deviation, 10 * math.log10(deviation**2 / 2 / rest))


def expected_clarity(station):
    """The signal-to-noise ratio of theory, in dB: a carrier of power A^2 in noise of
    density N has noise of density f^2 N / (2 A^2) in its frequency."""
    taps = np.array(audio_taps())
    frequency = np.fft.fftfreq(8192, 1 / CHANNEL_RATE)
    density = (frequency * np.abs(np.fft.fft(taps, 8192))) ** 2
    noise = density.sum() * CHANNEL_RATE / 8192 / 2 * 10 ** ((NOISE - station.level) / 10)
    return 10 * math.log10(DEVIATION**2 / 2 / noise)


def is_right(station, heard):
    return (
        abs(heard.note - station.note) < 1
        and abs(heard.deviation / DEVIATION - 1) < 0.02
        and heard.clarity > expected_clarity(station) - 2
    )


def note_name(hertz):
    """The name of a note from A4 up, e.g. C5."""
    semitones = round(12 * math.log2(hertz / 440))
    return f"{NAMES[semitones % 12]}{4 + (semitones + 9) // 12}"


def plot(file, stations, audio, spectrum, heard):
    """The band's spectrum with the notes heard, and each station's audio spectrum."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (band, notes) = pyplot.subplots(
        2, 1, figsize=(12, 8), sharex=True, layout="constrained"
    )
    frequency = CENTER + (np.arange(SIZE) - SIZE // 2) * RATE / SIZE
    band.plot(frequency / 1e6, spectrum, color="#0b5394", linewidth=0.8)
    places = [(CENTER + station.offset) / 1e6 for station in stations]
    for place, one in zip(places, heard):
        level = spectrum[np.abs(frequency / 1e6 - place) < 0.1].max()
        band.text(place, level + 1, note_name(one.note), ha="center")
    band.set(ylabel="Power density (dBFS/Hz)", ylim=(None, spectrum.max() + 8))
    band.set_title(f"{STATIONS} stations and the notes heard from them", loc="left")
    band.grid(alpha=0.3)

    window = np.hanning(audio.shape[1])
    levels = np.abs(np.fft.rfft(audio * window)) / window.sum() * 2
    hertz = np.fft.rfftfreq(audio.shape[1], 1 / AUDIO_RATE)
    shown = (hertz > 350) & (hertz < 1500)
    for place, level in zip(places, levels):
        image = notes.imshow(
            20 * np.log10(level[shown] / DEVIATION)[:, None],
            origin="lower",
            aspect="auto",
            cmap="inferno",
            vmin=-100,
            vmax=0,
            extent=(place - 0.12, place + 0.12, hertz[shown][0], hertz[shown][-1]),
        )
    figure.colorbar(image, ax=notes, label="Deviation over 60 kHz (dB)", pad=0.01)
    for place, one in zip(places, heard):
        words = f"{one.clarity:.0f}"
        notes.text(place, 1455, words, color="white", ha="center", va="center")
    notes.set(
        xlim=((CENTER - RATE / 2) / 1e6, (CENTER + RATE / 2) / 1e6),
        ylim=(350, 1500),
        xlabel="Frequency (MHz)",
        ylabel="Audio frequency (Hz)",
    )
    notes.set_title("Audio of each; white: its signal to noise in dB", loc="left")
    figure.savefig(file, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="auto", help="auto, cuda or cpu")
    parser.add_argument("--seed", type=int, default=1, help="seed of stations and noise")
    parser.add_argument("--plot", metavar="FILE", help="write a picture")
    options = parser.parse_args()

    stations = make_stations(np.random.default_rng(options.seed))
    flowgraph = FmBand(stations, options.engine, options.seed)
    audio, spectrum = flowgraph.receive()
    heard = [measure(one) for one in audio]
    if options.plot:
        plot(options.plot, stations, audio, spectrum, heard)
    print(f"engine {flowgraph.bank.engine()}, {STATIONS} stations")
    for station, one in zip(stations, heard):
        print(
            f"{(CENTER + station.offset) / 1e6:6.1f} MHz {station.level:4.0f} dBFS: "
            f"{one.note:6.1f} Hz {note_name(one.note):3} {one.deviation / 1e3:4.1f} kHz, "
            f"{one.clarity:4.1f} dB of {expected_clarity(station):4.1f}"
        )
    right = sum(is_right(*both) for both in zip(stations, heard))
    print(f"{right} of {STATIONS} stations play their note")
    return int(right != STATIONS)


if __name__ == "__main__":
    sys.exit(main())
