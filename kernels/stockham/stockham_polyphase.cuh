// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase banks by the Stockham FFT. A thread block cluster sums its frames together:
// each block sums its part of the points of all frames, and hands each point to the block
// that transforms the frame. So one read of a sample from the L2 cache serves more frames
// than fit one block.

#ifndef INCLUDED_GPUFFT_KERNELS_STOCKHAM_BANK_CUH
#define INCLUDED_GPUFFT_KERNELS_STOCKHAM_BANK_CUH

#include "stockham/stockham.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Computes  for every frame f: Store(sum_m Load(f, m) exp(-2 pi j m k / N)).
// Layout    block b takes the frames b Transforms ... (b+1) Transforms - 1.
// Launch    grid = ceil(frames / Transforms) up to a multiple of Cluster, block = Threads
//           * Transforms, shared = stockham_shape::shared_bytes().
// Requires  Load is a load_bank of taps > 1, the load is staged, input and output do not
//           overlap.
template <class Shape, class Load, class Store, int Cluster>
GPUFFT_CLUSTER_KERNEL(Shape::block_threads, Shape::blocks, Cluster)
stockham_bank_kernel(transform_arguments arguments)
{
    begin_kernel();
    typedef typename Shape::load_end::pad pad;
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::transforms;
    complex points[Shape::points()] = {};
    read_bank_to_cluster<Shape::n,
                         Shape::transforms,
                         Shape::block_threads,
                         Cluster,
                         Load>(
        arguments, first, shared_memory<complex>(), [](int slot, int m) {
            return slot * Shape::stride + pad::at(m);
        });
    take_staged<Shape>(points);
    transform_frames<Shape, Store>(arguments, first, points, true);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
