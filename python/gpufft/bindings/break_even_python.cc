// SPDX-License-Identifier: GPL-3.0-or-later
//
// What CPU and GPU make of a problem, for Python.

#include "block_bindings.h"
#include <gnuradio/gpufft/break_even.h>

namespace gr {
namespace gpufft {

using namespace pybind11::literals;

namespace {

py::dict break_even_dict(const std::string& text, int device, int threads, bool anew)
{
    const problem what = problem::from_string(text);
    plan_options options;
    options.device = device;
    options.threads = threads;
    const break_even table =
        call_without_gil([&] { return find_break_even(what, options, anew); });
    py::list chunks;
    for (const chunk_times& each : table.chunks)
        chunks.append(py::dict("frames"_a = each.frames,
                               "bytes"_a = each.frames * table.frame_bytes(),
                               "cpu"_a = each.cpu,
                               "cuda"_a = each.cuda,
                               "cuda_delay"_a = each.cuda_delay));
    return py::dict("problem"_a = table.what.to_string(),
                    "threads"_a = table.threads,
                    "cpu"_a = table.cpu,
                    "card"_a = table.card,
                    "obstacle"_a = table.obstacle,
                    "chunks"_a = chunks,
                    "cpu_rate"_a = table.samples_per_second(engine_kind::cpu),
                    "cuda_rate"_a = table.samples_per_second(engine_kind::cuda),
                    "engine"_a = to_string(table.faster()),
                    "reason"_a = table.reason());
}

constexpr const char* BREAK_EVEN_DOC = R"(Measures a problem on the CPU and on the GPU.

The measurement takes a fraction of a second, once on each machine, and is kept in the cache
directory; blocks with engine="auto" take the faster engine. Used by gpufft advise.

Args:
    problem: its string, see problem; batch, scale and smoothing do not matter
    device: index of the NVIDIA GPU
    threads: threads of the cpu engine, 1 ... 1024; 0 is one for each core
    anew: measure even if the result is known, and let FFTW measure long transforms, too,
        which can take seconds

Returns:
    A dict: problem, threads, cpu, card (names), obstacle (why not the GPU), chunks (a list
    of dicts: frames, bytes, and the seconds of such a chunk from host memory to host
    memory: cpu; cuda, three at a time; cuda_delay, one by itself; 0 is not measured),
    cpu_rate, cuda_rate (samples a second, as blocks send chunks under load), engine (the
    faster one), reason.
)";

} // namespace

void bind_break_even(py::module& module)
{
    module.def("break_even",
               &break_even_dict,
               "problem"_a,
               "device"_a = 0,
               "threads"_a = 1,
               "anew"_a = false,
               BREAK_EVEN_DOC);
}

} // namespace gpufft
} // namespace gr
