// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python class fft2d_vcc.

#include "block_bindings.h"
#include <gnuradio/gpufft/fft2d_vcc.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* FFT2D_DOC =
    R"(Two-dimensional FFT of matrices, vectors of rows * cols items in C order.

With R rows and C columns:
forward:  X[k][l] = sum_m sum_n w[m][n] x[m][n] exp(-j 2 pi (m k / R + n l / C)); shift
    moves DC to row floor(R/2), column floor(C/2)
inverse:  y = w x; shift: from there to row 0, column 0; then exp(+j ...)

Neither is scaled: inverse(forward(x)) = R C x.

Args:
    rows, cols: R and C, together 1 ... 2**30 points
    forward: the forward transform, else the inverse
    window: R C taps in C order; or a name such as "hann", a type such as
        fft.window.WIN_HANN or ("kaiser", 8.6), for the product of two such windows, along the
        columns and along the rows; or [] or None for none
    shift: DC in the middle, of the output (forward) or the input (inverse)
    nthreads: threads of the cpu engine, 1 ... 1024
    @engine
    @formats
    vlen: None or rows * cols for vector ports; 1 for plain streams, which the block cuts into
        frames itself. A tag then moves to the first item of its frame's row.

Raises:
    ValueError: a value out of range or a window that does not fit
    RuntimeError: device trouble
)";

} // namespace

void bind_fft2d(py::module& module)
{
    typedef fft2d_vcc block;
    python_block<block> python(module, "fft2d_vcc", described(FFT2D_DOC).c_str());
    bind_transform(python,
                   &block::make,
                   "rows * cols",
                   "rows"_a,
                   "cols"_a,
                   "forward"_a,
                   "window"_a = py::none(),
                   "shift"_a = false);
    python.def("set_window",
               &block::set_window,
               without_gil(),
               "window"_a,
               "Another window: rows * cols taps, a name, a type, or none.");
}

} // namespace gpufft
} // namespace gr
