# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of kernel_block on the CPU: compiled by g++, thread after thread."""

import ctypes
import hashlib
import pathlib
import shutil
import subprocess
import tempfile

from qa_array_support import IS_SIMULATED, LIBRARY

COMPILER = shutil.which("g++")
_folder = tempfile.TemporaryDirectory()
_loaded = {}

BEFORE = """#include <cmath>
#include <utility>
#define __device__
#define __global__
struct float2 { float x, y; };
struct double2 { double x, y; };
struct dimensions { unsigned x; };
static thread_local dimensions blockIdx, threadIdx, blockDim;
"""
AFTER = """
template <class In, class Out, class... P, std::size_t... i>
static void run(void (*kernel)(const In*, Out*, long long, P...), const void* in, void* out,
                long long frames, void* const* p, std::index_sequence<i...>)
{
    kernel((const In*)in, (Out*)out, frames, *(const P*)p[i]...);
}
template <class In, class Out, class... P>
static void run(void (*kernel)(const In*, Out*, long long, P...), const void* in, void* out,
                long long frames, void* const* p)
{
    run(kernel, in, out, frames, p, std::index_sequence_for<P...>());
}
extern "C" void launch(const void* in, void* out, long long frames, void* const* p,
                       unsigned blocks, unsigned threads)
{
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x)
            run(%s, in, out, frames, p);
}
"""


def launcher(text, name):
    """launch(input, output, frames, parameters, blocks, threads) of the kernel's text."""
    key = hashlib.sha256((name + text).encode()).hexdigest()[:16]
    if key not in _loaded:
        source = pathlib.Path(_folder.name, key + ".cc")
        source.write_text(BEFORE + text + AFTER % name)
        library = source.with_suffix(".so")
        command = [COMPILER, "-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
        subprocess.run([*command, str(source), "-o", str(library)], check=True)
        _loaded[key] = ctypes.CDLL(str(library)).launch
    return _loaded[key]


def _work(text, name, x, out, frames, parameters, blocks, threads):
    launcher(text.decode(), name.decode())(
        ctypes.c_void_p(x),
        ctypes.c_void_p(out),
        ctypes.c_longlong(frames),
        ctypes.c_void_p(parameters),
        ctypes.c_uint(blocks),
        ctypes.c_uint(threads),
    )


_WORK = ctypes.CFUNCTYPE(
    None,
    ctypes.c_char_p,
    ctypes.c_char_p,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_longlong,
    ctypes.c_void_p,
    ctypes.c_uint,
    ctypes.c_uint,
)(_work)


def simulate_kernels():
    """From now on the simulated cards execute kernels."""
    if IS_SIMULATED:
        LIBRARY.gpufft_simulate_kernels(_WORK)
