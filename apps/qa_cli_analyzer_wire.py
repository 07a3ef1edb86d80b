#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bytes that gpufft analyzer --serve sends of pictures, and the addresses it gives."""

import unittest

import numpy as np

from serve_testing import decode
from gnuradio.gpufft.cli.analyzer import access, screen, wire


class QaAccess(unittest.TestCase):
    def test_addresses(self):
        for text, host, port in (
            ("8080", "127.0.0.1", 8080),
            ("example.org:1", "example.org", 1),
            ("[::1]:65535", "::1", 65535),
            ("0.0.0.0:0", "0.0.0.0", 0),
        ):
            self.assertEqual(access.parse_address(text), (host, port))

    def test_url(self):
        here = access.Access("::1", 0, "token", None)
        self.assertEqual(here.url(5), "http://[::1]:5/token/")
        self.assertFalse(here.is_readable())
        self.assertTrue(access.Access("example.org", 0, "token", None).is_readable())

    def test_token(self):
        secret = access.Access("::1", 0, "secret", None)
        admitted = [
            secret.admits(each) for each in ("secret", "secre", "s\u00e9cret", "")
        ]
        self.assertEqual(admitted, [True, False, False, False])


class QaWire(unittest.TestCase):
    """What the encoder makes of random pictures."""

    def picture(self, noise, bins, columns, density_columns=8):
        names = (*wire.TRACES, "mean")
        powers = {name: 10 ** noise.uniform(-20, 2, columns) for name in names}
        return {
            **powers,
            "first_bin": 5,
            "bins": bins,
            "columns": columns,
            "rows": 2,
            "density": noise.uniform(0, 1, (density_columns, 4)) ** 9,
            "levels": 4,
            "density_first_bin": 0,
            "density_bins": bins,
            "density_columns": density_columns,
            "density_low": -90.0,
            "density_high": -10.0,
        }

    def test_what_is_decoded(self):
        noise, encoder, last = np.random.default_rng(22), wire.Encoder(), {}
        axis = screen.Axis(4096, 1e6, 100e6, 1e6, "")
        for sizes in ((64, 64, 8), (64, 64, 8), (99, 31, 8), (99, 31, 5)):
            picture = self.picture(noise, *sizes)
            bins, columns, _ = sizes
            got = decode(encoder.encode(picture, 1000, axis, {"x": 1}), last)
            self.assertEqual((got["x"], got["columns"]), (1, columns))
            edges = axis.edge(5), axis.edge(5 + bins)
            self.assertEqual((got["low"], got["high"]), edges)
            for name in wire.TRACES:
                levels = 10 * np.log10(picture[name])
                np.testing.assert_allclose(got[name], levels, atol=0.0501)
            line = 10 * np.log10(picture["mean"])
            line = np.maximum(line, line.max() - wire.LINE_RANGE)
            step = wire.LINE_RANGE / 255
            np.testing.assert_allclose(got["line"], line, atol=step / 2 + 1e-6)
            shades = screen.density_shades(picture["density"]) // (256 // wire.SHADES)
            np.testing.assert_array_equal(got["density"]["shades"], shades)

    def test_no_row_has_come(self):
        """Then there is no line, and what follows is in place."""
        noise = np.random.default_rng(23)
        axis = screen.Axis(4096, 1e6, 100e6, 1e6, "")
        picture = {**self.picture(noise, 64, 64), "rows": 0, "mean": np.zeros(0)}
        for columns in (64, 10):
            got = decode(wire.Encoder().encode(picture, columns, axis, {}), {})
            self.assertNotIn("line", got)

    def test_line(self):
        """Of any range, also of silence; a small range has small steps."""
        for levels in ((-90.0, -88.0, -20.0), (-90.0, -89.9, -89.8), (-300.0,) * 3):
            levels = np.array(levels)
            floor, step, values = wire.make_line(10 ** (levels / 10))
            span = max(1, np.ptp(levels))
            self.assertAlmostEqual(step, span / 255)
            np.testing.assert_allclose(floor + step * values, levels, atol=step / 2 + 1e-6)

    def test_fewer_columns(self):
        """Extremes of all columns that share one."""
        noise = np.random.default_rng(24)
        for count, wanted in ((1000, 999), (1000, 333), (17, 16), (64, 1)):
            picture = self.picture(noise, count, count)
            powers, columns = wire.reduce_columns(picture, wanted)
            self.assertEqual(columns, wanted)
            groups = np.arange(count) * wanted // count
            for name, power in powers.items():
                extreme = np.min if name in ("average_low", "min_hold") else np.max
                every = [picture[name][groups == group] for group in range(wanted)]
                expected = [extreme(each) for each in every]
                np.testing.assert_array_equal(power, expected)


if __name__ == "__main__":
    unittest.main()
