// SPDX-License-Identifier: GPL-3.0-or-later
//
// Python classes dct_vff and dst_vff.

#include "block_bindings.h"
#include <gnuradio/gpufft/dct_vff.h>
#include <gnuradio/gpufft/dst_vff.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* DCT_DOC =
    R"(DCT of vectors of N floats, as scipy.fft.dct and scipy.fft.idct.

type 1  x[0] + (-1)^k x[N-1] + 2 sum_{0<m<N-1} x[m] cos(pi m k / (N-1)), N >= 2
type 2  2 sum_m x[m] cos(pi (2m+1) k / (2N))
type 3  x[0] + 2 sum_{m>0} x[m] cos(pi m (2k+1) / (2N))
type 4  2 sum_m x[m] cos(pi (2m+1) (2k+1) / (4N))

Types 2 and 3 are each other's inverse; types 1 and 4 are their own. With norm "none"
neither direction is scaled: inverse(forward(x)) = 2N x (type 1: 2(N-1) x). With "ortho"
the matrix is orthogonal: inverse(forward(x)) = x.

Args:
    size: N, 1 ... 2**30; type 1 needs at least 2
    type: 1 ... 4
    inverse: the inverse transform of that type
    norm: "none" or "ortho"
    nthreads: threads of the cpu engine, 1 ... 1024
    @engine
    @formats
    vlen: None or size for vector ports; 1 for plain streams, which the block cuts into
        frames itself. A tag then moves to the first item of its frame's row.

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

constexpr const char* DST_DOC =
    R"(DST of vectors of N floats, as scipy.fft.dst and scipy.fft.idst.

type 1  2 sum_m x[m] sin(pi (m+1) (k+1) / (N+1))
type 2  2 sum_m x[m] sin(pi (2m+1) (k+1) / (2N))
type 3  (-1)^k x[N-1] + 2 sum_{m<N-1} x[m] sin(pi (m+1) (2k+1) / (2N))
type 4  2 sum_m x[m] sin(pi (2m+1) (2k+1) / (4N))

Types 2 and 3 are each other's inverse; types 1 and 4 are their own. With norm "none"
neither direction is scaled: inverse(forward(x)) = 2N x (type 1: 2(N+1) x). With "ortho"
the matrix is orthogonal: inverse(forward(x)) = x.

Args:
    size: N, 1 ... 2**30
    type: 1 ... 4
    inverse: the inverse transform of that type
    norm: "none" or "ortho"
    nthreads: threads of the cpu engine, 1 ... 1024
    @engine
    @formats
    vlen: None or size for vector ports; 1 for plain streams, which the block cuts into
        frames itself. A tag then moves to the first item of its frame's row.

Raises:
    ValueError: a value out of range
    RuntimeError: device trouble
)";

template <class block>
void bind_one_dct(py::module& module, const char* name, const char* doc)
{
    python_block<block> python(module, name, described(doc).c_str());
    bind_transform(python,
                   &block::make,
                   "size",
                   "size"_a,
                   "type"_a = 2,
                   "inverse"_a = false,
                   "norm"_a = "none");
}

} // namespace

void bind_dct(py::module& module)
{
    bind_one_dct<dct_vff>(module, "dct_vff", DCT_DOC);
    bind_one_dct<dst_vff>(module, "dst_vff", DST_DOC);
}

} // namespace gpufft
} // namespace gr
