#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bytes that gpufft analyzer --serve sends of pictures, and the addresses it gives."""

import asyncio
import contextlib
import unittest
from unittest import mock

import numpy as np

from serve_testing import decode
from gnuradio.gpufft.cli.analyzer import access, audience, screen, wire


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


class Clock:
    """A time that only sleeping and work let pass; every sleep is too long."""

    def __init__(self, late):
        self.now, self._late = 100.0, late

    def monotonic(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds + self._late


class PacedSession:
    """Takes some time for each picture, and notes when it is asked for one."""

    def __init__(self, clock, work, pictures):
        self.clock, self.work, self.picture = clock, work, None
        self.taken, self._left = [], pictures

    def attempt(self, act):
        act()
        return ""

    def take(self, _columns):
        if not self._left:
            raise asyncio.CancelledError
        self._left -= 1
        self.taken.append(self.clock.now)
        self.clock.now += self.work(len(self.taken))

    def update(self):
        self.clock.now += 1e-3


class PacedViewer:
    columns, pictures_sent = 1400, 1

    def is_ready(self):
        return True

    def send_text(self, *_):
        pass


class QaPacing(unittest.IsolatedAsyncioTestCase):
    async def times_of(self, work, late, pictures=900):
        """When Audience.show() takes its pictures."""
        clock = Clock(late)
        session = PacedSession(clock, work, pictures)
        viewers = audience.Audience(session)
        viewers._viewers.append(PacedViewer())
        with contextlib.ExitStack() as stack:
            enter = stack.enter_context
            enter(mock.patch.object(audience.time, "monotonic", clock.monotonic))
            enter(mock.patch.object(audience.asyncio, "sleep", clock.sleep))
            enter(mock.patch.object(audience.describe, "state", lambda _: {}))
            enter(mock.patch.object(viewers, "_do", call))
            with self.assertRaises(asyncio.CancelledError):
                await viewers.show()
        viewers.close()
        return np.array(session.taken)

    async def test_thirty_pictures_a_second(self):
        """In the mean, whatever the sleeps last."""
        for late in (0, 2e-3, 8e-3):
            times = await self.times_of(lambda count: 1e-3 * (count % 20), late)
            self.assertAlmostEqual(899 / (times[-1] - times[0]), 30, delta=0.1)

    async def test_what_is_missed_is_not_made_up_for(self):
        times = await self.times_of(lambda count: 2.0 if count == 100 else 5e-3, 1e-3)
        after = times[100:] - times[100]
        self.assertLessEqual(np.sum(after < 0.1), 5)
        self.assertAlmostEqual(799 / after[-1], 30, delta=0.1)


async def call(act):
    """In the place of a thread."""
    return act()


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
            np.testing.assert_allclose(
                floor + step * values, levels, atol=step / 2 + 1e-6
            )

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
