#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gpufft spectrum --annotate finds the signals that are there, and no noise; annotations
of a SigMF recording are drawn."""

import json
import os
import unittest
from pathlib import Path

import numpy as np
from matplotlib.patches import Rectangle
from scipy import signal

import cli_testing as cli
from gnuradio.gpufft.cli import detections
from gnuradio.gpufft.cli.band import Band
from gnuradio.gpufft.cli.framing import Framing
from gnuradio.gpufft.cli.waterfall import Waterfall
from spectrum_testing import SpectrumTest, write

RATE, CENTRE = 1e6, 433e6
OVERLAP = 0.5  # of an annotation and what it means, in area: intersection over union


def noise(samples, seed, sloped):
    """Complex noise of power 1e-4; sloped: falling by 12 dB from the middle outwards."""
    x = cli.tones(samples, (), (), noise=1e-2, seed=seed)
    return signal.lfilter([1.0], [1.0, -0.6], x) * 0.5 if sloped else x


def add_burst(x, start, count, low, high, level, seed):
    """Adds noise of the band low ... high (cycles a sample) for a while, `level` times
    the amplitude of the noise in the same band."""
    random = np.random.default_rng(seed)
    taps = signal.firwin(301, (high - low) / 2, fs=1.0)
    burst = random.normal(size=count) + 1j * random.normal(size=count)
    burst = signal.lfilter(taps, 1, burst) * level * 1e-2 / np.sqrt(2)
    carrier = np.exp(1j * np.pi * (low + high) * np.arange(count))
    x[start : start + count] += burst * carrier


def area(box):
    """Of (start, end, low, high)."""
    return max(0, box[1] - box[0]) * max(0, box[3] - box[2])


def overlap(one, other):
    """Intersection over union of two boxes."""
    common = area(tuple(f(a, b) for f, a, b in zip((max, min) * 2, one, other)))
    return common / (area(one) + area(other) - common)


def read_boxes(path):
    """(start, end, low, high) of the annotations in a file, in samples and Hz."""
    for each in json.loads(Path(path).read_text())["annotations"]:
        start, low = each["core:sample_start"], each["core:freq_lower_edge"]
        yield start, start + each["core:sample_count"], low, each["core:freq_upper_edge"]


@unittest.skipUnless(cli.engine_is_usable(), f"no engine {cli.ENGINE} here")
class QaCliSpectrumSignals(SpectrumTest):
    def annotate(self, *options):
        """Annotates x.cf32; returns the boxes."""
        facts = ("x.cf32", "--rate", RATE, "--freq", CENTRE, "--annotate", "y.sigmf-meta")
        self.run_command(*facts, *options)
        return list(read_boxes("y.sigmf-meta"))

    def test_bursts_and_carriers_are_found(self):
        samples = 400000
        found, false = 0, 0
        for seed in range(6):
            x = noise(samples, seed, sloped=seed % 2)
            truth = []
            for i, (low, high) in enumerate(((-0.3, -0.22), (0.0, 0.05), (0.2, 0.35))):
                start, count = 40000 + 90000 * i + 5000 * seed, 50000 + 8000 * seed
                add_burst(x, start, count, low, high, 20, seed)
                edges = CENTRE + low * RATE, CENTRE + high * RATE
                truth.append((start, start + count, *edges))
            x += 0.01 * np.exp(2j * np.pi * 0.4123 * np.arange(samples))
            write("x.cf32", x, "cf32")
            boxes = self.annotate()
            place = CENTRE + 0.4123 * RATE
            carriers = [
                b for b in boxes if b[2] < place < b[3] and b[3] - b[2] < 0.05 * RATE
            ]
            self.assertEqual(len(carriers), 1, boxes)
            self.assertGreater(carriers[0][1] - carriers[0][0], 0.95 * samples)
            for box in truth:
                best = max(boxes, key=lambda each: overlap(each, box))
                found += overlap(best, box) > OVERLAP
            false += sum(
                max(overlap(box, each) for each in truth) == 0
                for box in boxes
                if box not in carriers
            )
        self.assertGreaterEqual(found, 17)  # of 18
        self.assertLessEqual(false, 1)

    def test_noise_is_not_annotated(self):
        boxes = []
        for seed, options in enumerate(
            (
                (),
                ("--average", 7),
                ("--overlap", 0.75),
                ("--size", 8192),
                ("--overlap", 0),
            )
            * 2
        ):
            x = noise(300000, 100 + seed, sloped=seed % 2)
            write("x.cf32", x, "cf32")
            boxes += self.annotate(*options)
        self.assertLessEqual(len(boxes), 1)  # 0.1 are to be expected

    def test_noise_of_few_lines_is_not_annotated(self):
        size, hop, lines = 256, 128, 11
        samples = (lines - 1) * hop + size
        taps = signal.get_window("hann", size)
        framing = Framing(0, samples, size, hop, 1, lines)
        random, pictures = np.random.default_rng(7), 0
        for _ in range(100):
            x = random.normal(size=samples) + 1j * random.normal(size=samples)
            frames = np.lib.stride_tricks.sliding_window_view(x, size)[::hop]
            waterfall = Waterfall(size, lines)
            waterfall.add(np.float32(np.abs(np.fft.fft(frames * taps)) ** 2))
            band = Band(0, size, -0.5, 1 / size)
            pictures += bool(
                detections.find_detections(waterfall, framing, band, taps, -300, 0)
            )
        self.assertLessEqual(pictures, 4)  # 1 is to be expected

    def test_squelched_recording(self):
        samples = 300000
        x = noise(samples, 3, sloped=False)
        x += 0.05 * np.exp(2j * np.pi * 0.1 * np.arange(samples))
        x[60000:240000] = 0
        write("x.cs16", x, "cs16")
        facts = ("x.cs16", "--rate", RATE, "--annotate", "y.sigmf-meta")
        self.run_command(*facts)
        place = 0.1 * RATE
        boxes = [box for box in read_boxes("y.sigmf-meta") if box[2] < place < box[3]]
        self.assertEqual(len(boxes), 2)
        for box, (start, end) in zip(boxes, ((0, 60000), (240000, samples))):
            np.testing.assert_allclose(box[:2], (start, end), atol=4096)

    def test_levels_are_those_of_tones(self):
        n = np.arange(300000)
        x = noise(len(n), 5, False)
        x[100000:200000] += 0.5 * np.exp(2j * np.pi * 0.125 * n[100000:200000])
        write("x.cf32", x, "cf32")
        self.annotate("--start", 0.05)
        found = json.loads(Path("y.sigmf-meta").read_text())["annotations"]
        each = max(found, key=lambda each: each["core:sample_count"])
        level = float(each["core:label"].removesuffix(" dBFS"))
        self.assertAlmostEqual(level, 20 * np.log10(0.5), delta=0.3)
        self.assertAlmostEqual(each["core:sample_start"], 100000, delta=2048)
        self.assertIn("dB above the noise", each["core:comment"])
        self.assertTrue(each["core:generator"].startswith("gpufft spectrum "))

    def test_the_file_describes_the_recording(self):
        x = cli.tones(100000, (0.125,), (0.5,), noise=1e-2)
        cli.write_sigmf("x", x, "cs16", "ci16_le", RATE, CENTRE, header=6)
        metadata = json.loads(Path("x.sigmf-meta").read_text())
        metadata["global"]["core:author"] = "me"
        metadata["captures"].append({"core:sample_start": 50, "core:frequency": CENTRE})
        metadata["annotations"] = [{"core:sample_start": 7, "core:label": "old"}]
        Path("x.sigmf-meta").write_text(json.dumps(metadata))
        self.run_command("x", "--annotate", "y.sigmf-meta")
        written = json.loads(Path("y.sigmf-meta").read_text())
        facts = {**metadata["global"], "core:dataset": "x.sigmf-data"}
        self.assertEqual(written["global"], {**facts, "core:trailing_bytes": 0})
        self.assertEqual(written["captures"], metadata["captures"])
        self.assertNotIn("old", json.dumps(written))
        self.run_command("y", "--csv", "y.csv")  # may be read again
        self.run_command("x", "--csv", "x.csv")
        self.assertEqual(Path("x.csv").read_bytes(), Path("y.csv").read_bytes())

        os.mkdir("folder")
        self.run_command("x", "--annotate", "folder/")
        written = json.loads(Path("folder/x.sigmf-meta").read_text())
        self.assertEqual(
            written["global"], {**metadata["global"], "core:metadata_only": True}
        )

    def test_a_wav_file_is_described(self):
        x = cli.tones(100000, (0.125,), (0.5,), noise=1e-2)
        data = cli.encode(x, "rs16")
        chunk = cli.chunk(b"LIST", b"after it")
        Path("x.wav").write_bytes(cli.wav(data, 1, 16, 1, 48000) + chunk)
        self.run_command("x.wav", "--annotate", "x.sigmf-meta")
        written = json.loads(Path("x.sigmf-meta").read_text())
        facts = written["global"]
        self.assertEqual(facts["core:datatype"], "ri16_le")
        self.assertEqual(facts["core:dataset"], "x.wav")
        self.assertEqual(facts["core:trailing_bytes"], len(chunk))
        header = written["captures"][0]["core:header_bytes"]
        self.assertEqual(Path("x.wav").read_bytes()[header:][: len(data)], data)
        (box,) = read_boxes("x.sigmf-meta")
        self.assertTrue(box[2] < 6000 < box[3] < 24000, box)
        self.run_command("x.sigmf-meta")
        self.assertEqual(len(self.drawn()), 1)

    def test_refused_annotations(self):
        x = cli.tones(5000, (0.1,), (0.5,))
        cli.write_sigmf("x", x, "cs16", "ci16_le", RATE, CENTRE)
        write("z.cs16", x, "cs16")
        for words, *arguments in (
            ("x.sigmf-meta is x.sigmf-meta, which", "x", "--annotate", "x.sigmf-meta"),
            ("must end in .sigmf-meta", "x", "--annotate", "y.json"),
            ("needs the sample rate", "z.cs16", "--annotate", "y.sigmf-meta"),
            ("in means", "x", "--annotate", "y.sigmf-meta", "--detector", "max"),
            ("in means", "x", "--annotate", "y.sigmf-meta", "--hold", "max"),
        ):
            with self.subTest(arguments=arguments):
                self.refuse(words, *arguments)

    def drawn(self):
        """((left, right), (top, bottom)) of the boxes in the waterfall, in Hz and s."""
        axes = self.image.axes
        divisor = 1e6 if "MHz" in axes.get_xlabel() else 1e3
        seconds = 1e3 if "(ms)" in axes.get_ylabel() else 1
        boxes = [each.get_bbox() for each in axes.patches if isinstance(each, Rectangle)]
        return [
            np.array((b.x0 * divisor, b.x1 * divisor, b.y0 / seconds, b.y1 / seconds))
            for b in boxes
        ]

    def test_annotations_are_drawn(self):
        cli.write_sigmf(
            "x", cli.tones(100000, (0.1,), (0.5,)), "cs16", "ci16_le", RATE, CENTRE
        )
        metadata = json.loads(Path("x.sigmf-meta").read_text())
        edges = ("core:freq_lower_edge", "core:freq_upper_edge")
        place = ("core:sample_start", "core:sample_count")

        def annotation(start, count, low, high, label):
            both = (*zip(place, (start, count)), *zip(edges, (low, high)))
            facts = {name: value for name, value in both if value is not None}
            return {**facts, "core:label": label}

        metadata["annotations"] = [
            annotation(10000, 20000, CENTRE + 50e3, CENTRE + 150e3, "a tone of $5"),
            annotation(50000, None, CENTRE - 900e3, CENTRE - 100e3, "cut off"),
            annotation(0, 1000, None, None, "all of the band"),
            annotation(0, 1000, CENTRE + 600e3, CENTRE + 700e3, "outside"),
            annotation(-1, 1000, None, None, "wrong"),
            annotation(0, 1000, CENTRE, CENTRE - 1, "wrong"),
            "wrong",
        ]
        Path("x.sigmf-meta").write_text(json.dumps(metadata))
        self.run_command("x", "--overlap", 0, "--size", 1000)
        self.assertEqual(self.stderr.count("\n"), 1)
        self.assertIn("3 of 7 annotations are left out, the first: x.sigmf-", self.stderr)
        expected = [
            (CENTRE + 50e3, CENTRE + 150e3, 0.01, 0.03),
            (CENTRE - 500e3, CENTRE - 100e3, 0.05, 0.1),
            (CENTRE - 500e3, CENTRE + 500e3, 0, 0.001),
        ]
        np.testing.assert_allclose(self.drawn(), expected, rtol=1e-9, atol=1e-9)
        words = [text.get_text() for text in self.image.axes.texts]
        self.assertEqual(words, ["a tone of $5", "cut off", "all of the band"])
        self.run_command("x", "--span", "20k", "--start", 0.04, "--duration", 0.05)
        self.assertEqual(len(self.drawn()), 0)

    def test_labels_do_not_overlap(self):
        cli.write_sigmf(
            "x", cli.tones(100000, (0.1,), (0.5,)), "cs16", "ci16_le", RATE, CENTRE
        )
        metadata = json.loads(Path("x.sigmf-meta").read_text())
        random = np.random.default_rng(1)
        for start in np.sort(random.integers(0, 90000, 200)).tolist():
            low = CENTRE + random.uniform(-0.5, 0.4) * RATE
            facts = {"core:sample_start": start, "core:sample_count": 5000}
            facts |= {"core:freq_lower_edge": low, "core:freq_upper_edge": low + 5e4}
            metadata["annotations"].append(
                {**facts, "core:label": "a signal of some kind"}
            )
        Path("x.sigmf-meta").write_text(json.dumps(metadata))
        self.run_command("x")
        self.assertEqual(len(self.drawn()), 200)
        boxes = [text.get_window_extent() for text in self.image.axes.texts]
        room = self.image.axes.get_window_extent()
        self.assertGreaterEqual(min(box.x0 for box in boxes), room.x0)
        self.assertLessEqual(max(box.x1 for box in boxes), room.x1)
        self.assertGreater(len(boxes), 20)
        for i, one in enumerate(boxes):
            for other in boxes[:i]:
                wide = min(one.x1, other.x1) - max(one.x0, other.x0)
                high = min(one.y1, other.y1) - max(one.y0, other.y0)
                self.assertFalse(wide > 2 and high > 3, (one, other))


if __name__ == "__main__":
    unittest.main()
