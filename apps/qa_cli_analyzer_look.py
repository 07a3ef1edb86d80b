#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How gpufft analyzer's window looks: levels and colours, sizes, themes, the desktop's entry."""

import configparser
import contextlib
import unittest
from xml.etree import ElementTree

import numpy as np
from PyQt5.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PyQt5.QtTest import QTest

import cli_testing as cli
from analyzer_testing import LEVELS, AnalyzerWindowTestCase, drag_to, turn_wheel
from gnuradio.gpufft.cli import ending
from gnuradio.gpufft.cli.analyzer import command, theme
from gnuradio.gpufft.cli.analyzer.window import first_size
from gnuradio.gpufft.cli.errors import InputError

SIZE = 4096


class QaCliAnalyzerLook(AnalyzerWindowTestCase):
    def test_waterfall_has_its_own_range(self):
        """It follows its lines: narrower than the traces'. Fixed, it stays."""
        self.open()
        self.window.update_texts()
        traces, waterfall = self.session.levels, self.session.waterfall_levels
        noise = -80 + 10 * np.log10(1.5 / SIZE)  # in a bin
        self.assertTrue(noise - 10 < waterfall[0] < noise)
        self.assertTrue(LEVELS[0] - 2 <= waterfall[1] <= LEVELS[0] + 5)
        self.enter("waterfall_levels", "-90, -60")
        self.assertEqual(self.window.waterfall._levels, (-90, -60))
        self.assertEqual(self.session.levels, traces)
        self.assertEqual(self.text("waterfall_levels"), "-90, -60")
        self.enter("waterfall_levels", "auto")
        self.assertEqual(self.window.waterfall._levels, self.session.waterfall_levels)

    def test_colour_maps(self):
        """Each grows brighter from end to end."""
        self.open()
        for name in theme.COLOUR_MAPS:
            self.choose("colours", name)
            table = self.window.waterfall._image.lut
            np.testing.assert_array_equal(table, theme.lookup_table(name))
            luminance = table @ np.array((0.2126, 0.7152, 0.0722))
            self.assertGreater(np.min(luminance[16:] - luminance[:-16]), 0)

    def level_axis(self, plot):
        """The pixel in the middle of a plot's level axis."""
        box = plot.getViewBox().sceneBoundingRect()
        return plot.mapFromScene(QPointF(box.left() / 2, box.center().y()))

    def test_wheel_and_drag_over_a_level_axis(self):
        self.open("--levels=-100,-20")
        window = self.window
        for plot in (window.spectrum, window.density):
            low, high = self.session.levels
            turn_wheel(plot.viewport(), self.level_axis(plot), 1)
            closer = self.session.levels
            self.assertTrue(low < closer[0] < closer[1] < high)
            self.assertEqual(tuple(window.spectrum.viewRange()[1]), closer)
            self.assertEqual(tuple(window.density.viewRange()[1]), closer)
            self.assertFalse(self.session.switches["auto_levels"])
            turn_wheel(plot.viewport(), self.level_axis(plot), -1)
            np.testing.assert_allclose(self.session.levels, (low, high), atol=0.1)
            start = self.level_axis(plot)
            QTest.mousePress(plot.viewport(), Qt.LeftButton, pos=start)
            for step in (15, 30, 45):
                drag_to(plot.viewport(), start + QPoint(0, step))
            QTest.mouseRelease(plot.viewport(), Qt.LeftButton, pos=start + QPoint(0, 45))
            moved = np.subtract(self.session.levels, (low, high))
            expected = 45 * plot.getViewBox().viewPixelSize()[1]
            np.testing.assert_allclose(moved, expected, atol=2)
            self.enter("levels", "-100, -20")
        band = self.session.band
        turn_wheel(window.waterfall.viewport(), self.level_axis(window.waterfall), 3)
        self.assertEqual(self.session.band, band)

    def test_wheel_over_a_list_scrolls_the_panel(self):
        """And leaves the list's value, which nobody chose."""
        self.open()
        field = self.window.controls.fields["size"]
        turn_wheel(field, QPoint(5, 5), -1)
        self.assertEqual(self.text("size"), str(SIZE))

    def test_smallest_window(self):
        """All controls can be reached, and no part makes the window wider or higher."""
        self.open()
        for key in (Qt.Key_M, Qt.Key_M, Qt.Key_M, Qt.Key_D, Qt.Key_B):
            QTest.keyClick(self.window.spectrum, key)
        self.window.resize(1024, 640)
        self.settle()
        self.assertEqual((self.window.width(), self.window.height()), (1024, 640))
        for plot in self.window._plots:
            self.assertGreater(plot.getViewBox().height(), 30)
        self.assertLess(self.window.controls.parent().height(), 640)
        self.assertGreater(self.window.controls.height(), 640)

    def test_first_size(self):
        """A window fits on its screen, with a title bar, down to the smallest size."""
        for room, expected in (
            ((1920, 1080), (1366, 860)),
            ((1280, 720), (1272, 684)),
            ((1024, 640), (1024, 640)),
            ((800, 600), (1024, 640)),
        ):
            self.assertEqual(first_size(QSize(*room)), QSize(*expected))

    def test_themes(self):
        """Text is readable on its ground in both: WCAG's contrast of 4.5."""
        for name, colours in theme.THEMES.items():
            self.assertEqual(set(colours), set(theme.DARK))
            for ground in ("BACKGROUND", "PANEL", "FIELD"):
                self.assertGreater(contrast(colours["TEXT"], colours[ground]), 4.5)
            for line in ("AVERAGE", "MAX_HOLD", "MIN_HOLD", "PEAK", "MARKER", "CHANNEL"):
                self.assertGreater(contrast(colours[line], colours["BACKGROUND"]), 4.5)
            with contextlib.ExitStack() as stack:
                stack.callback(theme.choose, "dark")
                self.open("--theme", name)
                ground = (
                    self.window.grab()
                    .toImage()
                    .pixelColor(self.window.spectrum.mapTo(self.window, QPoint(80, 30)))
                )
                self.assertEqual(ground.name(), colours["BACKGROUND"])
                self.close()

    def test_boxes_that_are_not_ticked(self):
        """Their edge stands out from the panel, by WCAG's contrast of 3 for controls."""
        for name, colours in theme.THEMES.items():
            with contextlib.ExitStack() as stack:
                stack.callback(theme.choose, "dark")
                self.open("--theme", name)
                for box in ("pause", "show_channel", "recording"):
                    switch = self.window.controls.switches[box]
                    self.assertFalse(switch.isChecked())
                    height = switch.height()
                    shown = switch.grab(QRect(0, 0, 16, height)).toImage()
                    across = [shown.pixelColor(x, height // 2) for x in range(16)]
                    best = max(contrast(each.name(), colours["PANEL"]) for each in across)
                    self.assertGreater(best, 3, f"{box}, {name}")
                self.close()

    def test_unknown_theme(self):
        with self.assertRaisesRegex(InputError, "--theme 'blue' is unknown: use dark"):
            self.open("--theme", "blue")


class QaDesktopEntry(unittest.TestCase):
    def test_entry(self):
        """It starts this command, with a file or without, and shows the icon beside it."""
        folder = cli.PROJECT / "apps"
        entries = configparser.ConfigParser(interpolation=None)
        entries.read(folder / f"{command.DESKTOP_ENTRY}.desktop")
        entry = entries["Desktop Entry"]
        self.assertEqual(entry["Exec"], "gpufft analyzer %f")
        self.assertEqual((entry["Type"], entry["Terminal"]), ("Application", "false"))
        icon = ElementTree.parse(folder / f"{entry['Icon']}.svg").getroot()
        self.assertEqual(icon.tag, "{http://www.w3.org/2000/svg}svg")
        self.assertEqual(icon.get("viewBox"), "0 0 64 64")
        recipe = (folder / "CMakeLists.txt").read_text()
        for name in (f"{command.DESKTOP_ENTRY}.desktop", f"{entry['Icon']}.svg"):
            self.assertIn(f"install(FILES {name}", recipe)


def contrast(one, other):
    """WCAG 2's ratio of two colours."""
    bright, dark = sorted(map(luminance, (one, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour):
    """WCAG 2's relative luminance of "#rrggbb"."""
    parts = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


if __name__ == "__main__":
    ending.run(unittest.main)
