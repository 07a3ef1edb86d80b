# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the QA of pfb_channelizer: the blocks and their expected output."""

import numpy as np
from gnuradio import blocks, gpufft, gr
from qa_support import ENGINE, ITEM_SIZES, SOURCES, TOLERANCE, GpufftTestCase, wait


def channelizer(*arguments, kind="c", **keywords):
    block = getattr(gpufft, f"pfb_channelizer_{kind}cf")
    return block(*arguments, engine=ENGINE, **keywords)


def expected(x, taps, channels, hop, first=0, last=None):
    """The sums of the definition, [channels, output samples first ... last-1]."""
    last = len(x) // hop if last is None else last
    taps = np.pad(np.asarray(taps, float), (0, -len(taps) % channels))
    padded = np.concatenate([np.zeros(len(taps)), x])
    c = np.arange(channels)
    waves = np.exp(-2j * np.pi * np.outer(c, c) / channels)
    rows = []
    for f in range(first, last):
        newest = f * hop + hop - 1
        products = taps * padded[newest + 1 : newest + 1 + len(taps)][::-1]
        arms = products.reshape(-1, channels).sum(axis=0)
        rows.append(waves[:, (newest - c + hop + 1) % channels] @ arms)
    return np.array(rows).T.reshape(channels, last - first)


def run_streams(data, block, ports, *, kind="c", tags=(), limit=None):
    """source -> block -> a sink on each port; returns [ports, samples] and all tags.

    limit: the most items that arrive at once
    """
    flowgraph = gr.top_block()
    source = SOURCES[kind](np.asarray(data).ravel().tolist(), False, 1, list(tags))
    sinks = [blocks.vector_sink_c() for _ in range(ports)]
    feeder = blocks.copy(ITEM_SIZES[kind])
    if limit:
        feeder.set_max_noutput_items(limit)
    flowgraph.connect(source, feeder, block)
    for port, sink in enumerate(sinks):
        flowgraph.connect((block, port), sink)
    flowgraph.start()
    wait(flowgraph)
    if hasattr(block, "error") and block.error():
        raise AssertionError(block.error())
    return np.array([sink.data() for sink in sinks]), [sink.tags() for sink in sinks]


class ChannelizerTestCase(GpufftTestCase):
    def filter_of(self, taps):
        return self.random.standard_normal(taps).astype(np.float32)

    def assert_channels(self, result, truth, message=""):
        """As assert_close, with room for the sums of the arms."""
        self.assertEqual(result.shape, truth.shape, message)
        error = np.linalg.norm(result - truth) / max(np.linalg.norm(truth), 1e-30)
        self.assertTrue(error <= 2 * TOLERANCE, f"{message}: relative error {error}")
