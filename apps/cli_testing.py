# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the gpufft command share: signals, files, running it."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

COMMAND = os.environ["GPUFFT_COMMAND"]
ENGINE = os.environ.get("GPUFFT_TEST_ENGINE", "auto")
PROJECT = Path(__file__).resolve().parent.parent
MODES = PROJECT.parent / "shared" / "data" / "modes1.cu8"


def gpufft(*arguments, cwd):
    """Runs the command; returns the finished process with its texts."""
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
    )


def run_without(modules, *arguments):
    """The same, as if modules, "a,b", were not installed; in this folder."""
    program = (
        "import sys; sys.modules.update(dict.fromkeys(sys.argv[1].split(',')));"
        "from gnuradio.gpufft.cli.main import main; sys.exit(main(sys.argv[2:]))"
    )
    return subprocess.run(
        [sys.executable, "-c", program, modules, *map(str, arguments)],
        text=True,
        capture_output=True,
        check=False,
    )


def is_colour(picture, colour, tolerance=40):
    """Where the picture has the colour "#rrggbb", or nearly."""
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return (abs(picture - wanted) <= tolerance).all(axis=2)


def engine_is_usable():
    """False if the tests are to run on an engine that is not here."""
    if ENGINE == "auto":
        return True
    facts = json.loads(gpufft("info", "--json", cwd=".").stdout)
    return facts["engines"][ENGINE]["usable"]


def tones(n, frequencies, amplitudes, noise=1e-3, seed=1):
    """Sum of complex tones (cycles a sample) in Gaussian noise, complex128."""
    random = np.random.default_rng(seed)
    x = noise * (random.normal(size=n) + 1j * random.normal(size=n)) / np.sqrt(2)
    for frequency, amplitude in zip(frequencies, amplitudes):
        x += amplitude * np.exp(2j * np.pi * frequency * np.arange(n))
    return x


def encode(x, format):
    """The bytes of `x` in one of the command's formats."""
    parts = (x.real,) if format.startswith("r") else (x.real, x.imag)
    values = np.column_stack(parts).ravel()
    order = ">" if format.endswith("be") else "<"
    kind, bits = format[1], int(format[2:].removesuffix("be"))
    if kind == "f":
        return values.astype(f"{order}f{bits // 8}").tobytes()
    half, middle = 2 ** (bits - 1), 0
    if kind == "u":
        half = middle = half - 0.5
    integers = np.round(values * half + middle).astype(">i8")
    data = integers.view(np.uint8).reshape(-1, 8)[:, -(bits // 8) :]
    return (data if order == ">" else data[:, ::-1]).tobytes()


def decode(data, format):
    """The complex128 samples that the bytes `data` mean."""
    if format == "cf32":
        return np.frombuffer(data, "<c8").astype(complex)
    if format == "rf32":
        return np.frombuffer(data, "<f4").astype(complex)
    if format == "rs16":
        return np.frombuffer(data, "<i2") / 32768 + 0j
    kind, scale, offset = {
        "cs16": ("<i2", 32768, 0),
        "cs8": ("i1", 128, 0),
        "cu8": ("u1", 127.5, 127.5),
    }[format]
    pairs = (np.frombuffer(data, kind) - offset) / scale
    return pairs[::2] + 1j * pairs[1::2]


def write_sigmf(base, x, format, datatype, rate, frequency, header=0):
    """BASE.sigmf-meta and BASE.sigmf-data."""
    data = encode(x, format)
    Path(f"{base}.sigmf-data").write_bytes(b"\xaa" * header + data)
    Path(f"{base}.sigmf-meta").write_text(
        json.dumps(
            {
                "global": {
                    "core:version": "1.0.0",
                    "core:datatype": datatype,
                    "core:sample_rate": rate,
                },
                "captures": [
                    {
                        "core:sample_start": 0,
                        "core:frequency": frequency,
                        "core:header_bytes": header,
                    }
                ],
                "annotations": [],
            }
        )
    )


def chunk(name, data):
    """One RIFF chunk, padded to even length."""
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def wav_header(tag, bits, channels, rate):
    """A `fmt ` chunk."""
    align = channels * bits // 8
    return chunk(
        b"fmt ", struct.pack("<HHIIHH", tag, channels, rate, rate * align, align, bits)
    )


def wav(data, tag, bits, channels, rate, extra=b""):
    """A WAV file; `extra` chunks come before the data."""
    body = b"WAVE" + wav_header(tag, bits, channels, rate) + extra + chunk(b"data", data)
    return chunk(b"RIFF", body)


def rf64(data, tag, bits, channels, rate):
    """The same as RF64: the sizes are in a ds64 chunk, 64 bits each."""
    sizes = chunk(b"ds64", struct.pack("<QQQI", 0, len(data), 0, 0))
    body = b"WAVE" + sizes + wav_header(tag, bits, channels, rate)
    return (
        b"RF64"
        + struct.pack("<I", 0xFFFFFFFF)
        + body
        + b"data"
        + struct.pack("<I", 0xFFFFFFFF)
        + data
    )
