#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/troubleshooting.md and the sources have the same messages; those that cost nothing
are provoked."""

import re
import tempfile
import unittest
from pathlib import Path

import messages
import numpy as np
import page
import sandbox
from gnuradio import gpufft

PAGE = page.PROJECT / "docs" / "troubleshooting.md"


def quoted():
    """The messages in the first columns, and those that a row names in its second."""
    found, known = [], messages.raised()
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) == 4 and "(Python's)" not in line:
            first, second = (
                re.findall(r"`([^`]+)`", cell.replace("\\|", "|")) for cell in cells[1:3]
            )
            found += first + [text for text in second if text in known]
    return found


def has_parts(message, text):
    """Whether a file says all of a message's words, near each other and in order."""
    parts = [re.escape(part) for part in message.split("…") if part.strip()]
    return re.search(".{0,300}?".join(parts), text, re.S) is not None


PROVOKED = [
    lambda: gpufft.fft_vcc(0, True, []),
    lambda: gpufft.fft_vcc(8, True, [], vlen=3),
    lambda: gpufft.fft_vcc(2**30, True, []),
    lambda: gpufft.fft_vcc(8, True, "square"),
    lambda: gpufft.fft_vcc(8, True, [], engine="gpu"),
    lambda: gpufft.fft_vcc(8, True, [], device=[]),
    lambda: gpufft.fft_vcc(8, True, [], device=[0, 0]),
    lambda: gpufft.fft_vcc(8, True, [], on_error="go"),
    lambda: gpufft.fft_vcc(8, True, "kaiser"),
    lambda: gpufft.rfft_vfc(8, [1.0, 2.0]),
    lambda: gpufft.rfft_vfc(8, vlen=0),
    lambda: gpufft.dct_vff(8, 5),
    lambda: gpufft.dct_vff(8, norm="half"),
    lambda: gpufft.power_spectrum_cf(8, mode="volts"),
    lambda: gpufft.power_spectrum_cf(8, alpha=0),
    lambda: gpufft.power_spectrum_cf(8, samp_rate=-1.0),
    lambda: gpufft.power_spectrum_cf(2, window=[1.0, -1.0]),
    lambda: gpufft.power_spectrum_cf(8, overlap=1),
    lambda: gpufft.power_spectrum_cf(8, overlap=0.5, hop=4),
    lambda: gpufft.power_spectrum_cf(8, ovrlap=0.5),
    lambda: gpufft.power_spectrum_cf(8, xyzzy=0.5),
    lambda: gpufft.power_spectrum_cf(8, hop=8 / 2),
    lambda: gpufft.power_spectrum_cf(2**70),
    lambda: gpufft.power_spectrum_cf(8, samp_rate=1, sample_rate=1),
    lambda: gpufft.zoom_fft_vcc(8, 4),
    lambda: gpufft.zoom_fft_vcc(8, 4, 0, 3, samp_rate=2),
    lambda: gpufft.problem("c2c_forward_n8_b1_load=sin(x)"),
    lambda: gpufft.problem("r2c_n8_b1_load=x"),
    lambda: gpufft.plan("c2c_forward_n8_b1_load=x", engine="cpu").set_parameter("a", 1),
    lambda: gpufft.correlator_bank([[1, 2]], parameters={"a": 1}),
    lambda: gpufft.correlator_bank([]),
    lambda: gpufft.correlator_bank([[1, 2], [1]]),
    lambda: gpufft.correlator_bank([[1, 2]], [0, 1, 3]),
    lambda: gpufft.correlator_bank([[1, 2]], [0, 1]),
    lambda: gpufft.correlator_bank([[1, 2]], peaks="all"),
    lambda: gpufft.pfb_channelizer_hier_ccf(4, bw=2),
    lambda: gpufft.pfb_channelizer_hier_ccf(4, atten=2),
    lambda: gpufft.problem(lengths=8, bacth=2),
    lambda: gpufft.fft_filter_ccf(1, []),
    lambda: gpufft.fft_filter_ccf(1, [float("nan")]),
    lambda: gpufft.pfb_channelizer_ccf(4, None, 1.5),
    lambda: gpufft.pfb_channelizer_ccf(4, vlen=3),
    lambda: gpufft.pfb_channelizer_ccf.create_taps(4, 500),
    lambda: gpufft.channel_bank_cc(1, [1.0], [2.0], 1.0),
    lambda: gpufft.problem("c2c_forward_nought"),
    lambda: gpufft.problem("c2c_forward_n0"),
    lambda: gpufft.problem(kind="c2q", lengths=8),
    lambda: gpufft.problem(length=8),
    lambda: gpufft.plan("c2c_forward_n8", engine="host"),
    lambda: gpufft.plan("c2c_forward_n8", threads=-1),
    lambda: gpufft.plan("c2c_forward_n8").execute(np.array(["a"] * 8)),
    lambda: gpufft.plan("c2c_forward_n8").execute(np.zeros((2, 7), np.complex64)),
    lambda: gpufft.plan("c2c_forward_n8").set_window("hann"),
    lambda: gpufft.fft(np.zeros(4, np.longdouble)),
    lambda: gpufft.fft(np.zeros(4), norm="none"),
    lambda: gpufft.fft(np.zeros(4), workers=0),
    lambda: gpufft.fftn(np.zeros((4, 4)), axes=(0, 0)),
    lambda: gpufft.dct(np.zeros(4), type=5),
    lambda: gpufft.next_fast_len(0),
]

COMMANDS = [
    "spectrum missing.cf32",
    "spectrum .",
    "spectrum empty.cf32",
    "spectrum ten.xyz",
    "spectrum ten.cf32 --size many",
    "spectrum ten.cf32 --overlap 2",
    "spectrum ten.cf32 --size 64",
    "spectrum ten.cf32 --start 1",
    "spectrum ten.cf32 -o picture.jpg",
    "spectrum ten.wav",
    "spectrum ten.sigmf-meta",
    "spectrum --speed 3",
    "tune",
    "tune --family none",
    "bench --from some.csv",
    "verify --lengths 4 --chirp",
]


class QaTroubleshooting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.quoted = quoted()
        cls.patterns = [messages.pattern(message) for message in cls.quoted]

    def assert_on_the_page(self, text):
        fits = [pattern for pattern in self.patterns if pattern.fullmatch(text)]
        self.assertTrue(fits, f"the page has no such message: {text}")

    def test_what_it_quotes_is_in_the_sources(self):
        sources = [
            messages.joined(path.read_text(encoding="utf-8").replace('\\"', '"'))
            for path in [*messages.files(), page.PROJECT / "apps" / "gpufft.in"]
        ]
        known = list(messages.raised())
        for message in self.quoted:
            with self.subTest(message=message):
                self.assertTrue(
                    message in known or any(has_parts(message, text) for text in sources)
                )

    def test_what_the_sources_raise_is_quoted(self):
        for message, path in messages.raised().items():
            with self.subTest(message=message, file=path.name):
                self.assert_on_the_page(message)

    def test_provoked_errors(self):
        for provoke in PROVOKED:
            with self.subTest(line=provoke.__code__.co_firstlineno):
                with self.assertRaises((ValueError, TypeError, RuntimeError)) as caught:
                    provoke()
                self.assert_on_the_page(str(caught.exception))

    def test_provoked_errors_of_the_command(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "empty.cf32").write_bytes(b"")
            for suffix in ("cf32", "xyz", "wav", "sigmf-meta"):
                (folder / f"ten.{suffix}").write_bytes(bytes(80))
            for command in COMMANDS:
                with self.subTest(command=command):
                    done = sandbox.run(["gpufft", *command.split()], folder)
                    self.assertIn(done.returncode, (1, 2), done.stdout)
                    last = done.stdout.splitlines()[-1]
                    self.assert_on_the_page(last.removeprefix("gpufft: "))


if __name__ == "__main__":
    unittest.main()
