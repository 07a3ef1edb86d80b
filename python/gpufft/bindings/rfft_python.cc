// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes rfft_vfc and irfft_vcf.

#include "block_bindings.h"
#include <gnuradio/gpufft/irfft_vcf.h>
#include <gnuradio/gpufft/rfft_vfc.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* RFFT_DOC =
    R"(FFT of vectors of N floats to their bins 0 ... floor(N/2), as numpy.fft.rfft.

X[k] = sum_m w[m] x[m] exp(-j 2 pi m k / N), unscaled: irfft_vcf after it gives N x.

Args:
    fft_size: N, 1 ... 2**30
    window: N taps, a name such as "hann", a type such as fft.window.WIN_HANN,
        ("kaiser", 8.6), or [] or None for none
    nthreads: threads of the cpu engine, 1 ... 1024
    @engine
    @formats
    vlen: None or fft_size for vector ports; 1 for plain streams, which the block cuts into
        frames itself. A tag then moves to the first item of its frame's row.

Raises:
    ValueError: a value out of range or a window that does not fit
    RuntimeError: device trouble
)";

constexpr const char* IRFFT_DOC =
    R"(Inverse FFT of the bins 0 ... floor(N/2) of a real signal to its N floats.

x[m] = sum_k w[k] X[k] exp(+j 2 pi m k / N) with X[N-k] = conj(X[k]), unscaled: N times
numpy.fft.irfft. Imaginary parts of bin 0 and, for even N, of bin N/2 are ignored.

Args:
    fft_size: N, 1 ... 2**30
    window: weights of the floor(N/2) + 1 bins, or [] or None for none
    nthreads: threads of the cpu engine, 1 ... 1024
    @engine
    @formats
    vlen: None or fft_size for vector ports; 1 for plain streams, which the block cuts into
        frames itself. A tag then moves to the first item of its frame's row.

Raises:
    ValueError: a value out of range or a window that does not fit
    RuntimeError: device trouble
)";

template <class block>
void bind_one_rfft(py::module& module,
                   const char* name,
                   const char* doc,
                   const char* window_doc)
{
    python_block<block> python(module, name, described(doc).c_str());
    bind_transform(
        python, &block::make, "fft_size", "fft_size"_a, "window"_a = py::none());
    python.def("set_window", &block::set_window, without_gil(), "window"_a, window_doc);
}

} // namespace

void bind_rfft(py::module& module)
{
    bind_one_rfft<rfft_vfc>(
        module, "rfft_vfc", RFFT_DOC, "Another window of fft_size taps.");
    bind_one_rfft<irfft_vcf>(
        module, "irfft_vcf", IRFFT_DOC, "Other weights of the fft_size // 2 + 1 bins.");
}

} // namespace gpufft
} // namespace gr
