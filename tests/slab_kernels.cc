// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernels of slabs in single precision, for the host engine.

#include "host/host_kernels.h"
#include "slabs/slabs.cuh"

namespace gr {
namespace gpufft {

using namespace kernels;

static const bool added_slab_kernels =
    add_host_kernel("slab_twiddles_kernel<256>", kernels::slab_twiddles_kernel<256>) &&
    add_host_kernel("slab_pairs_kernel<true, 256>",
                    kernels::slab_pairs_kernel<true, 256>) &&
    add_host_kernel("slab_pairs_kernel<false, 256>",
                    kernels::slab_pairs_kernel<false, 256>);

} // namespace gpufft
} // namespace gr
