#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliders and boxes of a running flowgraph reach the blocks: Range or Chooser -> variable ->
callback."""

import os
import tempfile

from gnuradio import gr_unittest
from grc_support import flowgraph, run_python
from qa_support import ENGINE, GpufftTestCase

# Moves each slider to its end, and a box to its second entry, while samples go through, and asks the blocks.
PROGRAM = """
import sys, time
from PyQt5 import Qt
from compiled import compiled, firdes
from gnuradio.gpufft.cli import ending

application = Qt.QApplication(sys.argv)
top = compiled()
top.start()
top.show()

def frames():
    return top.spectrum.statistics()["frames"]

def run_until(condition):
    end = time.monotonic() + 200
    while not condition() and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.01)
    assert condition()

run_until(lambda: frames() > 0)
for name in ("rows", "weight", "tone", "cut"):
    slider = getattr(top, f"_{name}_win").findChild(Qt.QSlider)
    slider.setValue(slider.maximum())
top._trace_combo_box.setCurrentIndex(1)
taps = firdes.low_pass(1, 32000, 4000, 1000)
close = lambda ours, theirs: max(abs(a - b) for a, b in zip(ours, theirs)) < 1e-5
run_until(lambda: top.spectrum.average() == 20)
run_until(lambda: top.spectrum.alpha() == 0.5)
run_until(lambda: top.spectrum.detector() == top.spectrum.hold() == "max")
run_until(lambda: top.levels.avg_alpha() == 0.5)
run_until(lambda: top.shifted.center_freq() == 8000)
run_until(lambda: list(top.channels.centers()) == [8000, -8000])
run_until(lambda: top.zoomed.f_start() == 0.25)
for filter in (top.filtered, top.shifted, top.channels):
    run_until(lambda: len(filter.taps()) == len(taps) and close(filter.taps(), taps))
before = frames()
run_until(lambda: frames() > before + 20)
for each in (top.spectrum, top.levels, top.zoomed, top.filtered, top.shifted):
    assert each.error() == "", each.error()
top.stop()
top.wait()
ending.run(lambda: 0)
"""


class qa_grc_live(GpufftTestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def sliders(self, graph):
        for name, kind, value, stop, step in (
            ("rows", "int", 5, 20, 1),
            ("weight", "float", 0.25, 0.5, 0.05),
            ("tone", "float", 1000, 8000, 1000),
            ("cut", "float", 2000, 4000, 500),
        ):
            graph.append(
                name,
                "variable_qtgui_range",
                rangeType=kind,
                value=value,
                start=step,
                stop=stop,
                step=step,
                widget="counter_slider",
            )

    def box(self, graph):
        graph.append(
            "trace",
            "variable_qtgui_chooser",
            type="string",
            num_opts="2",
            option0="min",
            option1="max",
            value="min",
            widget="combo_box",
        )

    def blocks(self):
        taps = "firdes.low_pass(1, samp_rate, cut, 1000)"
        rows = {"type": "complex", "fft_size": "n", "vlen": "n"}
        samples = {"out": "complex", "taps": taps}
        yield (
            "spectrum",
            "gpufft_power_spectrum_xf",
            {
                **rows,
                "average": "rows",
                "alpha": "weight",
                "detector": "trace",
                "hold": "trace",
            },
        )
        yield (
            "levels",
            "gpufft_logpwrfft_x",
            {
                **rows,
                "average": "True",
                "avg_alpha": "weight",
            },
        )
        yield (
            "zoomed",
            "gpufft_zoom_fft_vcc",
            {
                "out": "complex",
                "fft_size": "n",
                "ports": "samples",
                "f_start": "tone / samp_rate",
                "f_stop": "0.5",
            },
        )
        yield "filtered", "gpufft_fft_filter_xxx", {**samples, "type": "ccf"}
        yield (
            "shifted",
            "gpufft_freq_xlating_fft_filter_ccc",
            {
                **samples,
                "type": "ccf",
                "center_freq": "tone",
            },
        )
        yield (
            "channels",
            "gpufft_channel_bank_cc",
            {
                **samples,
                "centers": "[tone, -tone]",
            },
        )

    def test_what_is_moved_reaches_the_blocks(self):
        graph = flowgraph(generate_options="qt_gui")
        self.sliders(graph)
        self.box(graph)
        graph.append("source", "analog_sig_source_x", type="complex")
        graph.append("throttle", "blocks_throttle", type="complex")
        graph.connect("source", "throttle")
        for name, kind, parameters in self.blocks():
            ends = {
                "type": parameters.pop("out", "float"),
                "vlen": parameters.pop("vlen", "1"),
            }
            graph.append(name, kind, engine=ENGINE, **parameters)
            graph.append(f"{name}_sink", "blocks_null_sink", **ends)
            graph.connect("throttle", name)
            graph.connect(name, f"{name}_sink")
        output = graph.compile(self.folder)
        self.assertIn("Generating", output)
        with open(os.path.join(self.folder, "moves.py"), "w") as program:
            program.write(PROGRAM)
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": self.folder}
        done = run_python("moves.py", cwd=self.folder, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    gr_unittest.run(qa_grc_live)
