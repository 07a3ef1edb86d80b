#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft spectrum: frequencies and levels of every format against scipy.signal.welch, the
picture, the table, streaming."""

import os
import re
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from scipy import signal

import cli_testing as cli
from cli_testing import gpufft

ENGINES = "(cpu|cuda)" if cli.ENGINE == "auto" else cli.ENGINE
RATE = 2e6
CENTRE = 433e6
# A tone on a bin of 1024 and one between two, as cycles a sample; full scale is 1.
FREQUENCIES, AMPLITUDES = (0.25, -0.12345), (0.5, 0.05)


def welch(x, rate, size):
    """The reference: power per Hz in dB, DC in the middle, GNU Radio's Hann window."""
    taps = signal.get_window("hann", size, fftbins=False)
    frequency, power = signal.welch(
        x,
        rate,
        taps,
        size,
        size // 2,
        detrend=False,
        return_onesided=False,
        scaling="density",
    )
    return np.fft.fftshift(frequency), 10 * np.log10(np.fft.fftshift(power))


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliSpectrum(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def spectrum(self, *arguments):
        """Runs the command, which must succeed; returns (stdout, CSV columns)."""
        done = gpufft(
            "spectrum",
            *arguments,
            "--engine",
            cli.ENGINE,
            "--csv",
            "table.csv",
            cwd=self.folder,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.stderr = done.stderr
        return (
            done.stdout,
            np.loadtxt(self.folder / "table.csv", delimiter=",", skiprows=1).T[:2],
        )

    def check(self, name, format, data, *options, rate=RATE, centre=CENTRE, size=1024):
        """The table of file `name` agrees with welch of the samples `data`."""
        out, (frequency, level) = self.spectrum(name, "--size", size, *options)
        expected_frequency, expected = welch(cli.decode(data, format), rate, size)
        np.testing.assert_allclose(
            frequency, expected_frequency + centre, atol=rate / size / 1e3
        )
        np.testing.assert_allclose(level, expected, atol=0.1)
        return out

    def check_tones(self, out):
        """The closing line has both tones: within a bin, and within 0.1 dB."""
        found = re.findall(r"([\d.]+) MHz (-?[\d.]+) dBFS", out)
        self.assertGreaterEqual(len(found), 2, out)
        for (megahertz, level), f, a in zip(found, FREQUENCIES, AMPLITUDES):
            self.assertAlmostEqual(
                float(megahertz) * 1e6, CENTRE + f * RATE, delta=RATE / 1024
            )
            # 0.05 dB of rounding in the text
            self.assertAlmostEqual(float(level), 20 * np.log10(a), delta=0.15)

    def test_raw_formats(self):
        x = cli.tones(1 << 17, FREQUENCIES, AMPLITUDES)
        for format in ("cf32", "cs16", "cs8", "cu8"):
            with self.subTest(format=format):
                data = cli.encode(x, format)
                (self.folder / f"x.{format}").write_bytes(data)
                out = self.check(
                    f"x.{format}", format, data, "--rate", "2M", "--freq", "433M"
                )
                self.check_tones(out)

    def test_real_formats(self):
        """From 0 to half the rate; a full-scale sine has 0 dBFS, noise twice what welch's
        one-sided density says."""
        size = 1024
        taps = signal.get_window("hann", size, fftbins=False)
        x = cli.tones(1 << 16, (0.125, -0.3), (1.0, 0.05), noise=0.02)
        for format in ("rf32", "rs16"):
            with self.subTest(format=format):
                data = cli.encode(x * 0.9, format)
                (self.folder / "x.raw").write_bytes(data)
                options = ("--format", format, "--rate", RATE, "--freq", CENTRE)
                out, table = self.spectrum("x.raw", "--size", size, *options)
                samples = cli.decode(data, format).real
                options = {"nperseg": size, "detrend": False, "scaling": "density"}
                frequency, power = signal.welch(samples, RATE, taps, **options)
                np.testing.assert_allclose(table[0] - CENTRE, frequency[:-1], atol=1e-3)
                expected = 10 * np.log10(2 * power[1:-1])
                np.testing.assert_allclose(table[1][1:], expected, atol=0.1)
                found = re.findall(r"([\d.]+) MHz (-?[\d.]+) dBFS", out)[:2]
                for (megahertz, level), f, a in zip(found, (0.125, 0.3), (0.9, 0.045)):
                    place = CENTRE + f * RATE
                    self.assertAlmostEqual(
                        float(megahertz) * 1e6, place, delta=RATE / size
                    )
                    self.assertAlmostEqual(float(level), 20 * np.log10(a), delta=0.15)

    def test_sigmf(self):
        x = cli.tones(1 << 16, FREQUENCIES, AMPLITUDES)
        for format, datatype in (
            ("cs16", "ci16_le"),
            ("cf32", "cf32_le"),
            ("cs8", "ci8"),
            ("cu8", "cu8"),
        ):
            with self.subTest(datatype=datatype):
                cli.write_sigmf(
                    self.folder / "x.y", x, format, datatype, RATE, CENTRE, header=3
                )
                self.check_tones(
                    self.check("x.y.sigmf-meta", format, cli.encode(x, format))
                )
        for name in ("x.y.sigmf-data", "x.y"):
            with self.subTest(name=name):
                self.check(name, "cu8", cli.encode(x, "cu8"))

    def test_wav(self):
        x = cli.tones(1 << 16, FREQUENCIES, AMPLITUDES)
        auxi = cli.chunk(b"auxi", bytes(32) + struct.pack("<I", int(CENTRE)))
        odd = cli.chunk(b"LIST", b"odd")  # moves the samples off the grid of 4 bytes
        for format, tag, bits in (("cs16", 1, 16), ("cf32", 3, 32), ("cu8", 1, 8)):
            with self.subTest(format=format):
                data = cli.encode(x, format)
                (self.folder / "x.wav").write_bytes(
                    cli.wav(data, tag, bits, 2, int(RATE), auxi + odd)
                )
                self.check_tones(self.check("x.wav", format, data))
        data = cli.encode(x, "cs16")
        (self.folder / "x.wav").write_bytes(cli.rf64(data, 1, 16, 2, int(RATE)))
        self.check("x.wav", "cs16", data, "--freq", "433M")

    @unittest.skipUnless(cli.MODES.exists(), "no off-air recording here")
    def test_off_air_recording(self):
        self.check(
            cli.MODES,
            "cu8",
            cli.MODES.read_bytes(),
            "--rate",
            "2M",
            "--freq",
            "1090M",
            size=4096,
            centre=1090e6,
        )

    def test_unknown_rate_gives_level_per_bin(self):
        x = cli.tones(1 << 16, (0.25,), (0.5,))
        (self.folder / "x.cf32").write_bytes(cli.encode(x, "cf32"))
        out, (frequency, level) = self.spectrum("x.cf32", "--size", 1024)
        self.assertEqual((frequency[0], frequency[512]), (-0.5, 0))
        self.assertEqual(frequency[level.argmax()], 0.25)
        self.assertAlmostEqual(level.max(), 20 * np.log10(0.5), delta=0.01)
        self.assertIn("+0.25000", out)

    def test_windows_with_and_without_parameter(self):
        x = cli.tones(1 << 15, (0.1234,), (0.5,))
        (self.folder / "x.cf32").write_bytes(cli.encode(x, "cf32"))
        options = ("--rate", "1M", "--size", 4096)
        for window in ("none", "flattop", "kaiser:8.6", "kaiser:1000"):
            with self.subTest(window=window):
                out, _ = self.spectrum("x.cf32", *options, "--window", window)
                self.assertRegex(out, r"peaks: 123\.[34]\d* kHz -6\.0 dBFS")

    def test_part_of_a_recording(self):
        before, after = cli.tones(50000, (0.1,), (0.1,)), cli.tones(50000, (0.2,), (0.1,))
        (self.folder / "x.cf32").write_bytes(cli.encode(np.append(before, after), "cf32"))
        for start, duration, expected in ((0, 0.05, 0.1), (0.05, 0.05, 0.2)):
            out, (frequency, level) = self.spectrum(
                "x.cf32",
                "--rate",
                "1M",
                "--start",
                start,
                "--duration",
                duration,
                "--size",
                1000,
                "--window",
                "blackmanharris",
            )
            self.assertRegex(out, rf"^50000 samples, engine {ENGINES}, ")
            self.assertEqual(frequency[level.argmax()], expected * 1e6)
            other = level[abs(frequency - (0.3 - expected) * 1e6) < 5e3]
            self.assertLess(other.max(), level.max() - 30)

    def test_every_last_frame_counts(self):
        # 19 frames of 64 in 640 samples are one row, silent but for the last frame.
        x = np.zeros(640)
        x[-32:] = 1
        (self.folder / "x.cf32").write_bytes(cli.encode(x + 0j, "cf32"))
        _, (_, level) = self.spectrum(
            "x.cf32", "--size", 64, "--average", 19, "--rate", 1
        )
        _, expected = welch(x + 0j, 1, 64)
        self.assertAlmostEqual(level.max(), expected.max(), delta=0.05)

    def rows_of(self, x, size, average, detector):
        """Rows of a detector from the samples, without overlap, in double precision."""
        taps = signal.get_window("hann", size, fftbins=False)
        frames = x[: len(x) // size * size].reshape(-1, size) * taps
        power = np.abs(np.fft.fftshift(np.fft.fft(frames, axis=1), axes=1)) ** 2
        power /= RATE * np.sum(taps**2)
        rows = len(power) // average
        power = power[: rows * average].reshape(rows, average, size)
        if detector != "kurtosis":
            return getattr(power, detector)(axis=1)
        m, s1, s2 = average, power.sum(axis=1), (power**2).sum(axis=1)
        return (m + 1) / (m - 1) * (m * s2 / s1**2 - 1)

    def test_detectors_and_holds(self):
        size, average = 256, 20
        x = cli.tones(1 << 17, FREQUENCIES, AMPLITUDES, noise=0.01)
        x[5000:5512] *= 3  # a burst
        data = cli.encode(x, "cs16")
        (self.folder / "x.cs16").write_bytes(data)
        samples = cli.decode(data, "cs16")
        for detector, hold, taken in (
            ("mean", "max", "max"),
            ("mean", "min", "min"),
            ("max", "none", "mean"),
            ("min", "none", "mean"),
            ("kurtosis", "none", "mean"),
        ):
            with self.subTest(detector=detector, hold=hold):
                options = ("--detector", detector, "--hold", hold, "--average", average)
                where = ("--rate", "2M", "--size", size, "--overlap", 0)
                _, (_, level) = self.spectrum("x.cs16", *where, *options)
                rows = self.rows_of(samples, size, average, detector)
                expected = getattr(rows, taken)(axis=0)
                if detector != "kurtosis":
                    expected = 10 * np.log10(expected)
                np.testing.assert_allclose(level, expected, atol=0.02)

    def test_hop_is_the_overlap_in_samples(self):
        """The same rows, and a size that no frame is shorter than."""
        (self.folder / "x.cs8").write_bytes(
            cli.encode(cli.tones(20000, (0.1,), (0.5,)), "cs8")
        )
        tables = {}
        for name, words in (
            ("overlap", ("--size", 1000, "--overlap", 0.7)),
            ("hop", ("--size", 1000, "--hop", 300)),
            ("default", ("--hop", 700)),
        ):
            tables[name] = self.spectrum("x.cs8", "--rate", "1M", *words)[1]
        np.testing.assert_array_equal(tables["hop"], tables["overlap"])
        self.assertEqual(len(tables["default"][0]), 1024)

    def test_kurtosis_names_what_is_no_noise(self):
        n = 400000
        x = cli.tones(n, (0.25,), (0.5,))
        burst = np.exp(-2j * np.pi * 0.125 * np.arange(4000))  # 1 % of the time
        x[:4000] += 2e-4 * burst
        (self.folder / "x.cf32").write_bytes(cli.encode(x, "cf32"))
        options = ("--rate", "2M", "--detector", "kurtosis", "--size", 1000)
        out, table = self.spectrum("x.cf32", *options, "--overlap", 0)
        found = re.findall(r"(-?[\d.]+) kHz SK ([\d.e-]+)", out)
        self.assertEqual(len(found), 2, out)
        tone, pulse = ((float(place), float(value)) for place, value in found)
        self.assertAlmostEqual(tone[0], 500, delta=4)
        self.assertLess(tone[1], 0.01)
        self.assertAlmostEqual(pulse[0], -250, delta=4)
        self.assertGreater(pulse[1], 2)
        header = (self.folder / "table.csv").read_text().splitlines()[0]
        names = "frequency_hz,spectral_kurtosis,maximum_spectral_kurtosis"
        self.assertEqual(header, names)
        self.assertAlmostEqual(np.median(table[1]), 1, delta=0.05)

    def test_unknown_detector_and_hold(self):
        (self.folder / "x.cs8").write_bytes(bytes(40000))
        for option, allowed in (
            ("--detector", "must be mean, max, min or kurtosis"),
            ("--hold", "must be none, max or min"),
        ):
            done = gpufft("spectrum", "x.cs8", option, "peak", cwd=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"'peak': {allowed}", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_rows_with_nan_are_left_out(self):
        x = cli.tones(100000, (0.25,), (0.5,))
        clean = x.copy()
        x[12345] = np.nan
        for name, samples in (("clean", clean), ("nan", x)):
            (self.folder / f"{name}.cf32").write_bytes(cli.encode(samples, "cf32"))
        _, expected = self.spectrum("clean.cf32", "--size", 1000, "--average", 1)
        self.assertEqual(self.stderr, "")
        _, table = self.spectrum("nan.cf32", "--size", 1000, "--average", 1)
        self.assertEqual(self.stderr.count("\n"), 1)
        self.assertIn("2 of 199 rows hold NaN or Inf", self.stderr)
        self.assertAlmostEqual(table[1].max(), expected[1].max(), delta=0.01)

    def test_truncated_file_says_what_is_used(self):
        data = cli.encode(cli.tones(10000, (0.25,), (0.5,)), "cs16")
        (self.folder / "x.cs16").write_bytes(data + b"\1\2\3")
        self.spectrum("x.cs16")
        self.assertIn("last 3 of 40003 bytes", self.stderr)
        self.assertIn("10000 samples are used", self.stderr)

    def test_progress_bar_when_forced(self):
        (self.folder / "x.cs8").write_bytes(bytes(4000000))
        self.spectrum("x.cs8", "--progress")
        self.assertIn("samples", self.stderr)

    def test_a_large_file_streams_in_bounded_memory(self):
        megabytes = {}
        for name, size in (("small", 1 << 20), ("large", 1 << 29)):
            with open(self.folder / f"{name}.cs8", "wb") as file:
                file.truncate(size)
            process = subprocess.Popen(
                [cli.COMMAND, "spectrum", f"{name}.cs8"],
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            megabytes[name] = usage.ru_maxrss / 1024
        self.assertLess(megabytes["large"], megabytes["small"] + 100)  # of 512 MB


if __name__ == "__main__":
    unittest.main()
