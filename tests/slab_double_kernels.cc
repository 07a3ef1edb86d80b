// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels of slabs in double precision, for the host engine, in a namespace of their
// own: the same names mean other types there.

#include "host/host_kernels.h"
#define GPUFFT_DOUBLE
#define kernels double_kernels
#include "slabs/slabs.cuh"

namespace gr {
namespace gpufft {

using namespace kernels;

static const bool added_slab_kernels =
    add_host_kernel("slab_twiddles_kernel<256>",
                    kernels::slab_twiddles_kernel<256>,
                    true) &&
    add_host_kernel("slab_pairs_kernel<true, 256>",
                    kernels::slab_pairs_kernel<true, 256>,
                    true) &&
    add_host_kernel("slab_pairs_kernel<false, 256>",
                    kernels::slab_pairs_kernel<false, 256>,
                    true);

} // namespace gpufft
} // namespace gr
