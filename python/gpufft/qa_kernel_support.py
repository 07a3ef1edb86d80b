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
#include <type_traits>
#include <utility>
#include <vector>
#define __device__
#define __global__
struct float2 { float x, y; };
struct double2 { double x, y; };
struct dimensions { unsigned x; };
static thread_local dimensions blockIdx, threadIdx, blockDim;
"""
AFTER = """
template <class... A, std::size_t... i>
static void run(void (*kernel)(A...), void* const* arguments, std::index_sequence<i...>)
{
    kernel(*(A*)arguments[i]...);
}
template <class... A>
static void run(void (*kernel)(A...), void* const* in, void* const* out, long long frames,
                void* const* p, unsigned blocks, unsigned threads)
{
    const bool areas[] = { std::is_pointer<A>::value... };
    const bool inputs[] = { std::is_const<std::remove_pointer_t<A>>::value... };
    std::vector<void*> arguments;
    bool has_frames = false;
    for (std::size_t i = 0; i < sizeof...(A); ++i)
        if (areas[i])
            arguments.push_back((void*)(inputs[i] ? in++ : out++));
        else
            arguments.push_back(std::exchange(has_frames, true) ? *p++ : &frames);
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x)
            run(kernel, arguments.data(), std::index_sequence_for<A...>());
}
extern "C" void launch(void* const* in, void* const* out, long long frames, void* const* p,
                       unsigned blocks, unsigned threads)
{
    run(%s, in, out, frames, p, blocks, threads);
}
"""


def launcher(text, name):
    """launch(inputs, outputs, frames, parameters, blocks, threads) of the kernel's text;
    both are arrays of addresses."""
    key = hashlib.sha256((name + text).encode()).hexdigest()[:16]
    if key not in _loaded:
        source = pathlib.Path(_folder.name, key + ".cc")
        source.write_text(BEFORE + text + AFTER % name)
        library = source.with_suffix(".so")
        command = [COMPILER, "-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
        subprocess.run([*command, str(source), "-o", str(library)], check=True)
        _loaded[key] = ctypes.CDLL(str(library)).launch
    return _loaded[key]


def _work(text, name, inputs, outputs, frames, parameters, blocks, threads):
    launcher(text.decode(), name.decode())(
        ctypes.c_void_p(inputs),
        ctypes.c_void_p(outputs),
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
