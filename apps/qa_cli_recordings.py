#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What metadata and headers say of a recording: where its samples begin and end, what the
command line takes precedence over, one recording under two names."""

import csv
import json
import os
import struct
import unittest
from pathlib import Path

import numpy as np

import cli_testing as cli
from gnuradio.gpufft.cli import annotations
from gnuradio.gpufft.cli.recording import open_recording
from spectrum_testing import SpectrumTest, write

RATE, CENTRE = 1e6, 100e6


def change(name, **facts):
    """Changes parts of NAME.sigmf-meta: global facts (core: is put before), or the lists
    captures and annotations."""
    path = Path(f"{name}.sigmf-meta")
    metadata = json.loads(path.read_text())
    for key, value in facts.items():
        if key in ("captures", "annotations"):
            metadata[key] = value
        else:
            metadata["global"][f"core:{key}"] = value
    metadata["global"] = {k: v for k, v in metadata["global"].items() if v is not None}
    path.write_text(json.dumps(metadata))


def capture(start, **facts):
    """A capture from sample `start` on."""
    return {"core:sample_start": start, **{f"core:{k}": v for k, v in facts.items()}}


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliRecordings(SpectrumTest):
    def write_sigmf(self, name="x", samples=20000, **options):
        """NAME.sigmf-meta and NAME.sigmf-data."""
        x = cli.tones(samples, (0.125,), (0.5,), noise=1e-2)
        cli.write_sigmf(name, x, "cs16", "ci16_le", RATE, CENTRE, **options)

    def table(self, *arguments):
        """The lines of --csv; nothing is told."""
        self.run_command(*arguments, "--csv", "table.csv")
        self.assertEqual(self.stderr, "")
        return Path("table.csv").read_text()

    def test_trailing_bytes_are_no_samples(self):
        self.write_sigmf(header=6)
        with open("x.sigmf-data", "ab") as file:
            file.write(bytes(1001))
        change("x", trailing_bytes=1001)
        self.assertEqual(open_recording("x").samples, 20000)
        for value, words in (
            (-1, "core:trailing_bytes is -1, it must be at least 0"),
            (0.5, "core:trailing_bytes is 0.5, it must be a whole number"),
            (80995 + 1007, "holds no samples: 0 bytes"),
        ):
            change("x", trailing_bytes=value)
            self.refuse(words, "x")

    def test_annotations_of_a_wav_file_find_its_samples(self):
        """Also where chunks follow the data."""
        x = cli.tones(50001, (0.125,), (0.5,), noise=1e-2)
        wav = cli.wav(cli.encode(x, "cs16"), 1, 16, 2, 48000)
        Path("x.wav").write_bytes(wav + cli.chunk(b"LIST", bytes(20003)))
        self.run_command("x.wav", "--annotate", "found.sigmf-meta")
        self.assertEqual(open_recording("found.sigmf-meta").samples, 50001)
        self.assertEqual(self.table("x.wav"), self.table("found.sigmf-meta"))

    def test_gaps_between_captures_are_refused(self):
        self.write_sigmf()
        change("x", captures=[capture(0), capture(9), capture(50, header_bytes=16)])
        self.refuse("x.sigmf-meta: core:header_bytes of capture 2 (from 0 on) is 16", "x")
        change("x", captures=[capture(0), capture(9, header_bytes=0)])
        self.run_command("x")

    def test_indices_count_from_the_offset(self):
        self.write_sigmf(samples=100000)
        burst = {"core:sample_start": 7030000, "core:sample_count": 20000}
        before = {"core:sample_start": 6990000, "core:sample_count": 10500}
        change("x", offset=7000000, annotations=[before, burst])
        found, note = annotations.read(open_recording("x"))
        self.assertIsNone(note)
        self.assertEqual([each.start for each in found], [-10000, 30000])
        self.run_command("x")
        box = self.image.axes.patches[1].get_bbox()
        self.assertEqual((round(box.y0), round(box.y1)), (30, 50))  # ms
        self.run_command("x", "--annotate", "y.sigmf-meta")
        written = json.loads(Path("y.sigmf-meta").read_text())
        self.assertEqual(written["global"]["core:offset"], 7000000)
        starts = [each["core:sample_start"] for each in written["annotations"]]
        self.assertTrue(starts and min(starts) >= 7000000, starts)
        with open("z.sigmf-meta", "wb") as file:
            annotations.write_with((written, found[1]), file)
        written = json.loads(Path("z.sigmf-meta").read_text())
        starts = [each["core:sample_start"] for each in written["annotations"]]
        self.assertIn(7030000, starts)
        change("x", offset="far")
        self.refuse("core:offset is 'far', it must be a number", "x")

    def test_cycles_have_no_centre(self):
        write("x.cs16", cli.tones(20000, (0.125,), (0.5,)), "cs16")
        self.run_command("x.cs16", "--freq", "100M", "--csv", "x.csv")
        self.assertIn("x.cs16: the centre frequency is left out, as the", self.stderr)
        self.assertIn("+0.125", self.stdout)
        self.assertNotIn("centre", self.view.subtitle)
        frequency = np.loadtxt("x.csv", delimiter=",", skiprows=1)[:, 0]
        self.assertEqual((frequency[0], frequency.max() < 0.5), (-0.5, True))
        self.run_command("x.cs16", "--freq", "100M", "--centre", "0.1", "--span", "0.1")

    def test_a_wav_file_of_more_than_4_gib(self):
        """Its 32 bits of size have wrapped; the chunk behind the data stays out."""
        behind = cli.chunk(b"LIST", bytes(1000))
        head = cli.wav(b"", 1, 16, 2, 48000)[:-4]  # without the size
        for size in (4000, (1 << 32) + 4000, (1 << 33) + 4000):
            with open("x.wav", "wb") as file:
                file.write(head + struct.pack("<I", size & 0xFFFFFFFF))
                file.truncate(len(head) + 4 + size)
                file.seek(0, os.SEEK_END)
                file.write(behind)
            self.assertEqual(open_recording("x.wav").samples, size // 4)

    def test_a_wav_file_longer_than_its_placeholder(self):
        """What SoX writes into a pipe claims 2 GiB less a page."""
        head = cli.wav(b"", 1, 16, 2, 48000)[:-4] + struct.pack("<I", 0x7FFFF000)
        for size in (3 << 30, 5 << 30, 9 << 30):
            with open("x.wav", "wb") as file:
                file.write(head)
                file.truncate(len(head) + size)
            self.assertEqual(open_recording("x.wav").samples, size // 4)

    def test_an_archive(self):
        Path("x.sigmf").write_bytes(bytes(1000))
        self.refuse("unpack it first (tar xf x.sigmf)", "x.sigmf")
        self.refuse("y.sigmf cannot be read: No such file", "y.sigmf")

    def test_a_riff_file_that_is_no_wav_file(self):
        data = cli.wav(bytes(4000), 1, 16, 2, 48000).replace(b"WAVE", b"AVI ")
        Path("x.wav").write_bytes(data)
        self.refuse("is not a WAV file: it starts with b'RIFF", "x.wav")
        self.assertIn("AVI ", self.stderr)

    def test_a_wav_file_whose_recorder_was_ended(self):
        """Its sizes are still those of before the first sample."""
        x = cli.encode(cli.tones(1000, (0.125,), (0.5,)), "cs16")
        for make in (cli.wav, cli.rf64):
            size, none = struct.pack("<I", len(x)), bytes(4)
            Path("x.wav").write_bytes(make(x, 1, 16, 2, 48000).replace(size, none))
            with self.subTest(make=make.__name__):
                self.assertEqual(open_recording("x.wav").samples, 1000)

    def test_rows_begin_at_the_first_bins_frequency(self):
        write("x.cs16", cli.tones(20000, (0.125,), (0.5,)), "cs16")
        facts = ("--rate", "44.1k", "--freq", "100.0001M", "--size", "1024")
        self.run_command("x.cs16", *facts, "--waterfall", "x.csv")
        with open("x.csv", encoding="ascii") as file:
            row = next(csv.reader(file, skipinitialspace=True))
        low, high, step = map(float, row[2:5])
        self.assertAlmostEqual(low, 100000100 - 22050, delta=1e-6)
        self.assertAlmostEqual(high, low + 1024 * 44100 / 1024, delta=1e-3)
        facts = ("--rate", "100", "--size", "1000", "--centre", "0.3", "--span", "1")
        self.run_command("x.cs16", *facts, "--waterfall", "x.csv")
        with open("x.csv", encoding="ascii") as file:
            row = next(csv.reader(file, skipinitialspace=True))
        self.assertEqual([float(each) for each in row[2:5]], [-0.2, 0.8, 0.1])

    def test_frequencies_of_a_narrow_band_at_10_ghz(self):
        """Of bins 2.4 mHz apart, to less than 1 % of their distance."""
        write("x.cs16", cli.tones(20000, (0.125,), (0.5,)), "cs16")
        rate, centre, size = 48, 10489550000, 20000
        facts = ("--rate", rate, "--freq", centre, "--size", size)
        self.run_command("x.cs16", *facts, "--csv", "x.csv", "--waterfall", "y.csv")
        frequency = np.loadtxt("x.csv", delimiter=",", skiprows=1)[:, 0]
        exact = (np.arange(size) - size // 2) * (rate / size)
        np.testing.assert_allclose(frequency - centre, exact, atol=2e-5, rtol=0)
        with open("y.csv", encoding="ascii") as file:
            row = next(csv.reader(file, skipinitialspace=True))
        low, high, step = map(float, row[2:5])
        self.assertAlmostEqual(low, centre - rate / 2, delta=2e-5)
        self.assertAlmostEqual(high, centre + rate / 2, delta=2e-5)
        self.assertEqual(step, rate / size)

    def test_the_command_line_wins_over_metadata(self):
        """Also where these cannot be used, or are not there."""
        self.write_sigmf()
        expected = self.table("x")
        given = ("--format", "cs16", "--rate", RATE, "--freq", CENTRE)
        for facts in (
            {"datatype": "ci12_le"},
            {"datatype": None},
            {"sample_rate": "fast"},
            {"captures": [capture(0, frequency="high")]},
            {"captures": [capture(0, frequency=1), capture(9, frequency=2)]},
        ):
            with self.subTest(facts=facts):
                self.write_sigmf()
                change("x", **facts)
                self.assertEqual(self.table("x", *given), expected)
        os.remove("x.sigmf-meta")
        self.assertEqual(self.table("x.sigmf-data", *given), expected)
        self.refuse("x.sigmf-data: the extension '.sigmf-data' gives", "x.sigmf-data")
        self.refuse("y.sigmf-meta cannot be read: No such file", "y.sigmf-data")

    def test_metadata_may_begin_with_a_mark(self):
        """Of the order of bytes, as editors on Windows write it."""
        self.write_sigmf()
        path = Path("x.sigmf-meta")
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        self.assertEqual(open_recording("x").rate, RATE)

    def test_only_other_frequencies_are_a_change(self):
        self.write_sigmf()
        for others, is_change in (
            ([100000000, 100000000.0], False),
            ([100e6, None, 100e6], False),
            ([100e6, None, 200e6], True),
        ):
            facts = ({} if each is None else {"frequency": each} for each in others)
            change("x", captures=[capture(9 * i, **f) for i, f in enumerate(facts)])
            with self.subTest(others=others):
                notes = open_recording("x").notes
                self.assertEqual(bool(notes), is_change)

    def test_two_names_of_one_recording(self):
        """As * gives them in a folder of SigMF recordings."""
        self.write_sigmf("a")
        self.write_sigmf("b")
        self.run_command(*sorted(os.listdir()))
        self.assertEqual((self.stdout.count("\n"), self.stderr), (2, ""))
        self.assertTrue(os.path.exists("a.png") and os.path.exists("b.png"))


if __name__ == "__main__":
    unittest.main()
