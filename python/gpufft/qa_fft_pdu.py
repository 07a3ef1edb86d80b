#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""fft_pdu against numpy in double precision; messages of any kind."""

import itertools
import subprocess
import sys
import time

import numpy as np
import pmt
from gnuradio import blocks, gpufft, gr, gr_unittest
from gnuradio.fft import window
from qa_support import ENGINE, PATIENCE, GpufftTestCase, wait

try:
    from gnuradio import pdu as stock_pdu
except ImportError:
    stock_pdu = None


def burst_of(x, metadata=None):
    vector = pmt.init_f32vector if np.isrealobj(x) else pmt.init_c32vector
    meta = pmt.PMT_NIL if metadata is None else pmt.to_pmt(metadata)
    return pmt.cons(meta, vector(len(x), x.tolist()))


def values_of(message):
    """The metadata as a dictionary, and the samples."""
    vector = pmt.cdr(message)
    metadata = pmt.to_python(pmt.car(message))
    if pmt.is_f32vector(vector):
        return metadata, np.array(pmt.f32vector_elements(vector))
    return metadata, np.array(pmt.c32vector_elements(vector))


FLOOD = """
import time, pmt
from gnuradio import gpufft, gr
block = gpufft.fft_pdu(engine="cpu")
flowgraph = gr.top_block()
flowgraph.msg_connect(block, "pdu_out", block, "pdu_in")
flowgraph.start()
end = time.monotonic() + 300
for i in range(5000):
    block.to_basic_block()._post(pmt.intern("pdu_in"), pmt.from_long(i))
    while block.dropped() <= i and time.monotonic() < end:
        time.sleep(0)
flowgraph.stop()
flowgraph.wait()
print("dropped() is", block.dropped(), flush=True)
"""


class running:
    """The block in a flowgraph that collects what it gives."""

    def __init__(self, block):
        self.block = block
        self.sink = blocks.message_debug()
        self.status = blocks.message_debug()
        self.flowgraph = gr.top_block()
        self.flowgraph.msg_connect(block, "pdu_out", self.sink, "store")
        self.flowgraph.msg_connect(block, "status", self.status, "store")

    def __enter__(self):
        self.flowgraph.start()
        return self

    def __exit__(self, *trouble):
        self.flowgraph.stop()
        wait(self.flowgraph)

    def send(self, message):
        self.block.to_basic_block()._post(pmt.intern("pdu_in"), message)

    def received(self, count, seconds=PATIENCE):
        """All messages so far, `count` of them at the end."""
        end = time.monotonic() + seconds
        while self.sink.num_messages() < count and time.monotonic() < end:
            time.sleep(0.002)
        got = self.sink.num_messages()
        if got != count:
            raise AssertionError(f"{got} messages came, but should be {count}")
        return [values_of(self.sink.get_message(i)) for i in range(count)]

    def dropped(self, count, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while self.block.dropped() < count and time.monotonic() < end:
            time.sleep(0.002)
        return self.block.dropped()


def make(*arguments, **keywords):
    return gpufft.fft_pdu(*arguments, engine=ENGINE, **keywords)


def expected_of(x, n, forward=True, taps=None, shift=False, output="complex"):
    n = n or len(x)
    taken = x[:n].astype(complex)
    if taps is not None:
        taken = taken * taps
    y = np.concatenate([taken, np.zeros(n - len(taken))])
    if shift and not forward:
        y = np.fft.ifftshift(y)
    bins = np.fft.fft(y) if forward else np.fft.ifft(y) * n
    if shift and forward:
        bins = np.fft.fftshift(bins)
    power = np.abs(bins) ** 2
    return {"complex": bins, "power": power, "db": 10 * np.log10(power + 1e-300)}[output]


class qa_fft_pdu(GpufftTestCase):
    # Values

    def test_own_length(self):
        """Bursts of any length, complex and real, both directions, in their order."""
        lengths = (1, 2, 3, 16, 100, 127, 1000, 1009, 4096)
        for forward, shift in itertools.product((True, False), repeat=2):
            with running(make(0, forward, None, shift)) as graph:
                sent = []
                for n in lengths:
                    real = self.random.standard_normal(n).astype(np.float32)
                    sent += [self.complex_noise(n), real]
                for x in sent:
                    graph.send(burst_of(x))
                for x, (metadata, bins) in zip(sent, graph.received(len(sent))):
                    self.assert_close(
                        bins, expected_of(x, 0, forward, None, shift), f"{len(x)} samples"
                    )
                    self.assertEqual(metadata["fft_size"], len(x))
                    self.assertEqual(metadata["fft_samples"], len(x))

    def test_fixed_size_pads_and_truncates(self):
        n = 96
        taps = np.array(window.hann(n))
        for spec, output in itertools.product((None, "hann", taps), ("complex", "power")):
            given = spec.tolist() if isinstance(spec, np.ndarray) else spec
            with running(make(n, True, given, True, output)) as graph:
                sent = [self.complex_noise(k) for k in (1, 5, 95, 96, 97, 1000)]
                for x in sent:
                    graph.send(burst_of(x))
                for x, (metadata, bins) in zip(sent, graph.received(len(sent))):
                    taken = min(len(x), n)
                    used = None
                    if isinstance(spec, np.ndarray):
                        used = taps[:taken]
                    elif spec:  # as long as what is taken
                        used = np.array(window.hann(taken)) if taken > 1 else np.ones(1)
                    self.assert_close(bins, expected_of(x, n, True, used, True, output))
                    self.assertEqual(metadata["fft_size"], n)
                    self.assertEqual(metadata["fft_samples"], taken)
                    self.assertEqual(metadata["fft_output"], output)

    def test_decibels(self):
        with running(make(0, True, "blackmanharris", True, "db")) as graph:
            x = self.complex_noise(500)
            graph.send(burst_of(x))
            _, bins = graph.received(1)[0]
            taps = np.array(window.blackmanharris(500))
            expected = expected_of(x, 0, True, taps, True, "db")
            self.assertLess(np.abs(bins - expected).max(), 2e-3)

    def test_metadata_goes_on(self):
        with running(make(200, output="power")) as graph:
            graph.send(
                burst_of(self.complex_noise(50), {"sample_rate": 1e6, "channel": 17})
            )
            old = {"fft_size": 1, "sample_rate": 800}
            graph.send(burst_of(self.complex_noise(50), old))
            graph.send(burst_of(self.complex_noise(50), {"sample_rate": "fast"}))
            first, second, third = (m for m, _ in graph.received(3))
            self.assertEqual(
                first,
                {
                    "sample_rate": 1e6,
                    "channel": 17,
                    "fft_size": 200,
                    "fft_samples": 50,
                    "fft_output": "power",
                    "fft_bin_width": 5000.0,
                },
            )
            self.assertEqual(second["fft_size"], 200)
            self.assertEqual(second["fft_bin_width"], 4.0)
            self.assertNotIn("fft_bin_width", third)

    # Messages that are no bursts

    def test_bad_messages_are_dropped(self):
        good = self.complex_noise(8)
        bad = [
            pmt.PMT_NIL,
            pmt.PMT_T,
            pmt.intern("burst"),
            pmt.from_double(1.5),
            pmt.init_c32vector(8, good.tolist()),
            pmt.to_pmt({"no": "samples"}),
            pmt.cons(pmt.PMT_NIL, pmt.PMT_NIL),
            pmt.cons(pmt.PMT_NIL, pmt.intern("samples")),
            pmt.cons(pmt.PMT_NIL, pmt.init_u8vector(4, [1, 2, 3, 4])),
            pmt.cons(pmt.PMT_NIL, pmt.init_s16vector(4, [1, 2, 3, 4])),
            pmt.cons(pmt.PMT_NIL, pmt.make_vector(3, pmt.PMT_NIL)),
            pmt.cons(pmt.intern("name"), pmt.init_c32vector(8, good.tolist())),
            pmt.cons(pmt.PMT_NIL, pmt.init_c32vector(0, [])),
            pmt.cons(pmt.PMT_NIL, pmt.init_f32vector(0, [])),
        ]
        for n in (0, 16):
            with running(make(n)) as graph:
                for message in bad:
                    graph.send(message)
                    graph.send(burst_of(good))
                for _, bins in graph.received(len(bad)):
                    self.assert_close(bins, expected_of(good, n))
                self.assertEqual(graph.dropped(len(bad)), len(bad))
                self.assertEqual(graph.block.error(), "")

    def test_flood_of_bad_messages(self):
        """The first, the tenth, the hundredth ... are logged, all are counted."""
        done = subprocess.run(
            [sys.executable, "-c", FLOOD],
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
            check=True,
        )
        told = [line for line in done.stdout.splitlines() if "dropped" in line]
        self.assertEqual(len(told), 5, done.stdout)
        self.assertIn("dropped a message: it is", told[0])
        for line, count in zip(told[1:4], (10, 100, 1000)):
            self.assertIn(f"dropped {count} messages so far, the last one: it is", line)
        self.assertEqual(told[4], "dropped() is 5000")

    def test_taps_that_do_not_fit_a_burst(self):
        """Taps, and bursts of their own length: others are dropped."""
        taps = np.array(window.hann(20))
        with running(make(0, True, taps.tolist())) as graph:
            x = self.complex_noise(20)
            for burst in (x[:19], x, np.concatenate([x, x]), x):
                graph.send(burst_of(burst))
            for _, bins in graph.received(2):
                self.assert_close(bins, expected_of(x, 0, True, taps))
            self.assertEqual(graph.dropped(2), 2)

    def test_not_a_number_passes(self):
        with running(make(0)) as graph:
            x = self.complex_noise(64)
            bad = x.copy()
            bad[7] = np.nan
            graph.send(burst_of(bad))
            graph.send(burst_of(x))
            (_, first), (_, second) = graph.received(2)
            self.assertTrue(np.isnan(first).all())
            self.assert_close(second, expected_of(x, 0))

    # While running

    def test_setters(self):
        x = self.complex_noise(50)
        block = make(64)
        taps = np.array(window.hamming(50))
        inverse = {"n": 0, "forward": False}
        with running(block) as graph:
            expected = []
            for change, settings in [
                (lambda: None, dict(n=64)),
                (lambda: block.set_shift(True), dict(n=64, shift=True)),
                (lambda: block.set_forward(False), dict(n=64, shift=True, forward=False)),
                (lambda: block.set_fft_size(0), dict(shift=True, **inverse)),
                (lambda: block.set_shift(False), inverse),
                (lambda: block.set_window("hamming"), dict(taps=taps, **inverse)),
                (
                    lambda: block.set_output("power"),
                    dict(taps=taps, output="power", **inverse),
                ),
                (lambda: block.set_window(None), dict(output="power", **inverse)),
            ]:
                change()
                graph.send(burst_of(x))
                expected.append(expected_of(x, **settings))
                self.assert_close(graph.received(len(expected))[-1][1], expected[-1])
        self.assertEqual(
            (block.fft_size(), block.forward(), block.shift(), block.output()),
            (0, False, False, "power"),
        )

    def test_plans_of_the_lengths_in_use_are_kept(self):
        block = make(0)
        with running(block) as graph:
            for turn in range(3):
                for n in (10, 20, 30):
                    graph.send(burst_of(self.complex_noise(n)))
            graph.received(9)
            self.assertEqual(block.plans(), 3)
            if ENGINE == "cpu":  # a GPU would compile for each length
                for n in range(1, 101):
                    graph.send(burst_of(self.complex_noise(n)))
                graph.received(109)
                self.assertEqual(block.plans(), 32)
        self.assertEqual(block.statistics()["frames"], 109 if ENGINE == "cpu" else 9)

    def test_restart(self):
        x = self.complex_noise(32)
        graph = running(make(32))
        for starts in (1, 2, 3):
            with graph:
                graph.send(burst_of(starts * x))
                self.assert_close(
                    graph.received(starts)[-1][1], expected_of(starts * x, 32)
                )

    # In flowgraphs

    def test_between_stock_blocks(self):
        """Stream to PDUs, their FFT, and back; the flowgraph ends by itself."""
        if stock_pdu is None:
            self.skipTest("this GNU Radio has no gr-pdu")
        n, bursts = 16, 20
        x = self.complex_noise(n * bursts)
        flowgraph = gr.top_block()
        source = blocks.vector_source_c(x.tolist(), False)
        tagged = blocks.stream_to_tagged_stream(gr.sizeof_gr_complex, 1, n, "len")
        to_pdu = stock_pdu.tagged_stream_to_pdu(gr.types.complex_t, "len")
        block = make(0)
        sink = blocks.message_debug()
        flowgraph.connect(source, tagged, to_pdu)
        flowgraph.msg_connect(to_pdu, "pdus", block, "pdu_in")
        flowgraph.msg_connect(block, "pdu_out", sink, "store")
        flowgraph.start()
        wait(flowgraph)
        self.assertEqual(sink.num_messages(), bursts)
        for i in range(bursts):
            _, bins = values_of(sink.get_message(i))
            self.assert_close(bins, np.fft.fft(x[i * n : (i + 1) * n]))

    # Bad input

    def test_bad_input(self):
        for arguments, words in [
            ((-1,), ["fft_size is -1", "0 ... 1073741824"]),
            ((2**31,), ["fft_size is 2147483648", "1073741824"]),
            ((8, True, "hannn"), ["'hannn'", "blackmanharris"]),
            ((8, True, [1.0] * 5), ["5 taps", "fft_size is 8"]),
            ((8, True, "kaiser"), ["kaiser", "beta"]),
            ((8, True, None, False, "phase"), ["'phase'", "complex, power or db"]),
        ]:
            self.assert_refuses(ValueError, words, gpufft.fft_pdu, *arguments)
        for keywords, words in [
            ({"engine": "fpga"}, ["fpga", "cuda"]),
            ({"on_error": "wait"}, ["'wait'", "stop", "cpu"]),
            ({"device_timeout": -1}, ["device_timeout", "-1", ">= 0"]),
            ({"device_timeout": np.nan}, ["device_timeout", "nan", ">= 0"]),
        ]:
            self.assert_refuses(ValueError, words, gpufft.fft_pdu, 8, **keywords)
        block = make(8)
        for setter, value, words in [
            (block.set_fft_size, -5, ["fft_size is -5"]),
            (block.set_window, [1.0] * 3, ["3 taps", "fft_size is 8"]),
            (block.set_output, "dB", ["'dB'"]),
        ]:
            self.assert_refuses(ValueError, words, setter, value)
        self.assertEqual((block.fft_size(), block.output()), (8, "complex"))

    def test_says_what_runs(self):
        block = make(64)
        self.assertEqual(block.engine(), ENGINE)
        self.assertIn("64", block.describe())
        self.assertNotEqual(block.engine_reason(), "")


if __name__ == "__main__":
    gr_unittest.run(qa_fft_pdu)
