#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft spectrum: what it draws and writes: ranges, bands, sizes, formats, tables,
several recordings."""

import datetime
import json
import os
import struct
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
from scipy import signal

import cli_testing as cli
from spectrum_testing import SpectrumTest, write

RATE = 48000


def rows_of(x, size, average, rate=RATE):
    """Density in dB of rows, half-overlapping Hann frames, DC in the middle."""
    taps = signal.get_window("hann", size, fftbins=False)
    frames = np.lib.stride_tricks.sliding_window_view(x, size)[:: size // 2] * taps
    power = np.abs(np.fft.fftshift(np.fft.fft(frames), axes=1)) ** 2
    power = power / (rate * np.sum(taps**2))
    rows = len(power) // average
    return 10 * np.log10(
        power[: rows * average].reshape(rows, average, size).mean(axis=1)
    )


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliSpectrumOutput(SpectrumTest):
    def test_digital_silence_sets_no_range(self):
        noise = cli.tones(200000, (), (), noise=1e-2)
        for format in ("rs16", "cs16", "cf32"):
            with self.subTest(format=format):
                squelched = noise.copy()
                squelched[20000:] = 0
                options = ("--format", format, "--rate", RATE, "--size", 512)
                write("noise", noise, format)
                self.run_command("noise", *options)
                low, high = self.image.norm.vmin, self.image.norm.vmax
                mean = self.view.mean
                write("squelched", squelched, format)
                self.run_command("squelched", *options)
                self.assertAlmostEqual(self.image.norm.vmin, low, delta=3)
                self.assertAlmostEqual(self.image.norm.vmax, high, delta=3)
                foot = self.figure.axes[0].get_ylim()[0]
                self.assertGreater(foot, self.view.mean.max() - 20)
                # The mean stays that of all rows, of which a tenth are noise.
                loss = np.median(mean) - np.median(self.view.mean)
                self.assertAlmostEqual(loss, 10, delta=0.7)

    def test_silence_alone_is_drawn(self):
        write("x.cs16", np.zeros(50000, complex), "cs16")
        self.run_command("x.cs16", "--rate", RATE)
        self.assertLess(self.image.norm.vmin, self.image.norm.vmax)

    def test_rounding_noise_is_no_silence(self):
        tone = cli.tones(100000, (0.1234,), (0.5,), noise=0)  # the rest is rounding
        write("x.cs16", tone, "cs16")
        self.run_command("x.cs16", "--rate", RATE, "--size", 1024, "--average", 50)
        heard = np.median(self.view.mean)
        self.assertAlmostEqual(self.view.silence, heard, delta=1.5)
        self.assertLess(self.image.norm.vmin, heard)

    def test_levels_and_colours(self):
        write("x.cs16", cli.tones(50000, (0.1,), (0.5,)), "cs16")
        for options, levels, colours in (
            (("--levels", "-120,-20.5", "--colors", "viridis"), (-120, -20.5), "viridis"),
            (("--levels", "1,2", "--detector", "kurtosis"), (1, 2), "RdBu_r"),
        ):
            self.run_command("x.cs16", "--rate", RATE, *options)
            self.assertEqual(self.figure.axes[0].get_ylim(), levels)
            norm = self.image.norm
            self.assertEqual((norm.vmin, norm.vmax), levels)
            self.assertEqual(self.image.cmap.name, colours)

    def test_refused_styles(self):
        write("x.cs16", cli.tones(5000, (0.1,), (0.5,)), "cs16")
        for words, *options in (
            ("--levels '3': write two numbers", "--levels", "3"),
            ("--levels '-20,-30': the first must be", "--levels", "-20,-30"),
            ("--levels 'a' is not a number", "--levels", "a,3"),
            ("both must be", "--levels", "-1,3", "--detector", "kurtosis"),
            ("'jet' is unknown: use inferno, magma", "--colors", "jet"),
            ("'big' is not a size", "--picture-size", "big"),
            ("639x480 is out of range: it must be 640x480", "--picture-size", "639x480"),
            ("8193x8192 is out of range", "--picture-size", "8193x8192"),
            ("must end in .png or .svg or .pdf", "-o", "x.jpg"),
            ("must end in .npy or .csv", "--waterfall", "x.txt"),
            ("needs the sample rate", "--waterfall", "x.csv"),
            (
                "--centre 30k is outside the recording's",
                "--rate",
                RATE,
                "--centre",
                "30k",
            ),
            ("which is -24000 ... 24000 Hz", "--rate", RATE, "--centre", "-24001"),
            ("less than 4 bins", "--rate", RATE, "--span", "20"),
            ("--span '0' must be greater than 0", "--span", "0"),
            ("beyond the year 9999", "--rate", "1e-9", "--waterfall", "x.csv"),
        ):
            with self.subTest(options=options):
                self.refuse(words, "x.cs16", *options)

    def test_size_and_format_of_the_picture(self):
        write("x.cs16", cli.tones(50000, (0.1,), (0.5,)), "cs16")
        for text, size in (
            (None, (1200, 800)),
            ("640x480", (640, 480)),
            ("1501x2003",) * 2,
        ):
            options = () if text is None else ("--picture-size", text)
            self.run_command("x.cs16", "-o", "x.png", *options)
            head = Path("x.png").read_bytes()[:24]
            self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
            found = struct.unpack(">II", head[16:])
            self.assertEqual(found, size if text != size else (1501, 2003))
        self.run_command("x.cs16", "-o", "x.svg")
        self.assertTrue(ElementTree.parse("x.svg").getroot().tag.endswith("svg"))
        self.run_command("x.cs16", "-o", "x.PDF")
        self.assertEqual(Path("x.PDF").read_bytes()[:5], b"%PDF-")

    def test_all_words_lie_inside_the_picture(self):
        """With peaks, without any and of the kurtosis, in all shapes of picture."""
        write("tones.cs16", cli.tones(50000, (0.1, 0.2), (0.1, 0.1), noise=1e-3), "cs16")
        write("noise.cs16", cli.tones(50000, (), (), noise=1e-2), "cs16")
        for name in ("tones.cs16", "noise.cs16"):
            for size in ("640x480", "1200x800", "3000x500", "700x2000"):
                for detector in ("mean", "kurtosis"):
                    with self.subTest(recording=name, size=size, detector=detector):
                        shape = ("--picture-size", size, "--detector", detector)
                        self.run_command(name, "--rate", 2.4e6, *shape)
                        self.assert_words_inside()

    def assert_words_inside(self):
        words = list(self.figure.texts)
        for axes in self.figure.axes:
            words += axes.texts + [axes.xaxis.label, axes.yaxis.label]
            if axes.get_legend():
                words += axes.get_legend().get_texts()
        words = [each for each in words if each.get_text()]
        heads = ("Strongest peaks", "No peaks above", "Farthest from", "Noise only")
        self.assertTrue(any(each.get_text().startswith(heads) for each in words))
        edge = self.figure.bbox
        for each in words:
            (left, low), (right, high) = each.get_window_extent().get_points()
            inside = 0 <= left and right <= edge.x1 and 0 <= low and high <= edge.y1
            self.assertTrue(inside, (each.get_text(), left, low, right, high))

    def test_a_large_picture_has_more_cells(self):
        write("x.cs16", cli.tones(2500 * 2048, (0.1,), (0.5,)), "cs16")
        options = ("--size", 4096, "--average", 2)
        self.run_command("x.cs16", *options)
        self.assertEqual(self.view.image.shape, (625, 1024))
        self.run_command("x.cs16", *options, "--picture-size", "5000x3000")
        self.assertEqual(self.view.image.shape, (2499 // 2, 4096))

    def test_band(self):
        write("x.cs16", cli.tones(1 << 18, (0.1, -0.2), (0.5, 0.01), noise=1e-3), "cs16")
        facts = (
            "x.cs16",
            "--rate",
            "1M",
            "--freq",
            "100M",
            "--size",
            4096,
            "--csv",
            "x.csv",
        )
        self.run_command(*facts)
        whole = np.loadtxt("x.csv", delimiter=",", skiprows=1)
        step = 1e6 / 4096
        for options, low, high in (
            (("--centre", "99.8M", "--span", "100k"), 99.75e6, 99.85e6),
            (("--span", "300k"), 99.85e6, 100.15e6),
            (("--centre", "100.4M"), 100.3e6, 100.5e6),
            (("--centre", "100.4M", "--span", "400k"), 100.1e6, 100.5e6),
        ):
            with self.subTest(options=options):
                self.run_command(*facts, *options)
                table = np.loadtxt("x.csv", delimiter=",", skiprows=1)
                self.assertAlmostEqual(table[0, 0], low, delta=step)
                self.assertAlmostEqual(table[-1, 0], high - step, delta=step)
                same = whole[np.isin(whole[:, 0], table[:, 0])]
                np.testing.assert_allclose(table, same, atol=1e-3)
                self.assertEqual(self.view.bins_in_column, -(-len(table) // 1200))
                limits = np.array(self.figure.axes[0].get_xlim()) * 1e6
                np.testing.assert_allclose(limits, (low, high), atol=step)
        self.run_command(*facts, "--centre", "99.8M", "--span", "100k")
        self.assertRegex(self.stdout, r"peaks: 99\.8000 MHz -40\.\d dBFS")
        self.assertNotIn("100.1", self.stdout)

    def test_default_size_makes_about_200_rows(self):
        for samples in (300, 1000, 11519, 25000, 356868, 500000, 2000000):
            write("x.cs8", np.zeros(samples, complex), "cs8")
            self.run_command("x.cs8", "--waterfall", "x.npy")
            rows, size = np.load("x.npy").shape
            if samples <= 25000:
                self.assertEqual((size, rows), (256, (samples - 256) // 64 + 1))
            else:
                twice = (samples - 2 * size) // size + 1
                self.assertTrue(200 <= rows <= 1000 and (size == 4096 or twice < 200))
        self.run_command("x.cs8", "--waterfall", "x.npy", "--size", 300)
        self.assertEqual(np.load("x.npy").shape[1], 300)

    def test_kurtosis_of_a_few_samples(self):
        options = ("x.cf32", "--detector", "kurtosis")
        for samples in (6, 17, 65, 95, 256, 383, 384, 1000):
            write("x.cf32", cli.tones(samples, (), (), noise=1e-2), "cf32")
            self.run_command(*options)
        words = "kurtosis needs 2 frames or more: 1000 samples have 1 of 700 with a hop of"
        self.refuse(f"{words} 350", *options, "--size", 700)

    def test_tables_of_the_waterfall(self):
        size, average = 256, 3
        x = write("x.cs16", cli.tones(40000, (0.1, -0.3), (0.5, 0.01)), "cs16")
        facts = ("x.cs16", "--rate", RATE, "--size", size, "--average", average)
        expected = rows_of(x, size, average)
        self.run_command(*facts, "--waterfall", "x.npy", "--csv", "x.csv")
        found = np.load("x.npy")
        self.assertEqual((found.dtype, found.shape), (np.float32, expected.shape))
        np.testing.assert_allclose(found, expected, atol=0.02)
        table = np.loadtxt("x.csv", delimiter=",", skiprows=1)
        mean = 10 * np.log10(np.mean(10 ** (expected / 10), axis=0))
        np.testing.assert_allclose(table[:, 1], mean, atol=0.02)
        np.testing.assert_allclose(table[:, 2], expected.max(axis=0), atol=0.02)
        header = Path("x.csv").read_text().partition("\n")[0]
        names = "frequency_hz,power_dbfs_per_hz,maximum_power_dbfs_per_hz"
        self.assertEqual(header, names)

        self.run_command(*facts, "--waterfall", "x.csv", "--start", 0.25, "--freq", "1M")
        start = RATE // 4
        expected = rows_of(x[start:], size, average)
        lines = [line.split(", ") for line in Path("x.csv").read_text().splitlines()]
        self.assertEqual(len(lines), len(expected))
        for row, (line, levels) in enumerate(zip(lines, expected)):
            since = (start + row * average * size / 2) / RATE
            time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=since)
            self.assertEqual(line[:2], time.strftime("%Y-%m-%d %H:%M:%S.%f").split())
            facts = list(map(float, line[2:6]))
            self.assertEqual(facts, [976000, 1024000, 187.5, size * (average + 1) / 2])
            np.testing.assert_allclose(np.array(line[6:], float), levels, atol=0.03)

    def test_times_of_rows_are_the_recordings(self):
        x = cli.tones(RATE * 6, (0.1,), (0.5,))
        cli.write_sigmf("x", x, "cs8", "ci8", RATE, 1e6)
        metadata = json.loads(Path("x.sigmf-meta").read_text())
        rows = ("x", "--size", RATE, "--overlap", 0, "--waterfall", "x.csv")
        start, after = "2026-03-31, 23:59:58", "2026-04-01, 00:00:00"
        for text, first, second in (
            ("2026-03-31T23:59:58.5Z", start, after),
            ("2026-04-01T01:59:58+02:00", start, after),
            ("yesterday", "1970-01-01, 00:00:00", "1970-01-01, 00:00:02"),
            ("0001-01-01T00:30:00+01:00", "1970-01-01, 00:00:00", "1970-01-01, 00:00:02"),
        ):
            metadata["captures"][0]["core:datetime"] = text
            Path("x.sigmf-meta").write_text(json.dumps(metadata))
            self.run_command(*rows)
            lines = Path("x.csv").read_text().splitlines()
            self.assertTrue(
                lines[0].startswith(f"{first}, 976000, 1024000, 1, "), lines[0]
            )
            self.assertEqual(lines[2][:20], second)
            self.assertEqual(self.stderr.count(f"{text!r} is no time"), first[0] == "1")

    def test_rows_with_nan_are_nan_in_the_table(self):
        x = cli.tones(4096, (0.1,), (0.5,))
        x[2000] = np.nan
        write("x.cf32", x, "cf32")
        self.run_command("x.cf32", "--size", 256, "--overlap", 0, "--waterfall", "x.npy")
        rows = np.isnan(np.load("x.npy")).all(axis=1)
        np.testing.assert_array_equal(np.flatnonzero(rows), [2000 // 256])

    def test_doubles_beyond_single_precision(self):
        """They are Inf, which is told in one line."""
        x = cli.tones(4096, (0.1,), (0.5,))
        x[2000] = 1e300
        Path("x.cf64").write_bytes(cli.encode(x, "cf64"))
        self.run_command("x.cf64", "--size", 256, "--overlap", 0)
        words = "1 of 16 rows hold NaN or Inf samples and are left out"
        self.assertEqual(self.stderr, f"gpufft: {words}\n")

    def test_several_recordings(self):
        for name in ("a.cs16", "b.cs16", "c.d.cs16"):
            write(name, cli.tones(5000, (0.1,), (0.5,)), "cs16")
        os.mkdir("folder")
        self.run_command("a.cs16", "b.cs16", "c.d.cs16")
        self.assertEqual(self.stdout.count("\n"), 3)
        self.assertTrue(all(map(os.path.exists, ("a.png", "b.png", "c.d.png"))))
        self.run_command("a.cs16", "b.cs16", "-o", "folder/", "--csv", "folder")
        names = ["a.csv", "a.png", "b.csv", "b.png"]
        self.assertEqual(sorted(os.listdir("folder")), names)
        self.run_command("a.cs16", "-o", "folder", "c.d.cs16")
        self.assertIn("c.d.png", os.listdir("folder"))

    def test_one_of_several_fails(self):
        for name in ("a.cs16", "b.cs16"):
            write(name, cli.tones(5000, (0.1,), (0.5,)), "cs16")
        Path("part.cs16").write_bytes(b"abc")
        self.run_command("a.cs16", "part.cs16", "no.cs16", "b.cs16", status=1)
        self.assertTrue(os.path.exists("a.png") and os.path.exists("b.png"))
        for line in (
            "part.cs16 holds no",
            "no.cs16 cannot be",
            "2 of 4 recordings could",
        ):
            self.assertIn(f"gpufft: {line}", self.stderr)
        self.assertEqual(self.stderr.count("\n"), 3)
        self.run_command("part.cs16", "no.cs16", status=2)
        self.assertIn("2 of 2 recordings could not be drawn", self.stderr)

    def test_several_recordings_are_refused_before_work_starts(self):
        os.mkdir("folder")
        for name in ("a.cs16", "b.cs16", "a.cs8", "folder/b.cs16"):
            write(name, cli.tones(5000, (0.1,), (0.5,)), "cs16")
        for words, *arguments in (
            ("a.cs16 and a.cs8 have the same name", "a.cs16", "a.cs8"),
            ("b.cs16 and folder/b.cs16 have", "b.cs16", "folder/b.cs16"),
            ("-o x.png is one file for 2 recordings", "a.cs16", "b.cs16", "-o", "x.png"),
            ("--csv x.csv is one file for", "a.cs16", "b.cs16", "--csv", "x.csv"),
        ):
            self.refuse(words, *arguments)

    def test_no_output_replaces_a_recording(self):
        write("a.cs16", cli.tones(5000, (0.1,), (0.5,)), "cs16")
        x = write("b.png", cli.tones(5000, (0.1,), (0.5,)), "cs16")
        os.symlink("b.png", "a.png")
        self.run_command("a.cs16", "b.png", "--format", "cs16", status=2)
        np.testing.assert_array_equal(cli.decode(Path("b.png").read_bytes(), "cs16"), x)
        words = "which the command reads or writes, too"
        self.assertEqual(self.stderr.count(words), 2)


if __name__ == "__main__":
    unittest.main()
