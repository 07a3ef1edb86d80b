# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks on streams of samples that lie in dask arrays, in chunks along time.

A task runs the block in a flowgraph of its own, on the samples that its outputs need. The
run begins where a frame, a period of the phases and a part of the undivided stream begin,
so the outputs are the same to the last bit, whatever the chunks.
"""

import bisect
import functools
import itertools
import math
import re
from collections import deque
from dataclasses import dataclass, replace

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph
from gnuradio import gpufft, gr

from .arrays import as_dask_array

LETTERS = {np.dtype(name): name[0] for name in ("complex64", "float32")}
LETTERS |= {np.dtype("int16"): "s", np.dtype("int8"): "b"}
ITEMS_PER_SAMPLE = {"c": 1, "f": 1, "s": 2, "b": 2}


@dataclass(frozen=True)
class Call:
    """A block to be made in a task, and what it gives out."""

    name: str
    arguments: tuple
    keywords: dict
    dtype: np.dtype
    row: tuple = ()  # shape of one output
    token: str = ""  # of all these

    def make(self, **others):
        """The block; `others` replace some of the keywords."""
        keywords = {**self.keywords, **others}
        return getattr(gpufft, self.name)(*self.arguments, **keywords)


@dataclass(frozen=True)
class Layout:
    """Which samples the outputs of a block need."""

    hop: int  # samples from output to output
    span: int  # samples from an output's first new one to its last one
    history: int = 0  # samples that it needs before these
    part: int = 1  # chunks of outputs begin at its multiples
    period: int = 1  # runs of the block begin at outputs that are its multiples


def power_spectrum(x, fft_size, *arguments, nthreads=1, **keywords):
    """Rows of power as the block power_spectrum gives them.

    Returns: [rows, fft_size] of float32; with a density more numbers in a row

    Args:
        x: samples of complex64, or interleaved I, Q, I, Q, ... of int16 or int8
        others: as power_spectrum_cf's; alpha and hold, with which each row depends on all
            rows before it, are refused; a task has one thread unless nthreads is given
    """
    x, letter = _samples(x, "csb")
    keywords["nthreads"] = nthreads
    name = f"power_spectrum_{letter}f"
    call = Call(name, (fft_size, *arguments), keywords, np.dtype(np.float32))
    block = _local_block(call)
    if block.alpha() != 1 or block.hold() != "none":
        raise ValueError(
            f"alpha is {block.alpha()} and hold is {block.hold()}, but must be 1 and "
            "none: else a row depends on all chunks before it"
        )
    hop, average = block.hop(), block.average()
    layout = Layout(average * hop, (average - 1) * hop + block.fft_size())
    return _in_chunks(x, letter, call, layout, (block.row_floats(),))


def pfb_channelizer(
    x,
    numchans,
    taps=None,
    oversample_rate=1.0,
    atten=100.0,
    *,
    outchans=0,
    nthreads=1,
    **keywords,
):
    """All channels as the block pfb_channelizer gives them in vectors.

    Returns: [time, channels] of complex64

    Args:
        x: samples of complex64, or interleaved I, Q, I, Q, ... of int16 or int8
        others: as pfb_channelizer_ccf's, without vlen; a task has one thread unless
            nthreads is given
    """
    x, letter = _samples(x, "csb")
    if "vlen" in keywords:
        raise TypeError("pfb_channelizer() has no parameter 'vlen': rows are all channels")
    arguments = (numchans, taps, oversample_rate, atten)
    channels = outchans or numchans
    keywords |= {"outchans": outchans, "nthreads": nthreads}
    call = Call(
        f"pfb_channelizer_{letter}cf",
        arguments,
        dict(vlen=channels, **keywords),
        np.dtype(np.complex64),
    )
    arms = _local_block(call).taps()
    hop = round(numchans / oversample_rate)
    period = numchans // math.gcd(numchans, hop)
    layout = Layout(hop, hop, len(arms) * len(arms[0]), period=period)
    return _in_chunks(x, letter, call, layout, (channels,))


def fft_filter(x, decimation, taps, nthreads=1, **keywords):
    """The samples as the block fft_filter gives them, of x's type.

    Args:
        x: samples of complex64 or float32
        others: as those of fft_filter_ccc, _ccf and _fff; complex samples may have
            complex taps
    """
    x, letter = _samples(x, "cf")
    tap = "c" if letter == "c" and np.iscomplexobj(taps) else "f"
    keywords["nthreads"] = nthreads
    name = f"fft_filter_{letter}{letter}{tap}"
    call = Call(name, (decimation, taps), keywords, x.dtype)
    block = _local_block(call)
    part = outputs_of_part(block.describe(), decimation, letter == "f")
    padded = max(decimation, len(taps) + len(taps) // 8 + 1)  # at most
    layout = Layout(decimation, decimation, padded, part, part)
    return _in_chunks(x, letter, call, layout, ())


def outputs_of_part(description, decimation, is_real):
    """Outputs that a filter computes by one transform, of what its describe() says: on a
    CPU it names them, on a GPU the transform's length or the factors of that."""
    found = re.search(r"(\d+) outputs", description)
    if found:
        return int(found[1])
    taps, lengths = re.search(r"overlap-save\((\d+): (.*?)\)", description).groups()
    length = math.prod(map(int, re.findall(r"(\d+) =", lengths)))
    return ((length - int(taps)) // decimation + 1) * (2 if is_real else 1)


def _samples(x, letters):
    """The samples as a dask array, and the letter of their type in names of blocks."""
    x = as_dask_array(x)
    names = {letter: dtype.name for dtype, letter in LETTERS.items()}
    if LETTERS.get(x.dtype) not in tuple(letters):
        names = " or ".join(names[letter] for letter in letters)
        raise TypeError(f"x has dtype {x.dtype}, but must be {names}")
    if x.ndim != 1:
        raise ValueError(f"x has {x.ndim} dimensions, but must have 1: time")
    return x, LETTERS[x.dtype]


def _local_block(call):
    """A block of this process, which has checked the arguments. Without the workers' GPU
    one on the CPU does."""
    try:
        return _idle_blocks(_token(call))[-1]
    except IndexError:
        pass
    try:
        return call.make()
    except gpufft.cuda_error:
        return call.make(engine="cpu")


def _token(call):
    """The same text for the same block."""
    return f"{call.name}-{tokenize(call.name, call.arguments, call.keywords)}"


def _in_chunks(x, letter, call, layout, row):
    """All outputs of the block as a dask array, in chunks as those of the samples x."""
    call = replace(call, row=row, token=_token(call))
    items = ITEMS_PER_SAMPLE[letter]
    step = layout.hop * items
    ends = list(itertools.accumulate(x.chunks[0]))
    count = max(0, (x.size // items - layout.span) // layout.hop + 1)
    firsts = (-(-end // (step * layout.part)) * layout.part for end in ends)
    bounds = sorted({0, count, *(min(first, count) for first in firsts)})
    name = f"{call.token}-{tokenize(x)}"
    graph = {call.token: call}
    for index, (first, last) in enumerate(itertools.pairwise(bounds)):
        earliest = max(0, first * layout.hop - layout.history) // layout.hop
        begin = earliest // layout.period * layout.period
        end = ((last - 1) * layout.hop + layout.span) * items
        chunks = _add_slices(graph, x.name, ends, begin * step, end)
        key = (name, index) + (0,) * len(row)
        graph[key] = (_run, call.token, chunks, first - begin, last - first)
    sizes = tuple(last - first for first, last in itertools.pairwise(bounds))
    if not sizes:
        return da.from_array(np.empty((0, *row), call.dtype))
    return da.Array(
        HighLevelGraph.from_collections(name, graph, dependencies=[x]),
        name,
        chunks=(sizes, *((width,) for width in row)),
        meta=np.empty((0,) * (1 + len(row)), call.dtype),
    )


def _add_slices(graph, name, ends, begin, end):
    """Keys of the chunks with the items begin ... end-1. A chunk's part is a task of its
    own: only that part travels to another worker."""
    keys = []
    for index in range(bisect.bisect_right(ends, begin), len(ends)):
        start = ends[index - 1] if index else 0
        if start >= end:
            break
        size = ends[index] - start
        first, last = max(begin - start, 0), min(end - start, size)
        key = (name, index)
        if last - first < size:
            key = (f"slice-{name}", index, first, last)
            graph[key] = (_slice, (name, index), first, last)
        keys.append(key)
    return keys


def _slice(chunk, first, last):
    return np.asarray(chunk)[first:last]


@functools.lru_cache(maxsize=16)
def _idle_blocks(token):
    """This process's blocks of a call that no task uses now."""
    return []


class ArraySource(gr.sync_block):
    """Gives out the items of arrays."""

    def __init__(self, arrays):
        gr.sync_block.__init__(self, "array_source", None, [arrays[0].dtype])
        self._arrays = deque(array for array in arrays if len(array))

    def work(self, _input_items, output_items):
        if not self._arrays:
            return -1
        array = self._arrays.popleft()
        items = array[: len(output_items[0])]
        output_items[0][: len(items)] = items
        if len(items) < len(array):
            self._arrays.appendleft(array[len(items) :])
        return len(items)


class ArraySink(gr.sync_block):
    """Keeps the items `skip` ... `skip + count - 1` that come."""

    def __init__(self, dtype, skip, count):
        gr.sync_block.__init__(self, "array_sink", [dtype], None)
        self._skip, self._filled = skip, 0
        self._items = np.empty(count, dtype)

    def work(self, input_items, _output_items):
        items = input_items[0][self._skip :]
        self._skip = max(0, self._skip - len(input_items[0]))
        wanted = self._items[self._filled :][: len(items)]
        wanted[:] = items[: len(wanted)]
        self._filled += len(wanted)
        return len(input_items[0])

    def items(self):
        """All of them. Raises RuntimeError if some have not come."""
        if self._filled < len(self._items):
            raise RuntimeError(f"{self._filled} of {len(self._items)} outputs have come")
        return self._items


def _run(call, chunks, skip, outputs):
    """Outputs skip ... skip+outputs-1 of the block for these samples."""
    idle = _idle_blocks(call.token)
    try:
        block = idle.pop()
    except IndexError:
        block = call.make()
    source = ArraySource([np.asarray(chunk) for chunk in chunks])
    sink = ArraySink(np.dtype((call.dtype, call.row)), skip, outputs)
    flowgraph = gr.top_block()
    flowgraph.connect(source, block, sink)
    flowgraph.run()
    if block.error():
        raise RuntimeError(f"{call.name}: {block.error()}")
    result = sink.items()
    idle.append(block)
    return result
