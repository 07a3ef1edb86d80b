#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the gpufft command reads: numbers with units, sample formats, headers of WAV, SigMF and
Blue files, names that SDR programs give their recordings."""

import json
import re
import struct
import tempfile
import unittest
from pathlib import Path

import numpy as np
from gnuradio import blocks, gr

import cli_testing as cli
from cli_testing import gpufft
from gnuradio.gpufft.cli import formats, names, quantities
from gnuradio.gpufft.cli.conversion import NumpyConverter
from gnuradio.gpufft.cli.errors import InputError
from gnuradio.gpufft.cli.flowgraph import converter
from gnuradio.gpufft.cli.recording import open_recording

# unit, text, number
NUMBERS = [
    ("RATE", "2400000", 2400000),
    ("RATE", "2.4e6", 2400000),
    ("RATE", "2.4M", 2400000),
    ("RATE", "2MHz", 2000000),
    ("RATE", "2.4 MHz", 2400000),
    ("RATE", "2.4Msps", 2400000),
    ("RATE", "2.4 MS/s", 2400000),
    ("RATE", "48 kHz", 48000),
    ("RATE", " 250K ", 250000),
    ("HERTZ", "50 khz", 50000),
    ("HERTZ", "-1.5kHz", -1500),
    ("HERTZ", "\N{MINUS SIGN}1.5 kHz", -1500),
    ("HERTZ", "1.09 GHz", 1090000000),
    ("HERTZ", "100mhz", 100000000),
    ("HERTZ", ".5", 0.5),
    ("HERTZ", "5.", 5),
    ("SECONDS", "0.1ms", 0.0001),
    ("SECONDS", "10us", 0.00001),
    ("SECONDS", "10 \N{MICRO SIGN}s", 0.00001),
    ("SECONDS", "2min", 120),
    ("SECONDS", "1.5 s", 1.5),
    ("SECONDS", "3", 3),
    ("RATIO", "50%", 0.5),
    ("RATIO", "87.5 %", 0.875),
    ("RATIO", "0.75", 0.75),
    ("DECIBEL", "-20dB", -20),
    ("DECIBEL", "-120 dBFS", -120),
    ("NO_UNIT", "8.6", 8.6),
]
# unit, text, what the message says
NO_NUMBERS = [
    ("RATE", "2ms", "--x '2ms' cannot have the unit 'ms': write it like 2400000"),
    ("RATE", "50%", "the unit '%'"),
    ("RATE", "2.4m", "the unit 'm'"),
    ("HERTZ", "5 mHz", "the unit 'mHz'"),
    ("HERTZ", "2.4Msps", "the unit 'Msps': write it like 98500000, 98.5e6, 98.5M"),
    ("SECONDS", "2.4M", "write it like 0.5, 100ms, 10us or 2min"),
    ("RATIO", "2.4M", "write it like 0.5 or 50%"),
    ("RATIO", "half", "'half' is not a number: write it like 0.5 or 50%"),
    ("DECIBEL", "20 kHz", "write it like -20 or -20 dB"),
    ("RATE", "", "is not a number"),
    ("RATE", "MHz", "is not a number"),
    ("RATE", "1e999", "is not a number"),
    ("RATE", "nan", "is not a number"),
    ("RATE", "2,4M", "the unit ',4M'"),
    ("RATE", "0x10", "the unit 'x10'"),
    ("RATE", "1 2", "the unit '2'"),
]
# unit, text, the range that the message names
OUT_OF_RANGE = [
    ("RATE", "1.1e18", "-1e+18 ... 1e+18"),
    ("HERTZ", "-2e18", "-1e+18 ... 1e+18"),
    ("DECIBEL", "1e300", "-1000 ... 1000"),
]
SIZES = [("4k", 4096), ("64 K", 65536), ("1M", 2**20), ("1e6", 10**6), ("1.5k", 1536)]
SIZES += [("1009", 1009), ("4096.0", 4096)]
COUNTS = [("1k", 1000), ("1e3", 1000), ("7", 7), ("2.5k", 2500)]

# SDR programs' names -> what they say
NAMES = [
    (
        "gqrx_20240101_120000_100000000_1800000_fc.raw",
        {"format": "cf32", "rate": 1.8e6, "frequency": 100e6},
    ),
    ("SDRSharp_20240101_120000Z_100000000Hz_IQ.wav", {"frequency": 100e6}),
    ("SDRSharp_20240101_120000Z_100000000Hz_AF.wav", {}),
    ("HDSDR_20240101_120000Z_7050kHz_RF.wav", {"frequency": 7.05e6}),
    ("HDSDR_20240101_120000Z_7050kHz_AF.wav", {}),
    ("SDRuno_20200904_111311Z_7000kHz.wav", {"frequency": 7e6}),
    ("baseband_100000000Hz_12-00-00_01-01-2024.wav", {"frequency": 100e6}),
    ("audio_100000000Hz_12-00-00_01-01-2024.wav", {}),
    ("tone_1000Hz_x.wav", {}),
    ("gqrx_notes.raw", {}),
]

BLUE_CODES = {
    ("S", "B"): "rs8",
    ("S", "I"): "rs16",
    ("S", "L"): "rs32",
    ("S", "F"): "rf32",
    ("S", "D"): "rf64",
    ("C", "B"): "cs8",
    ("C", "I"): "cs16",
    ("C", "L"): "cs32",
    ("C", "F"): "cf32",
    ("C", "D"): "cf64",
}


def blue(data, code, order="<", data_order=None, **fields):
    """A Blue file; fields: detached, start, size, kind, delta, units."""
    start = fields.get("start", 512)
    header = bytearray(512)
    representation = {"<": b"EEEI", ">": b"IEEE"}
    header[:12] = b"BLUE" + representation[order] + representation[data_order or order]
    struct.pack_into(f"{order}i", header, 12, fields.get("detached", 0))
    sizes = (start, fields.get("size", len(data)), fields.get("kind", 1000))
    struct.pack_into(f"{order}ddi2s", header, 32, *sizes, code.encode())
    abscissa = (fields.get("delta", 1e-6), fields.get("units", 1))
    struct.pack_into(f"{order}di", header, 264, *abscissa)
    return bytes(header) + bytes(int(start) - 512) + data + b"extended header"


def extensible(data, tag, bits, channels, rate):
    """A WAV file whose format tag stands in the sub-format."""
    frame = channels * bits // 8
    body = struct.pack("<HHIIHH", 0xFFFE, channels, rate, rate * frame, frame, bits)
    guid = struct.pack("<H", tag) + bytes.fromhex("000000001000800000aa00389b71")
    body += struct.pack("<HHI", 22, bits, 0) + guid
    chunks = b"WAVE" + cli.chunk(b"fmt ", body) + cli.chunk(b"data", data)
    return cli.chunk(b"RIFF", chunks)


def convert(data, *chain):
    """What a chain of blocks makes of bytes."""
    item = chain[0].input_signature().sizeof_stream_item(0)
    graph = gr.top_block()
    source = blocks.vector_source_b(list(data))
    is_real = chain[-1].output_signature().sizeof_stream_item(0) == 4
    sink = blocks.vector_sink_f() if is_real else blocks.vector_sink_c()
    graph.connect(source, blocks.stream_to_vector(1, item), *chain, sink)
    graph.run()
    return np.array(sink.data())


class QaCliFormats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.samples = cli.tones(3001, (0.1, -0.2), (0.5, 0.25))

    def write(self, name, data):
        """Returns the path."""
        (self.folder / name).write_bytes(data)
        return str(self.folder / name)

    def test_numbers(self):
        for unit, text, number in NUMBERS:
            with self.subTest(text=text):
                read = quantities.parse_number(text, "--x", getattr(quantities, unit))
                self.assertAlmostEqual(read, number, delta=1e-12 * abs(number))

    def test_other_units_are_refused(self):
        for unit, text, words in NO_NUMBERS:
            with self.subTest(text=text), self.assertRaises(InputError) as refused:
                quantities.parse_number(text, "--x", getattr(quantities, unit))
            self.assertIn(words, str(refused.exception))
            self.assertEqual("MHz" in str(refused.exception), unit in ("RATE", "HERTZ"))

    def test_values_out_of_range_are_refused(self):
        for unit, text, words in OUT_OF_RANGE:
            with self.assertRaisesRegex(InputError, f"{text}.*{re.escape(words)}"):
                quantities.parse_number(text, "--x", getattr(quantities, unit))
        with self.assertRaisesRegex(InputError, "1e-09 ... 1e.18"):
            quantities.parse_rate("1e-10", "--rate")

    def test_sizes_and_counts(self):
        for text, size in SIZES:
            self.assertEqual(quantities.parse_size(text, "--size", 2), size)
        for text, count in COUNTS:
            self.assertEqual(quantities.parse_integer(text, "--average", 1), count)
        for text in ("4q", "1.5", "50%", "x", "1e-3", "1e-400"):
            with self.subTest(text=text), self.assertRaises(InputError):
                quantities.parse_size(text, "--size", 2)
        for text in ("1e30", "1e300000000", "9" * 60):
            with self.assertRaisesRegex(InputError, "must be 4194304 or less"):
                quantities.parse_size(text, "--size", 2, 1 << 22)

    def test_every_option_knows_its_unit(self):
        data = cli.encode(cli.tones(8192, (0.1,), (0.5,)), "cf32")
        self.write("x.cf32", data)
        facts = ("--rate", "2.4 MHz", "--freq", "1.09GHz", "--csv", "a.csv")
        part = ("--start", "0.5ms", "--duration", "2000us")
        cut = ("--size", "1k", "--overlap", "75%", "--window", "kaiser:8.6")
        done = gpufft("spectrum", "x.cf32", *facts, *part, *cut, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, "^4800 samples, .* 1090.240 MHz -6.0 dBFS")
        frequency = np.loadtxt(self.folder / "a.csv", delimiter=",", skiprows=1)[:, 0]
        np.testing.assert_allclose(frequency[[0, 512]], (1088.8e6, 1090e6))
        for option, text, example in (
            ("--rate", "2ms", "2.4 MHz"),
            ("--freq", "50%", "98.5 MHz"),
            ("--start", "2.4M", "100ms"),
            ("--duration", "1kHz", "100ms"),
            ("--overlap", "2.4M", "50%"),
            ("--size", "4q", "64k"),
        ):
            others = ("--rate", "1M") if option != "--rate" else ()
            done = gpufft("spectrum", "x.cf32", *others, option, text, cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, f"^gpufft: {option} '{text}' .*{example}.*\n$")

    def test_every_format_is_converted(self):
        """To the nearest single-precision float of what its numbers mean."""
        for format in formats.FORMATS + formats.BIG_ENDIAN:
            with self.subTest(format=format):
                data = cli.encode(self.samples, format)
                self.assertEqual(
                    len(data), len(self.samples) * formats.sample_bytes(format)
                )
                is_real = format.startswith("r")
                expected = self.samples.real if is_real else self.samples
                bits = int(format[2:].removesuffix("be"))
                step = 0.0 if format[1] == "f" else 1 / (2 ** (bits - 1) - 1)
                got = convert(data, NumpyConverter(format))
                self.assertEqual(len(got), len(expected))
                error = np.abs(np.array((got - expected).view(float)))
                self.assertLess(error.max(), 0.51 * step + 2**-23)

    def test_full_scale(self):
        """The extremes of 24 bits, and an odd number of samples in one call."""
        for format, order in (("rs24", "little"), ("rs24be", "big")):
            values = (-(2**23), -1, 0, 1, 2**23 - 1)
            data = b"".join(each.to_bytes(3, order, signed=True) for each in values)
            got = convert(data, NumpyConverter(format))
            np.testing.assert_array_equal(got, np.array(values) / 2**23)

    def test_the_converter_of_the_flowgraph(self):
        """Complex samples come as they are; real ones as real parts."""
        for format in ("cs24", "cf64", "cs16be", "rs24", "rf64"):
            got = convert(cli.encode(self.samples, format), *converter(format))
            real = convert(cli.encode(self.samples, "rf32"), *converter("rf32"))
            expected = self.samples if format.startswith("c") else real
            np.testing.assert_allclose(got, expected, atol=1e-4)

    def test_wav(self):
        for tag, bits, channels, format in (
            (1, 24, 2, "cs24"),
            (1, 24, 1, "rs24"),
            (1, 32, 2, "cs32"),
            (1, 8, 1, "ru8"),
            (3, 64, 2, "cf64"),
            (3, 64, 1, "rf64"),
        ):
            data = cli.encode(self.samples, format)
            for make in (cli.wav, extensible, cli.rf64):
                with self.subTest(format=format, make=make):
                    path = self.write("x.wav", make(data, tag, bits, channels, 48000))
                    found = open_recording(path)
                    self.assertEqual((found.format, found.rate), (format, 48000))
                    self.assertEqual(found.samples, len(self.samples))
                    content = Path(path).read_bytes()[found.offset :]
                    self.assertTrue(content.startswith(data))

    def test_the_command_on_24_bits(self):
        """The same spectrum as from floats, in two channels and in one."""
        x = cli.tones(1 << 15, (0.25, -0.12345), (0.5, 0.05))
        for channels in (1, 2):
            tables = []
            for tag, bits, number in ((1, 24, "s24"), (3, 32, "f32")):
                data = cli.encode(x, "rc"[channels - 1] + number)
                self.write("x.wav", extensible(data, tag, bits, channels, 48000))
                done = gpufft("spectrum", "x.wav", "--csv", "a.csv", cwd=self.folder)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                tables.append(
                    np.loadtxt(self.folder / "a.csv", delimiter=",", skiprows=1)
                )
            np.testing.assert_allclose(*tables, atol=0.01)

    def test_names(self):
        for name, facts in NAMES:
            with self.subTest(name=name):
                self.assertEqual(names.read(name), facts)

    def test_the_user_wins_over_the_header_and_that_over_the_name(self):
        data = cli.encode(self.samples, "cf32")
        path = self.write("gqrx_20240101_120000_100000000_1800000_fc.raw", data)
        found = open_recording(path)
        self.assertEqual((found.rate, found.frequency), (1.8e6, 100e6))
        self.assertEqual((found.format, found.samples), ("cf32", len(self.samples)))
        found = open_recording(path, "cs16", "1M", "7 MHz")
        self.assertEqual((found.rate, found.frequency), (1e6, 7e6))
        self.assertEqual((found.format, found.samples), ("cs16", 2 * len(self.samples)))
        data = cli.encode(self.samples, "cs16")
        for auxi, expected in (
            (b"", 7.05e6),
            (cli.chunk(b"auxi", struct.pack("<32xI", 7100000)), 7.1e6),
            (
                cli.chunk(
                    b"auxi", f'<a {"":9999} RadioCenterFreq="7200000"/>'.encode("utf-16-le")
                ),
                7.2e6,
            ),
            (cli.chunk(b"auxi", '<a RadioCenterFreq="7300000"/>'.encode("utf-16")), 7.3e6),
            (cli.chunk(b"auxi", "<a b='c' d='e' f='g'/>".encode("utf-16-le")), 7.05e6),
        ):
            path = self.write(
                "HDSDR_20240101_120000Z_7050kHz_RF.wav",
                cli.wav(data, 1, 16, 2, 192000, auxi),
            )
            self.assertEqual(open_recording(path).frequency, expected)
            self.assertEqual(open_recording(path, None, None, "1k").frequency, 1e3)

    def test_blue(self):
        for (kind, number), name in BLUE_CODES.items():
            for order in "<>":
                for data_order in "<>":
                    is_big = data_order == ">" and number != "B"
                    format = name + ("be" if is_big else "")
                    data = cli.encode(self.samples, format)
                    made = blue(data, kind + number, order, data_order, start=1024)
                    path = self.write("x.tmp", made)
                    with self.subTest(format=format, order=order):
                        found = open_recording(path)
                        self.assertEqual((found.format, found.offset), (format, 1024))
                        self.assertEqual(found.samples, len(self.samples))
                        self.assertAlmostEqual(found.rate, 1e6, delta=1e-3)
        path = self.write("x.prm", blue(bytes(400), "CI", delta=0.5, units=3))
        self.assertIsNone(open_recording(path).rate)
        self.assertEqual(open_recording(path, None, "2M").rate, 2e6)

    def test_blue_that_cannot_be_read(self):
        for fields, words in (
            ({"detached": 1}, "is a detached Blue header: its samples are in another"),
            ({"kind": 2000}, "of type 2000: only 1000 can be read"),
            ({"code": "CX"}, "holds Blue format b'CX'"),
            ({"code": "NI"}, "holds Blue format b'NI'"),
            ({"delta": -1.0}, "xdelta is -1.0, it must be seconds, more than 0"),
            ({"delta": float("nan")}, "xdelta is nan"),
            ({"size": -8}, "data_size is -8.0, it must be a whole number"),
            ({"size": 1e300}, "data_size is 1e+300"),
        ):
            with self.subTest(fields=fields):
                made = blue(bytes(4096), fields.pop("code", "CI"), **fields)
                path = self.write("x.blue", made)
                with self.assertRaises(InputError) as refused:
                    open_recording(path)
                self.assertIn(words, str(refused.exception))
        good = blue(bytes(4096), "CI")
        for made, words in (
            (good[:500], "it has no whole Blue header"),
            (good[:4] + b"VAX_" + good[8:], "its header is in representation b'VAX_'"),
            (good[:8] + b"VAX_" + good[12:], "its data is in representation b'VAX_'"),
        ):
            path = self.write("x.blue", made)
            with self.assertRaises(InputError) as refused:
                open_recording(path)
            self.assertIn(words, str(refused.exception))

    def test_sigmf(self):
        for datatype, format in (
            ("cf32_be", "cf32be"),
            ("cf64_le", "cf64"),
            ("ri8", "rs8"),
            ("ru8", "ru8"),
            ("rf64_be", "rf64be"),
            ("ci32_le", "cs32"),
            ("ru16_be", "ru16be"),
        ):
            cli.write_sigmf(
                self.folder / "x", self.samples, format, datatype, 1e6, 1e8, header=5
            )
            found = open_recording(str(self.folder / "x"))
            self.assertEqual((found.format, found.offset), (format, 5))
            self.assertEqual(found.samples, len(self.samples))
        for datatype in ("cs16_le", "ci24_le", "cf16_le", "cf32", "cu8_le", "", "c"):
            meta = {"global": {"core:datatype": datatype}, "captures": []}
            (self.folder / "x.sigmf-meta").write_text(json.dumps(meta))
            with self.assertRaisesRegex(InputError, "cannot be read: only cf32_le"):
                open_recording(str(self.folder / "x"))

    def test_a_big_endian_recording_through_the_command(self):
        x = cli.tones(1 << 14, (0.25,), (0.5,))
        self.write("x.tmp", blue(cli.encode(x, "cs16be"), "CI", ">"))
        done = gpufft("spectrum", "x.tmp", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"250(\.0+)? kHz -6\.0 dBFS")


if __name__ == "__main__":
    unittest.main()
