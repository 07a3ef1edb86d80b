#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""spectrum_sink in Python: what it shows of samples and vectors, its messages and setters, and
that neither it nor its window holds up a flowgraph."""

import subprocess
import sys
import threading

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr, gr_unittest
from PyQt5 import sip
from PyQt5.QtCore import Qt
from PyQt5.QtTest import QTest
from qa_support import wait
from qa_sink_support import SinkTestCase, double_click, pixel_width, place_of, wait_for

from gnuradio.gpufft.cli import ending

RATE, CENTRE = 1e6, 100e6
PERIOD = 1 << 16  # samples, in which tones are periodic
SOURCES = {
    "complex": (blocks.vector_source_c, lambda x: x.astype(np.complex64)),
    "float": (blocks.vector_source_f, lambda x: x.real.astype(np.float32)),
    "short": (blocks.vector_source_s, lambda x: integers(x, 32768, np.int16)),
    "byte": (blocks.vector_source_b, lambda x: integers(x, 128, np.uint8)),
}


def integers(x, scale, kind):
    """I, Q, I, Q, ..."""
    return np.round(np.column_stack((x.real, x.imag)).ravel() * scale).astype(kind)


class passing(gr.sync_block):
    """A block in Python, which needs the interpreter to end."""

    def __init__(self):
        gr.sync_block.__init__(self, "passing", [np.complex64], [np.complex64])

    def work(self, input_items, output_items):
        output_items[0][:] = input_items[0]
        return len(output_items[0])


class qa_spectrum_sink(SinkTestCase):
    def setUp(self):
        super().setUp()
        self.bin = int(self.random.integers(1000, PERIOD // 2 - 1000))
        self.frequency = self.bin / PERIOD * RATE  # of the tone, without the centre
        noise = self.complex_noise(PERIOD) * 1e-4
        self.x = 0.1 * np.exp(2j * np.pi * self.bin / PERIOD * np.arange(PERIOD)) + noise

    def source(self, kind="complex"):
        """The tone for ever, at its rate."""
        make, convert = SOURCES[kind]
        items = convert(self.x)
        source = make(items.tolist(), True)
        per_sample = len(items) // PERIOD
        size = source.output_signature().sizeof_stream_item(0)
        return source, blocks.throttle(size, RATE * per_sample)

    def run_sink(self, *arguments, kind="complex", **keywords):
        """(flowgraph, sink): a running one with the tone."""
        sink = self.make(*arguments, type=kind, **keywords)
        flowgraph = gr.top_block()
        flowgraph.connect(*self.source(kind), sink)
        self.start(flowgraph, sink)
        return flowgraph, sink

    def wait_for_tone(self, sink, centre=CENTRE):
        """The tone is the strongest peak, to a tenth of a bin and 0.2 dB."""
        near = RATE / sink.session.axis.size / 10
        self.wait_for_peak(
            sink,
            lambda frequency, level: (
                abs(frequency - centre - self.frequency) < near and abs(level + 20) < 0.2
            ),
        )

    def test_every_type(self):
        for kind in SOURCES:
            with self.subTest(type=kind):
                flowgraph, sink = self.run_sink(8192, RATE, CENTRE, kind=kind)
                self.wait_for_tone(sink)
                self.assertEqual(sink.session.axis.is_real, kind == "float")
                self.end(flowgraph, sink)

    def test_a_million_points(self):
        _, sink = self.run_sink(1 << 20, RATE, CENTRE, overlap=0)
        self.wait_for_tone(sink)
        self.assertEqual(sink.session.picture["bins"], 1 << 20)
        self.assertLess(sink.session.picture["columns"], 1000)

    def test_vectors(self):
        """In either unit, with the frequencies in rising order; DC is in the middle."""
        size = 1000
        powers = self.random.uniform(1e-9, 1e-8, size)
        powers[700] = 0.5
        for kind, numbers in (("power", powers), ("db", 10 * np.log10(powers))):
            with self.subTest(type=kind):
                sink = self.make(size, RATE, CENTRE, type=kind, window=None, averaging=0)
                vectors = blocks.vector_source_f(numbers.tolist(), True, size)
                flowgraph = gr.top_block()
                flowgraph.connect(vectors, blocks.throttle(4 * size, 200), sink)
                self.start(flowgraph, sink)
                right = CENTRE + 200 * RATE / size
                self.wait_for_peak(
                    sink, lambda frequency, _: abs(frequency - right) < 100
                )
                shown = sink._display.flowgraph.view.average(0, size)
                np.testing.assert_allclose(shown, powers, rtol=1e-4)
                self.assertEqual(sink.session.fields.keys() & {"size", "overlap"}, set())
                self.end(flowgraph, sink)

    def test_zero_in_decibels_is_shown(self):
        sink = self.make(16, type="db", window=None)
        numbers = [-np.inf] * 8 + [-10.0] * 8
        flowgraph = gr.top_block()
        vectors = blocks.vector_source_f(numbers, True, 16)
        flowgraph.connect(vectors, blocks.throttle(64, 100), sink)
        self.start(flowgraph, sink)
        wait_for(lambda: sink.session.picture is not None)
        shown = sink._display.flowgraph.view.average(0, 16)
        np.testing.assert_allclose(shown, [0] * 8 + [0.1] * 8, rtol=1e-4)

    def connect_messages(self, flowgraph, sink):
        """A block that keeps what the sink sends."""
        messages = blocks.message_debug()
        flowgraph.msg_connect(sink, "freq", messages, "store")
        return messages

    def test_a_double_click_sends_its_frequency(self):
        sink = self.make(4096, RATE, CENTRE)
        flowgraph = gr.top_block()
        flowgraph.connect(*self.source(), sink)
        messages = self.connect_messages(flowgraph, sink)
        self.start(flowgraph, sink)
        wait_for(lambda: sink.session.frames > 2)
        window, session = sink.window, sink.session
        for sent, plot in enumerate((window.spectrum, window.density, window.waterfall)):
            clicked = CENTRE + self.random.uniform(-0.4, 0.4) * RATE
            viewport, place = plot.viewport(), place_of(plot, clicked, session)
            QTest.mouseClick(viewport, Qt.LeftButton, pos=place)
            double_click(plot, clicked, session)
            wait_for(lambda: messages.num_messages() > sent)
            message = messages.get_message(sent)
            self.assertEqual(pmt.symbol_to_string(pmt.car(message)), "freq")
            told = pmt.to_double(pmt.cdr(message))
            self.assertAlmostEqual(told, clicked, delta=pixel_width(plot, session))
            (marker,) = session.instrument.readings
            self.assertAlmostEqual(
                marker.frequency, told, delta=pixel_width(plot, session)
            )
        self.assertEqual(messages.num_messages(), 3)  # none of a single click

    def test_messages_set_centre_and_bandwidth(self):
        sink = self.make(4096, RATE, CENTRE)
        flowgraph = gr.top_block()
        flowgraph.connect(*self.source(), sink)
        sender = blocks.message_strobe(pmt.PMT_T, 10)
        flowgraph.msg_connect(sender, "strobe", sink, "freq")
        widths = blocks.message_strobe(pmt.PMT_T, 10)
        flowgraph.msg_connect(widths, "strobe", sink, "bw")
        self.start(flowgraph, sink)
        name = pmt.intern("any")
        for bad in (
            pmt.intern("text"),
            pmt.cons(name, name),
            pmt.cons(name, pmt.from_double(np.inf)),
            pmt.cons(name, pmt.from_complex(1j)),
        ):
            sender.set_msg(bad)
            widths.set_msg(bad)
            QTest.qWait(50)
        widths.set_msg(pmt.cons(name, pmt.from_double(0)))
        sender.set_msg(pmt.cons(name, pmt.from_double(2 * CENTRE)))
        wait_for(lambda: sink.session.axis.centre == 2 * CENTRE)
        self.assertEqual(sink.session.axis.rate, RATE)
        widths.set_msg(pmt.cons(name, pmt.from_long(500000)))
        wait_for(lambda: sink.session.axis.rate == 500000)
        self.assertEqual(sink.session.axis.centre, 2 * CENTRE)

    def test_setters_of_any_thread(self):
        _, sink = self.run_sink(4096, RATE, CENTRE)
        graph, session = sink._display.flowgraph, sink.session

        def change():
            sink.set_fft_size(2048)
            sink.set_frequency_range(2 * CENTRE, RATE)
            sink.set_window(("kaiser", 8.6))
            sink.set_hop(512)
            sink.set_average(3)
            sink.set_detector("max")
            sink.set_averaging(0.5)
            sink.set_persistence(2)
            sink.set_levels((-90, 10))
            sink.enable_density(False)
            sink.enable_control_panel()

        thread = threading.Thread(target=change)
        thread.start()
        thread.join()
        wait_for(sink.window.controls.isVisible)
        spectrum = graph.spectrum
        self.assertEqual(spectrum.fft_size(), 2048)
        self.assertEqual((spectrum.hop(), spectrum.average()), (512, 3))
        self.assertEqual(spectrum.detector(), "max")
        self.assertEqual(spectrum.density_bins(), 0)
        self.assertEqual(session.levels, (-90, 10))
        self.assertEqual(graph.settings.window, "kaiser:8.6")
        self.assertEqual(graph.settings.averaging, 0.5)
        self.assertEqual(graph.settings.persistence, 2)
        self.wait_for_tone(sink, centre=2 * CENTRE)
        self.assertEqual(session.levels, (-90, 10))
        sink.set_levels(None)
        self.assertTrue(session.switches["auto_levels"])

    def test_hop_is_the_overlap_in_samples(self):
        for given, hop in (
            ({}, 512),
            ({"overlap": None}, 512),
            ({"overlap": 0.75}, 256),
            ({"hop": 100}, 100),
            ({"hop": 1024}, 1024),
            ({"hop": 1}, 1),
        ):
            with self.subTest(**given):
                sink = self.make(1024, RATE, CENTRE, **given)
                self.assertEqual(sink._display.flowgraph.spectrum.hop(), hop)
        spectrum = sink._display.flowgraph.spectrum
        sink.set_hop(768)
        self.assertEqual(spectrum.hop(), 768)
        sink.set_fft_size(2048)  # the overlap stays
        self.assertEqual(sink._display.flowgraph.spectrum.hop(), 1536)
        sink.set_hop(None)
        self.assertEqual(sink._display.flowgraph.spectrum.hop(), 1024)
        sink.set_overlap(0.25)
        sink.set_overlap(None)
        self.assertEqual(sink._display.flowgraph.spectrum.hop(), 1024)
        self.assert_refuses(ValueError, ["hop 0"], sink.set_hop, 0)
        self.assert_refuses(ValueError, ["hop 2049", "2048"], sink.set_hop, 2049)
        vectors = self.make(1024, type="power")
        vectors.set_hop(None)
        self.assert_refuses(ValueError, ["hop", "vectors"], vectors.set_hop, 7)

    def test_bad_values(self):
        for keywords, words in (
            ({"fft_size": 8}, ["fft_size", "16"]),
            ({"fft_size": 1 << 23}, ["fft_size", "4194304"]),
            ({"samp_rate": 0}, ["samp_rate is 0"]),
            ({"center_freq": np.inf}, ["center_freq is inf"]),
            ({"type": "double"}, ["'double'", "complex"]),
            ({"window": "no"}, ["window", "'no'"]),
            ({"window": [1.0] * 3}, ["window", "name"]),
            ({"overlap": 1}, ["overlap", "1"]),
            ({"hop": 0}, ["hop 0", "1 or more"]),
            ({"hop": 4097}, ["hop 4097", "4096 or less"]),
            ({"hop": 0.5}, ["hop '0.5'", "whole number"]),
            ({"hop": 64, "overlap": 0.5}, ["hop is 64 and overlap is 0.5", "only one"]),
            ({"average": 0}, ["average"]),
            ({"detector": "kurtosis"}, ["detector", "kurtosis"]),
            ({"averaging": -1}, ["averaging", "-1"]),
            ({"levels": (0, -1)}, ["levels"]),
            ({"engine": "fpga"}, ["fpga"]),
        ):
            with self.subTest(**keywords):
                self.assert_refuses(ValueError, words, self.make, **keywords)
        words = ["fft_sise", "fft_size"]
        self.assert_refuses(TypeError, words, gpufft.spectrum_sink, fft_sise=4096)
        sink = self.make(4096, type="power")
        self.assert_refuses(ValueError, ["size", "vectors"], sink.set_fft_size, 2048)
        sink.set_fft_size(4096)  # as a variable of Companion does at any change

    def test_a_new_size_beside_blocks_in_python(self):
        """GNU Radio's unlock() would wait for them, and they for the interpreter."""
        sinks = [self.make(1024, RATE, CENTRE), self.make(4096, RATE, CENTRE)]
        flowgraph, slow = gr.top_block(), passing()
        source, throttle = self.source()
        flowgraph.connect(source, throttle, slow, sinks[0])
        flowgraph.connect(slow, sinks[1])
        self.kept.append(slow)
        self.start(flowgraph, *sinks)
        wait_for(lambda: sinks[1].session.frames > 2)
        for size in (65536, 1009, 1 << 18, 2048):
            before = [sink._display.flowgraph.samples() for sink in sinks]
            sinks[0].set_fft_size(size)
            self.assertEqual(sinks[0]._display.flowgraph.spectrum.fft_size(), size)
            for sink, samples in zip(sinks, before):
                graph = sink._display.flowgraph
                wait_for(lambda: graph.samples() > samples + RATE / 10)
        for sink in sinks:
            self.wait_for_tone(sink)

    def test_before_and_after_a_run(self):
        """A size can be set where no flowgraph runs; the same sink runs again."""
        sink = self.make(1024, RATE, CENTRE)
        sink.set_fft_size(2048)
        flowgraph = gr.top_block()
        flowgraph.connect(*self.source(), sink)
        sink.set_fft_size(4096)
        self.start(flowgraph, sink)
        self.wait_for_tone(sink)
        self.end(flowgraph, sink)
        sink.set_fft_size(8192)
        self.start(flowgraph, sink)
        wait_for(lambda: sink.session.picture is not None)
        self.assertEqual(sink.session.picture["bins"], 8192)
        self.wait_for_tone(sink)

    def test_taken_out_of_a_running_flowgraph(self):
        """And put back with another size; its window lives on meanwhile."""
        sink, flowgraph = self.make(1024, RATE, CENTRE), gr.top_block()
        source, throttle = self.source()
        nothing = blocks.null_sink(gr.sizeof_gr_complex)
        flowgraph.connect(source, throttle, sink)
        self.start(flowgraph, sink)
        wait_for(lambda: sink.session.frames > 2)
        for before, after in ((sink, nothing), (nothing, sink)):
            flowgraph.lock()
            flowgraph.disconnect(throttle, before)
            flowgraph.connect(throttle, after)
            flowgraph.unlock()
            sink.window.update_texts()
            sink.set_fft_size(4096)
        self.wait_for_tone(sink)

    def test_windows_close_in_any_order(self):
        """Before the flowgraph ends or after it, and destroyed by Qt while it runs."""
        flowgraph, sink = self.run_sink(1024, RATE, CENTRE)
        wait_for(lambda: sink.session.frames > 2)
        sink.window.close()
        self.end(flowgraph, sink)
        flowgraph, sink = self.run_sink(1024, RATE, CENTRE)
        samples = sink._display.flowgraph.samples
        wait_for(lambda: sink.session.frames > 2)
        sip.delete(sink.window)
        before = samples()
        sink.set_fft_size(4096)
        sink.set_frequency_range(0, RATE)
        wait_for(lambda: samples() > before + RATE / 10)
        flowgraph.stop()
        flowgraph.wait()

    def test_the_stream_does_not_wait_for_the_window(self):
        """Nobody runs Qt's loop here; then the picture has all that came."""
        sink = self.make(1024, average=1, overlap=0)
        flowgraph = gr.top_block()
        source = blocks.vector_source_c(self.x.tolist(), True)
        head = blocks.head(gr.sizeof_gr_complex, 100 * PERIOD)
        flowgraph.connect(source, head, sink)
        sink.window.show()
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(sink._display.flowgraph.samples(), 100 * PERIOD)
        self.assertEqual(sink._display.flowgraph.view.rows(), 100 * PERIOD // 1024)
        sink.window.close()

    def test_a_hidden_window_draws_nothing(self):
        _, sink = self.run_sink(1024, RATE, CENTRE)
        wait_for(lambda: sink.session.frames > 2)
        sink.window.hide()
        frames, before = sink.session.frames, sink._display.flowgraph.samples()
        wait_for(lambda: sink._display.flowgraph.samples() > before + RATE / 4)
        self.assertEqual(sink.session.frames, frames)
        sink.window.show()
        wait_for(lambda: sink.session.frames > frames)

    def test_a_wrong_rate_does_no_harm(self):
        """Rows and restarts follow the rate that is measured."""
        _, sink = self.run_sink(4096)
        graph = sink._display.flowgraph
        right = graph.settings.frames_in_row(RATE)
        wait_for(lambda: right / 2 <= graph.spectrum.average() <= 2 * right)
        self.assertGreater(graph.rate, RATE / 4)

    def test_cores(self):
        sink = self.make()
        sink.set_processor_affinity([0])
        self.assertEqual(sink.processor_affinity(), [0])
        sink.unset_processor_affinity()

    def test_without_qt(self):
        """The package can be imported; the block names what is missing."""
        program = (
            "import sys; sys.modules['PyQt5'] = None\n"
            "from gnuradio import gpufft\n"
            "try: gpufft.spectrum_sink()\n"
            "except ImportError as error: print(error)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertIn("python3-pyqt5", done.stdout)


if __name__ == "__main__":
    ending.run(lambda: gr_unittest.run(qa_spectrum_sink))
