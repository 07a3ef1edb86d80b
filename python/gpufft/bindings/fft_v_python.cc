// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes fft_vcc_fwd, fft_vcc_rev, fft_vfc_fwd, fft_vfc_rev.

#include "block_bindings.h"
#include <gnuradio/gpufft/fft_v.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* FFT_V_DOC =
    R"(FFT of vectors of fft_size items, replacing gr-fft's.

forward:  X[k] = sum_m w[m] x[m] exp(-j 2 pi m k / N); shift moves DC to bin floor(N/2)
inverse:  y = w x; shift: y[m] <- y[(m + floor(N/2)) mod N]; then exp(+j 2 pi m k / N)

Neither is scaled: inverse(forward(x)) = N x. Floats, too, give all N complex bins.

Args:
    fft_size: N, 1 ... 2**30
    window: N taps, a name such as "hann", a type such as fft.window.WIN_HANN,
        ("kaiser", 8.6), or [] or None for none
    shift: DC in the middle, of the output (forward) or the input (inverse)
    nthreads: threads of the cpu engine, 1 ... 1024
    @engine
    @formats
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
    python_block<block> python(module, name, described(FFT_V_DOC).c_str());
    bind_transform(
        python, &block::make, "fft_size", "fft_size"_a, "window"_a, "shift"_a = false);
    python
        .def("set_expressions",
             &block::set_expressions,
             without_gil(),
             "load"_a = "",
             "store"_a = "",
             "`load` and `store`: expressions of each sample x before the window and of "
             "each bin x, e.g. "
             "load=\"x "
             "* gain\",\ncomputed in the transform's kernels; \"\" is none. Other names "
             "are "
             "parameters. They take effect\nbetween two vectors.")
        .def(
            "load_expression", &block::load_expression, without_gil(), "That of samples.")
        .def("store_expression", &block::store_expression, without_gil(), "That of bins.")
        .def("set_parameters",
             &block::set_parameters,
             without_gil(),
             "parameters"_a,
             "A dict of the parameters of the expressions; those not given are 1.")
        .def("parameters", &block::parameters, without_gil(), "What is set of them.");
    python.def("set_window",
               &block::set_window,
               without_gil(),
               "window"_a,
               "True if the window is taken; False, and nothing changes, if its taps are "
               "not "
               "fft_size long.");
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
