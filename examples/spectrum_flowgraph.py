#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The spectrum of a synthetic signal: a tone 100 kHz above the centre, -20 dBFS."""

import numpy as np
from gnuradio import analog, blocks, gpufft, gr

RATE, SIZE = 1e6, 1000

flowgraph = gr.top_block()
tone = analog.sig_source_c(RATE, analog.GR_COS_WAVE, 100e3, 0.1)
noise = analog.noise_source_c(analog.GR_GAUSSIAN, 0.01)
mixer = blocks.add_cc()
head = blocks.head(gr.sizeof_gr_complex, int(RATE))
spectrum = gpufft.power_spectrum_cf(
    SIZE, hop=SIZE // 2, window="blackmanharris", average=100, mode="db"
)
sink = blocks.vector_sink_f(SIZE)
flowgraph.connect(tone, mixer, head, spectrum, sink)
flowgraph.connect(noise, (mixer, 1))
flowgraph.run()

rows = np.reshape(sink.data(), (-1, SIZE))
strongest = int(rows[-1].argmax())
print(
    f"{len(rows)} rows on engine {spectrum.engine()}; strongest bin: "
    f"{(strongest - SIZE // 2) * RATE / SIZE / 1e3:g} kHz, {rows[-1, strongest]:.1f} dBFS"
)
