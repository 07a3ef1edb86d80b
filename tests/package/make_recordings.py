#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The recordings that a reader of docs/spectrum.md and docs/analyzer.md has, by their names there:
noise and two carriers each, written with NumPy alone.

    make_recordings.py              writes them into this folder
    make_recordings.py --expected   prints what `gpufft spectrum` has to say of them
"""

import json
import sys
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np

NOISE = 0.01  # of I and of Q: more than a step of 8 bits


@dataclass
class Recording:
    name: str
    rate: float
    centre: float  # 0 if the reader does not say
    offsets: tuple  # of the carriers from the centre, in Hz
    levels: tuple  # dBFS
    strongest: str  # of them, as `gpufft spectrum` prints it
    duration: float
    silence: float = 0  # before it, which takes no room on the disk

    def samples(self):
        """Complex, of full scale 1."""
        time = np.arange(round(self.rate * self.duration)) / self.rate
        noise = np.random.default_rng(7).standard_normal((time.size, 2)) * NOISE
        x = noise[:, 0] + 1j * noise[:, 1]
        for offset, level in zip(self.offsets, self.levels):
            x += 10 ** (level / 20) * np.exp(2j * np.pi * offset * time)
        return x


RECORDINGS = (
    Recording("capture.sigmf-meta", 1e6, 433.92e6, (150e3, -220e3), (-12, -30),
              "434.0700 MHz -12.0 dBFS", 4),
    Recording("capture.cu8", 2.4e6, 1090e6, (300e3, -700e3), (-10, -25),
              "1090.3000 MHz -10.0 dBFS", 2),
    Recording("airband.wav", 192e3, 0, (25e3, -50e3), (-15, -40), "25.000 kHz -15.0 dBFS", 10),
    Recording("capture.raw", 20e6, 0, (4e6, -7e6), (-20, -35), "4.000 MHz -20.0 dBFS",
              0.6, silence=10),
)  # fmt: skip


def pairs(x):
    """I and Q in turns."""
    return np.column_stack([x.real, x.imag]).ravel()


def int16(x):
    return np.round(32767 * pairs(x)).astype("<i2").tobytes()


def write_sigmf(recording):
    meta = Path(recording.name)
    meta.with_suffix(".sigmf-data").write_bytes(int16(recording.samples()))
    described = {
        "global": {
            "core:datatype": "ci16_le",
            "core:sample_rate": recording.rate,
            "core:version": "1.0.0",
        },
        "captures": [{"core:sample_start": 0, "core:frequency": recording.centre}],
        "annotations": [],
    }
    meta.write_text(json.dumps(described), encoding="utf-8")


def write_wav(recording):
    with wave.open(recording.name, "wb") as file:
        file.setparams((2, 2, round(recording.rate), 0, "NONE", ""))
        file.writeframes(int16(recording.samples()))


def write_cu8(recording):
    values = np.round(127.5 * (1 + pairs(recording.samples())))
    Path(recording.name).write_bytes(values.astype(np.uint8).tobytes())


def write_raw(recording):
    with open(recording.name, "wb") as file:
        file.seek(4 * round(recording.rate * recording.silence))
        file.write(int16(recording.samples()))


WRITE = {".sigmf-meta": write_sigmf, ".wav": write_wav, ".cu8": write_cu8, ".raw": write_raw}


def main():
    for recording in RECORDINGS:
        if "--expected" in sys.argv[1:]:
            print("strongest peaks:", recording.strongest)
        else:
            WRITE[Path(recording.name).suffix](recording)


if __name__ == "__main__":
    main()
