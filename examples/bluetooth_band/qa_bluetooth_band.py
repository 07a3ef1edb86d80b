#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Bluetooth example: every packet is found, on its channel, with its bits."""

import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import bluetooth_band as band  # noqa: E402 (from the folders just added)
from example_test import (  # noqa: E402
    ENGINE,
    ExampleTestCase,
    grc_variables,
    run_grc,
)


class QaBluetoothBand(ExampleTestCase):
    def assert_packets(self, found, sent):
        """All of `sent` and nothing else: channels, times within 0.2 us, bits."""
        found = sorted(found, key=lambda packet: packet.start)
        sent = sorted(sent, key=lambda packet: packet.start)
        self.assertEqual(
            [packet.channel for packet in found], [packet.channel for packet in sent]
        )
        for ours, theirs in zip(found, sent):
            self.assertEqual(ours.piconet, theirs.piconet)
            self.assertAlmostEqual(ours.start, theirs.start, delta=0.2e-6)
            np.testing.assert_array_equal(ours.bits, theirs.bits)

    def test_every_packet_of_three_piconets(self):
        random = np.random.default_rng(7)
        codes = band.make_access_codes(random)
        sent = band.make_packets(random, codes)
        self.assertGreater(len({packet.channel for packet in sent}), 30)
        power, frequency = band.BluetoothBand(sent, ENGINE, 7).receive()
        bursts = list(band.find_bursts(power))
        for channel, first, end in bursts:  # levels, where a burst is whole
            level = 10 * np.log10(np.mean(power[channel, first + 2 : end - 2]))
            self.assertLess(min(abs(level - made) for made in band.LEVELS), 0.7)
        found = [band.demodulate(frequency, burst, codes) for burst in bursts]
        self.assert_packets(found, sent)

    def test_an_empty_band_has_no_packets(self):
        power, _ = band.BluetoothBand([], ENGINE, 3).receive()
        self.assertEqual(list(band.find_bursts(power)), [])
        self.assertAlmostEqual(10 * np.log10(power.mean()), band.NOISE, delta=0.6)

    def test_the_command_tells_and_draws(self):
        printed = self.run_example(HERE / "bluetooth_band.py", "--seed", 5)
        self.assertIn(f"engine {ENGINE}", printed)
        self.assertIn("72 packets found, 72 sent", printed)
        self.assertIn("72 packets without an error", printed)

    def test_the_grc_flowgraph(self):
        grc = HERE / "bluetooth_band.grc"
        made = grc_variables(grc)
        cells = len(made["hops"]) * made["slot"] * band.SAMPLES_PER_SYMBOL
        cells = cells // band.DECIMATION // band.CELL
        vector = 4 * band.CHANNELS
        sizes = {"powers_file": cells * vector, "angles_file": cells * vector * band.CELL}
        got = run_grc(grc, self.folder, sizes)
        power, angle = (
            band.in_channel_order(np.frombuffer(got[name], np.float32)) for name in sizes
        )
        frequency = angle * band.CHANNEL_RATE / (2 * np.pi)
        codes = made["packets"][:, :72]  # here each packet has its own
        found = [
            band.demodulate(frequency, burst, codes) for burst in band.find_bursts(power)
        ]
        starts = made["slot"] * np.arange(len(made["hops"])) + made["first"] + 2
        sent = [
            band.Packet(number, made["hops"][number], start / band.SYMBOL_RATE, bits)
            for number, (start, bits) in enumerate(zip(starts, made["packets"]))
        ]
        self.assert_packets(found, sent)


if __name__ == "__main__":
    unittest.main()
