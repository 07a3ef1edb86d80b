#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spectrum Sink (GPU) in GNU Radio Companion: what it generates shows the signal, follows
variables and clicks, and ends; with the example."""

import os
import pathlib
import subprocess
import sys
import tempfile

from gnuradio import gr_unittest
from grc_support import GRC_FOLDER, flowgraph
from qa_support import ENGINE, GpufftTestCase

EXAMPLE = GRC_FOLDER.parent / "examples" / "spectrum_sink.grc"
HERE = pathlib.Path(__file__).resolve().parent

# Runs a generated flowgraph with its window, then more lines, then ends as its window does.
PROGRAM = """
import sys
from PyQt5 import Qt
sys.path += [{folder!r}, {here!r}]
application = Qt.QApplication(sys.argv)
from {name} import {name}
from gnuradio.gpufft.cli import ending
from qa_sink_support import double_click, pixel_width, wait_for

top = {name}()
top.start()
top.resize(1300, 950)
top.show()

def session(sink):
    return sink.qwidget().session

def shows(sink, frequency, level):
    "Waits until this tone is the strongest peak."
    def holds():
        sink.qwidget().update_texts()
        near = session(sink).axis.rate / session(sink).axis.size / 5
        return any(
            abs(peak.frequency - frequency) < near and abs(peak.level - level) < 0.3
            for peak in session(sink).peaks[:1]
        )
    wait_for(holds)

def colours(plot):
    "Colours of each pixel column of a plot's picture: [column, row, (red, green, blue)]."
    import numpy as np
    picture = plot.grab().toImage().convertToFormat(Qt.QImage.Format_RGB888)
    width, height = picture.width(), picture.height()
    bytes = picture.constBits().asarray(picture.bytesPerLine() * height)
    rows = np.array(bytes, np.uint8).reshape(height, -1)[:, : 3 * width]
    return rows.reshape(height, width, 3).swapaxes(0, 1).astype(int)

{lines}
top.close()
ending.run(lambda: 0)
"""

# The average is a yellow line with its peak at the tone; the waterfall is brightest there.
DRAWN = """
import numpy as np
from qa_sink_support import place_of
shows(top.samples, 105e6, -20)
shows(top.vectors, 105e6, -20)
sink = top.samples.qwidget()
frames = session(top.samples).frames
wait_for(lambda: session(top.samples).frames > frames + 10)
pixels = colours(sink.spectrum)
is_yellow = np.abs(pixels - (255, 217, 74)).sum(axis=2) < 60
tops = np.where(is_yellow.any(axis=1), is_yellow.argmax(axis=1), 9999)
place = place_of(sink.spectrum, 105e6, session(top.samples)).x()
assert abs(tops.argmin() - place) <= 3, (tops.argmin(), place)
brightness = colours(sink.waterfall).sum(axis=2)[80:-20, 40:-60].sum(axis=1)
assert abs(brightness.argmax() + 80 - place) <= 3, (brightness.argmax() + 80, place)
assert not sink.density.isVisible() and not sink.controls.isVisible()

top.set_size(1 << 16)
top.set_center(200e6)
top.set_tone(-10e6)
top.set_taper("blackmanharris")
top.set_seconds(0.5)
shows(top.samples, 190e6, -20)
graph = top.samples._display.flowgraph
assert graph.spectrum.fft_size() == 1 << 16
assert graph.settings.window == "blackmanharris"
assert graph.settings.averaging == 0.5

clicked = 195e6
double_click(sink.spectrum, clicked, session(top.samples))
wait_for(lambda: abs(top.chosen - clicked) < 1.01 * pixel_width(sink.spectrum, session(top.samples)))
"""

EXAMPLE_LINES = """
shows(top.band, 100.2e6, -20)
band = top.band.qwidget()
double_click(band.spectrum, 100.2e6, session(top.band))
near = 2 * pixel_width(band.spectrum, session(top.band))
wait_for(lambda: abs(top.chosen - 100.2e6) < near)
wait_for(lambda: session(top.channel).axis.centre == top.chosen)
shows(top.channel, 100.2e6, -20)
shows(top.vectors, 100.2e6, -20)
top._size_combo_box.setCurrentIndex(2)
wait_for(lambda: top.band._display.flowgraph.spectrum.fft_size() == 2**22)
wait_for(lambda: session(top.band).picture is not None)
top.grab().save({picture!r})
"""


class qa_grc_spectrum_sink(GpufftTestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_generated(self, name, lines):
        """Runs a generated program with these lines more."""
        program = self.folder / "steps.py"
        program.write_text(
            PROGRAM.format(
                folder=str(self.folder), here=str(HERE), name=name, lines=lines
            )
        )
        environment = {**os.environ, "HOME": str(self.folder)}
        if "DISPLAY" not in environment:
            environment["QT_QPA_PLATFORM"] = "offscreen"
        done = subprocess.run(
            [sys.executable, program],
            env=environment,
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=900,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout)

    def graph(self):
        """A tone of -20 dBFS to two sinks, by samples and by vectors of decibels."""
        graph = flowgraph(generate_options="qt_gui")
        for name, value in (
            ("samp_rate", "32e6"),
            ("size", "4096"),
            ("center", "100e6"),
            ("tone", "5e6"),
            ("taper", "'hann'"),
            ("seconds", "0.1"),
            ("chosen", "0"),
        ):
            graph.blocks = [each for each in graph.blocks if each["name"] != name]
            graph.append(name, "variable", value=value)
        source = {"samp_rate": "samp_rate", "freq": "tone", "amp": "0.1"}
        graph.append("source", "analog_sig_source_x", type="complex", **source)
        slow = {"samples_per_second": "1e6"}
        graph.append("throttle", "blocks_throttle", type="complex", **slow)
        axis = {"center_freq": "center", "engine": ENGINE, "gui_hint": ""}
        graph.append(
            "samples",
            "gpufft_spectrum_sink",
            type="complex",
            fft_size="size",
            window="taper",
            averaging="seconds",
            density="False",
            **axis,
        )
        graph.append("choose", "blocks_msgpair_to_var", target="chosen")
        self.append_vectors(graph, axis)
        graph.connect("source", "throttle")
        graph.connect("throttle", "samples")
        graph.connect("samples", "choose", "freq", "inpair")
        return graph

    def append_vectors(self, graph, axis):
        """Blocks from samples to decibels of 1024 bins, and a sink for these."""
        chain = (
            ("frames", "blocks_stream_to_vector", {"num_items": "1024"}),
            (
                "transform",
                "gpufft_fft_vxx",
                {
                    "type": "complex",
                    "fft_size": "1024",
                    "window": "[tap / 511.5 for tap in window.hann(1024)]",
                    "engine": ENGINE,
                },
            ),
            ("power", "blocks_complex_to_mag_squared", {"vlen": "1024"}),
            ("decibels", "blocks_nlog10_ff", {"n": "10", "k": "0", "vlen": "1024"}),
            (
                "vectors",
                "gpufft_spectrum_sink",
                {"type": "db", "fft_size": "1024", "control_panel": "True", **axis},
            ),
        )
        before = "throttle"
        for name, kind, parameters in chain:
            graph.append(name, kind, **parameters)
            graph.connect(before, name)
            before = name

    def test_what_is_generated_shows_the_signal(self):
        output = self.graph().compile(self.folder)
        self.assertTrue((self.folder / "compiled.py").exists(), output)
        self.run_generated("compiled", DRAWN)

    def test_the_example(self):
        done = subprocess.run(
            ["grcc", "-o", self.folder, EXAMPLE], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        picture = self.folder / "picture.png"
        self.run_generated("spectrum_sink", EXAMPLE_LINES.format(picture=str(picture)))
        self.assertGreater(picture.stat().st_size, 20000)


if __name__ == "__main__":
    gr_unittest.run(qa_grc_spectrum_sink)
