// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes fft_vcc_fwd, fft_vcc_rev, fft_vfc_fwd, fft_vfc_rev.

#include "block_bindings.h"
#include <gnuradio/gpufft/fft_v.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* FFT_V_DOC =
    R"(FFT of vectors of fft_size items, in the place of gr-fft's.

forward:  X[k] = sum_m w[m] x[m] exp(-j 2 pi m k / N); shift moves DC to bin floor(N/2)
inverse:  y = w x; shift: y[m] <- y[(m + floor(N/2)) mod N]; then exp(+j 2 pi m k / N)

Neither is scaled: inverse(forward(x)) = N x. All N complex bins come out, also of floats.

Args:
    fft_size: N, 1 ... 2**30
    window: N taps, a name such as "hann", a type such as fft.window.WIN_HANN,
        ("kaiser", 8.6), or [] or None for none
    shift: DC in the middle, of the output (forward) or the input (inverse)
    nthreads: threads of the cpu engine, 1 ... 1024
    engine: "auto" (the GPU where it is usable, has the length and is faster than the CPU, as
        measured once on a machine: see gpufft advise), "cuda" or "cpu"
    device: index of the NVIDIA GPU, or a list of them that take turns
    on_error: on device trouble "stop" the flowgraph, or go on with the "cpu"
    device_timeout: seconds for which the GPU may work on one chunk before that is device
        trouble; 0 is for ever
    vlen: None or fft_size for vector ports; 1 for plain streams, which the block cuts into
        frames of fft_size itself (for large odd sizes: GNU Radio's buffers are multiples of
        page and vector). A tag then moves to the first bin of its frame.

Raises:
    ValueError: a value out of range
    RuntimeError: taps that are not fft_size long, or device trouble
)";

template <class T, bool forward>
void bind_one_fft_v(py::module& module, const char* name)
{
    typedef fft_v<T, forward> block;
    py::class_<block, gr::sync_block, gr::block, gr::basic_block, std::shared_ptr<block>>
        python(module, name, FFT_V_DOC);
    python
        .def(py::init([](std::int64_t fft_size,
                         const window_spec& window,
                         bool shift,
                         int nthreads,
                         const std::string& engine,
                         const device_list& device,
                         const std::string& on_error,
                         std::optional<std::int64_t> vlen,
                         double device_timeout) {
                 return call_without_gil([&] {
                     return block::make(fft_size,
                                        window,
                                        shift,
                                        nthreads,
                                        engine,
                                        device,
                                        on_error,
                                        vlen_of(vlen, "fft_size"),
                                        device_timeout);
                 });
             }),
             "fft_size"_a,
             "window"_a,
             "shift"_a = false,
             "nthreads"_a = 1,
             py::kw_only(),
             "engine"_a = "auto",
             "device"_a = device_list(),
             "on_error"_a = "stop",
             "vlen"_a = py::none(),
             "device_timeout"_a = 10.0)
        .def("set_window",
             &block::set_window,
             without_gil(),
             "window"_a,
             "True if the window is taken; False, and nothing changes, if its taps are "
             "not "
             "fft_size long.");
    bind_nthreads(python);
    bind_engine_block(python);
}

} // namespace

void bind_fft_v(py::module& module)
{
    bind_one_fft_v<gr_complex, true>(module, "fft_vcc_fwd");
    bind_one_fft_v<gr_complex, false>(module, "fft_vcc_rev");
    bind_one_fft_v<float, true>(module, "fft_vfc_fwd");
    bind_one_fft_v<float, false>(module, "fft_vfc_rev");
}

} // namespace gpufft
} // namespace gr
