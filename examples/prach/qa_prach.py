#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The random-access example: every preamble is found, its distance, and nothing else."""

import math
import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import prach  # noqa: E402 (from the folders just added)
from example_test import (  # noqa: E402
    ENGINE,
    ExampleTestCase,
    grc_variables,
    run_grc,
)

HALF_CELL = prach.CELL * prach.LIGHT / 4  # metres
METRES = prach.LIGHT / 2 / prach.RATE  # of distance, for a sample of delay


class QaPrach(ExampleTestCase):
    def assert_calls(self, calls, sent):
        """`sent` and nothing else; distances to a cell's half and a little for noise."""
        found = {(call.occasion, call.preamble): call for call in calls}
        self.assertEqual(found.keys(), sent.keys())
        for key, distance in sent.items():
            self.assertAlmostEqual(found[key].distance, distance, delta=1.3 * HALF_CELL)

    def test_sequences_are_of_constant_amplitude_and_uncorrelated(self):
        for root in prach.ROOTS:
            sequence = prach.root_sequence(root)
            spectrum = np.fft.fft(sequence)
            np.testing.assert_allclose(np.abs(sequence), 1)
            np.testing.assert_allclose(np.abs(spectrum), math.sqrt(prach.LENGTH))
            for other in set(prach.ROOTS) - {root}:
                product = spectrum * np.fft.fft(prach.root_sequence(other)).conj()
                correlation = np.abs(np.fft.ifft(product))
                np.testing.assert_allclose(correlation, math.sqrt(prach.LENGTH))

    def test_every_call_is_found(self):
        for seed in (11, 12):
            users = prach.make_users(np.random.default_rng(seed))
            sent = prach.calls_sent(users)
            self.assertGreater(len(sent), 30)
            power = prach.Prach(users, ENGINE, seed).receive()
            self.assertEqual(power.shape, (20, 64, 59))
            calls = list(prach.find_calls(power))
            self.assert_calls(calls, sent)

    def test_level_of_a_call(self):
        """-6 dB and a round trip of 24 samples: the correlation gains 839."""
        user = prach.User(24, -6.0, {k: 3 * k for k in range(prach.OCCASIONS)})
        calls = list(prach.find_calls(prach.Prach([user], ENGINE).receive()))
        self.assert_calls(calls, prach.calls_sent([user]))
        loss = np.sinc(24 / prach.RATE / prach.CELL % 1)  # between two cells
        ratio = 10**-0.6
        noise = 1 + ratio  # to the other roots, a preamble is noise
        expected = 10 * math.log10(ratio * prach.LENGTH * loss**2 / noise + 1)
        mean = 10 * math.log10(np.mean([10 ** (call.level / 10) for call in calls]))
        self.assertAlmostEqual(mean, expected, delta=0.3)

    def test_nobody_calls(self):
        users = [prach.User(20, -6.0), prach.User(60, -6.0)]
        power = prach.Prach(users, ENGINE, 4).receive()
        self.assertEqual(list(prach.find_calls(power)), [])
        self.assertAlmostEqual(power.mean(), prach.ANTENNAS, delta=0.05)

    def test_the_command_tells_and_draws(self):
        printed = self.run_example(HERE / "prach.py", "--seed", 5)
        self.assertIn(f"engine {ENGINE}", printed)
        self.assertIn(" 0 missed, 0 false", printed)

    def test_the_grc_flowgraph(self):
        grc = HERE / "prach.grc"
        made = grc_variables(grc)
        shape = (len(made["calls"]), len(made["roots"]), made["length"])
        sizes = {"powers_file": 4 * math.prod(shape)}
        got = run_grc(grc, self.folder, sizes)["powers_file"]
        power = np.frombuffer(got, np.float32).reshape(shape)
        noise = 1 + 10 ** (made["snr"] / 10)  # each user is noise to one of two roots
        self.assertAlmostEqual(np.median(power) / math.log(2), noise, delta=0.05)
        calls = prach.find_calls(prach.by_preamble(power, math.log(2)))
        sent = {
            (occasion, number): delay * METRES
            for occasion, numbers in enumerate(made["calls"])
            for number, delay in zip(numbers, made["delays"])
        }
        self.assert_calls(calls, sent)


if __name__ == "__main__":
    unittest.main()
