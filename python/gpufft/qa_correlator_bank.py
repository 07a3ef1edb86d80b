#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""correlator_bank, and plans of correlations, against NumPy."""

import numpy as np
from gnuradio import blocks, gpufft, gr, gr_unittest
from qa_support import ENGINE, GpufftTestCase, run, tag, tag_places, wait_for_more, wait

# K, L, N, D, coherent, noncoherent, delays, hop
CASES = (
    (1, 64, 64, 1, 1, 1, None, None),
    (3, 60, 60, 5, 1, 1, None, None),
    (2, 60, 60, 4, 2, 3, 17, 100),
    (2, 50, 128, 3, 1, 1, 60, None),
    (4, 31, 64, 2, 1, 2, None, 500),
    (2, 1023, 1023, 7, 1, 4, None, None),
    (3, 127, 127, 5, 1, 2, None, 200),
    (2, 511, 511, 3, 2, 1, None, None),
)


def powers_of(x, templates, cycles, n, coherent, noncoherent, delays):
    """P[k, d, u] of one frame, the shifts in cycles per sample."""
    spectra = np.conj(np.fft.fft(templates, n))
    m = np.arange(coherent * n)
    powers = np.zeros((len(templates), len(cycles), n))
    for block in x.astype(complex).reshape(noncoherent, coherent * n):
        for d, shift in enumerate(cycles):
            y = (block * np.exp(-2j * np.pi * shift * m)).reshape(coherent, n).sum(0)
            powers[:, d] += np.abs(np.fft.ifft(np.fft.fft(y) * spectra)) ** 2
    return powers[..., :delays]


def peaks_of(powers):
    """The row of a grid's peaks."""
    rows = []
    for k, own in enumerate(powers):
        d, u = np.unravel_index(np.argmax(own), own.shape)
        rows.append([k, d, u, own.max() / own.mean(), own.max()])
    return np.array(rows)


class qa_correlator_bank(GpufftTestCase):
    def bank(self, *arguments, **keywords):
        return gpufft.correlator_bank(*arguments, engine=ENGINE, **keywords)

    def rows(self, x, block, kind="c"):
        rows, _ = run(x, block, kind=kind, out="f", vlen_out=block.row_floats())
        return rows

    def test_numpy(self):
        for k, length, n, d, coherent, noncoherent, delays, hop in CASES:
            templates = self.complex_noise(k, length)
            shifts = -3000.0 + 717.0 * np.arange(d)
            keywords = {
                "fft_size": n,
                "coherent": coherent,
                "noncoherent": noncoherent,
                "delays": delays,
                "hop": hop,
            }
            banks = [
                self.bank(templates, shifts, 1e6, peaks=peaks, **keywords)
                for peaks in ("grid", "templates", "best")
            ]
            hop, span = banks[0].hop(), n * coherent * noncoherent
            self.assertEqual(banks[0].fft_size(), n)
            x = self.complex_noise(6 * hop + span)
            truth = np.array(
                [
                    powers_of(
                        x[f * hop : f * hop + span],
                        templates,
                        shifts / 1e6,
                        n,
                        coherent,
                        noncoherent,
                        banks[0].delays(),
                    )
                    for f in range(7)
                ]
            )
            case = str((k, length, n, d, coherent, noncoherent))
            grid = self.rows(x, banks[0])
            self.assert_close(grid, truth.reshape(grid.shape), case)
            expected = np.array([peaks_of(each) for each in truth])
            rows = self.rows(x, banks[1]).reshape(expected.shape)
            np.testing.assert_array_equal(rows[..., :3], expected[..., :3], case)
            np.testing.assert_allclose(rows[..., 3:], expected[..., 3:], rtol=1e-5)
            best = expected[np.arange(7), expected[..., 4].argmax(1)]
            rows = self.rows(x, banks[2])
            np.testing.assert_array_equal(rows[:, :3], best[:, :3], case)
            np.testing.assert_allclose(rows[:, 3:], best[:, 3:], rtol=1e-5)

    def test_defaults(self):
        templates = np.ones((3, 100))
        for keywords, n, delays, hop, floats in (
            ({}, 100, 100, 100, 15),
            ({"delays": 20}, 120, 20, 20, 15),
            ({"delays": 26}, 125, 26, 26, 15),
            ({"fft_size": 128}, 128, 29, 29, 15),
            ({"fft_size": 128, "noncoherent": 2}, 128, 29, 256, 15),
            ({"coherent": 3, "noncoherent": 2, "peaks": "best"}, 100, 100, 600, 5),
            ({"fft_size": 100, "delays": 7, "peaks": "grid"}, 100, 7, 100, 42),
        ):
            block = self.bank(templates, [0, 0.1], **keywords)
            found = (block.fft_size(), block.delays(), block.hop(), block.row_floats())
            self.assertEqual(found, (n, delays, hop, floats), keywords)

    def test_formats(self):
        template = self.complex_noise(1, 64)
        x = self.random.integers(-100, 100, 2 * 64 * 5)
        values = (x[0::2] + 1j * x[1::2]) / 128
        expected = self.rows(values, self.bank(template, peaks="grid"))
        block = self.bank(template, peaks="grid", input="cs8")
        rows, _ = run(x % 256, block, kind="b", vlen_in=2, out="f", vlen_out=64)
        self.assert_close(rows, expected)

    def test_tags(self):
        block = self.bank(np.ones((1, 50)), fft_size=100, hop=40)
        tags = [tag(at, f"t{at}") for at in (0, 39, 40, 130, 999)]
        _, found = run(np.zeros(1060), block, out="f", vlen_out=5, tags=tags)
        expected = [(0, 0), (39, 0), (40, 1), (130, 3), (999, 24)]
        self.assertEqual(tag_places(found), expected)

    def test_setters(self):
        templates = self.complex_noise(2, 64)
        block = self.bank(templates[:1], [0.0, 0.25], peaks="best")
        flowgraph = gr.top_block()
        n = np.arange(64)
        period = templates[1] * np.exp(0.5j * np.pi * n)  # at shift 1
        source = blocks.vector_source_c(np.roll(period, 5).tolist(), True)
        sink = blocks.vector_sink_f(5)
        flowgraph.connect(source, blocks.head(8, 1 << 40), block, sink)
        flowgraph.start()
        try:
            wait_for_more(sink, 60000)
            block.set_templates(templates[1:])
            wait_for_more(sink, 60000)
            block.set_shifts([0.25, 0.3])
            wait_for_more(sink, 60000)
        finally:
            flowgraph.stop()
            wait(flowgraph)
        rows = np.reshape(sink.data(), (-1, 5))
        self.assertLess(rows[0, 3], 30)
        self.assertEqual(rows[-1, :3].tolist(), [0, 0, 5])
        is_new = rows[:, 3] > 30
        changes = np.flatnonzero(np.diff(is_new.astype(int)))
        self.assertEqual(len(changes), 1)
        self.assertEqual(rows[changes[0] + 1, :3].tolist(), [0, 1, 5])
        self.assertEqual(block.shifts(), [0.25, 0.3])

    def test_expressions(self):
        """A product that keeps the phases only, a load, and their parameters."""
        templates = self.complex_noise(2, 64)
        x = self.complex_noise(5 * 64)
        keywords = {
            "load": "x * gain",
            "product": "x * h / (tiny + abs(x * h))",
            "peaks": "grid",
        }
        block = self.bank(templates, parameters={"gain": 2.5, "tiny": 0.5}, **keywords)
        self.assertEqual(block.parameters(), {"gain": 2.5, "tiny": 0.5})
        bins = np.fft.fft(2.5 * x.reshape(5, 1, 64)) * np.fft.fft(templates).conj()
        for tiny in (0.5, 3.0):
            block.set_parameter("tiny", tiny)
            rows = self.rows(x, block)
            powers = np.abs(np.fft.ifft(bins / (tiny + np.abs(bins)))) ** 2
            self.assert_close(rows, powers.reshape(5, 128))
        self.assert_refuses(
            ValueError, ["parameter is c", "gain, tiny"], block.set_parameter, "c", 1
        )
        for words, more in (
            (["an operator must be there"], {"load": "x x"}),
            (["sin is complex"], {"product": "sin(h)"}),
            (["h must not be there"], {"load": "h"}),
            (["parameter is a", "none"], {"parameters": {"a": 1.0}}),
        ):
            self.assert_refuses(ValueError, words, self.bank, templates, **more)

    def test_parameters_while_it_runs(self):
        block = self.bank(np.ones((1, 16)), load="x * gain", peaks="best")
        flowgraph = gr.top_block()
        source = blocks.vector_source_c([1.0] * 16, True)
        sink = blocks.vector_sink_f(5)
        flowgraph.connect(source, block, sink)
        flowgraph.start()
        try:
            wait_for_more(sink, 60000)
            block.set_parameter("gain", 3.0)
            for _ in range(50):  # until rows come that were not queued before
                wait_for_more(sink, 60000)
                if np.isclose(sink.data()[-1], 9 * 256):
                    break
        finally:
            flowgraph.stop()
            wait(flowgraph)
        powers = np.reshape(sink.data(), (-1, 5))[:, 4]
        self.assert_changes_once(np.isclose(powers, 256), np.isclose(powers, 9 * 256))

    def test_refuses(self):
        ones = np.ones((2, 10))
        for words, arguments, keywords in (
            (["templates", "empty"], ([],), {}),
            (["template 1 has 3", "must have 2"], ([[1, 2], [1, 2, 3]],), {}),
            (["sample 1 of template 0"], ([[1, np.nan]],), {}),
            (["number of shifts is 0"], (ones, []), {}),
            (["shift 1 is 0.1", "evenly"], (ones, [0, 0.1, 0.3]), {}),
            (["wider", "samp_rate"], (ones, [0, 0.6]), {}),
            (["shift 10000000000", "2^20"], (ones, [1e10], 1), {}),
            (["samp_rate is 0"], (ones, [0], 0), {}),
            (["fft_size is 9: must be 10"], (ones,), {"fft_size": 9}),
            (["delays is 11: must be 1 ... 10"], (ones,), {"delays": 11, "fft_size": 10}),
            (["delays is 12: must be 1 ... 11"], (ones,), {"delays": 12, "fft_size": 20}),
            (["coherent is 0"], (ones,), {"coherent": 0}),
            (["noncoherent is 0"], (ones,), {"noncoherent": 0}),
            (["hop is 0"], (ones,), {"hop": 0}),
            (["peaks is 'all'", "grid"], (ones,), {"peaks": "all"}),
            (["input is 'f32'"], (ones,), {"input": "f32"}),
            (["nthreads is -1"], (ones,), {"nthreads": -1}),
        ):
            self.assert_refuses(ValueError, words, self.bank, *arguments, **keywords)
        block = self.bank(ones, [0, 0.1])
        for change in (
            lambda: block.set_templates(np.ones((3, 10))),
            lambda: block.set_templates(np.ones((2, 11))),
            lambda: block.set_shifts([0]),
        ):
            self.assert_refuses(ValueError, ["fixed by make()"], change)
        self.assertEqual(block.shifts(), [0, 0.1])

    def test_plan(self):
        templates = self.complex_noise(2, 50)
        x = self.complex_noise(4, 150)
        plan = gpufft.plan(
            kind="correlation",
            lengths=50,
            batch=4,
            bins=2,
            taps=3,
            shifts=4,
            f_start=-0.02,
            f_stop=0.02,
            peaks="grid",
            delays=20,
            engine=ENGINE,
        )
        plan.set_window(templates.view(np.float32).ravel())
        rows = plan.execute(x.ravel())
        shifts = -0.02 + 0.01 * np.arange(4)
        truth = [powers_of(each, templates, shifts, 50, 3, 1, 20) for each in x]
        self.assert_close(rows.reshape(4, 2, 4, 20), np.array(truth))
        self.assertIn("correlation", plan.describe())


if __name__ == "__main__":
    gr_unittest.run(qa_correlator_bank)
