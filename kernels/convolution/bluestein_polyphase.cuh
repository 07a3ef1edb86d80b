// SPDX-License-Identifier: GPL-3.0-or-later
//
// Polyphase banks by Bluestein's algorithm: a thread block cluster sums its frames
// together (see stockham_polyphase.cuh).

#ifndef INCLUDED_GPUFFT_KERNELS_BLUESTEIN_BANK_CUH
#define INCLUDED_GPUFFT_KERNELS_BLUESTEIN_BANK_CUH

#include "convolution/bluestein.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Computes  Store(DFT of Load) for frames of N samples.
// Layout    as bluestein_kernel.
// Launch    the same, with a grid that is a multiple of Cluster.
// Requires  the same, Load is a load_bank of taps > 1.
template <class Shape, int N, class Load, class Store, int Cluster>
GPUFFT_CLUSTER_KERNEL(Shape::block_threads, Shape::blocks, Cluster)
bluestein_bank_kernel(transform_arguments arguments)
{
    begin_kernel();
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::frames;
    read_bank_to_cluster<N, Shape::frames, Shape::block_threads, Cluster, Load>(
        arguments, first, shared_memory<complex>(), [](int frame, int m) {
            return frame * Shape::stride + m;
        });
    transform_by_halves<Shape, N, Store>(arguments, first);
}

// Computes  the same by a convolution of M >= 2 N - 1 points.
// Layout    block b takes frames b Frames ... (b + 1) Frames - 1. The grid's first axis
//           reads their samples where they arrive.
// Launch    grid = ceil(frames / Frames) up to a multiple of Cluster, block = Workers *
//           Frames, shared = Stride * Frames complex.
// Requires  as bluestein_whole_kernel, Load is a load_bank of taps > 1.
template <class Shape, int N, class Load, class Store, int Cluster>
GPUFFT_CLUSTER_KERNEL(Shape::block_threads, Shape::blocks, Cluster)
bluestein_whole_bank_kernel(transform_arguments arguments)
{
    begin_kernel();
    constexpr int axis = Shape::template axis_stride<0>();
    const int worker = threadIdx.x / Shape::frames;
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::frames;
    complex* const grid = shared_memory<complex>();
    complex* const work = grid + threadIdx.x % Shape::frames * Shape::stride;
    read_bank_to_cluster<N, Shape::frames, Shape::block_threads, Cluster, Load>(
        arguments, first, grid, [](int frame, int m) {
            return frame * Shape::stride + Shape::template at<0, Shape::axes>(m);
        });
    for_each_butterfly<Shape, 0>(worker, [&](int b) {
        complex points[Shape::template radix<0>()] = {};
        const complex* const own = work + Shape::template first_of<0>(b);
        for_each_own_sample<Shape, N>(b, [&](int k, int m) {
            points[k] = own[k * axis] * load_constant(arguments.chirp + m);
        });
        forward_axis<Shape, 0>(points, work, arguments.twiddles, b);
    });
    convolve_inner_axes<Shape, 1>(
        work, arguments.twiddles, arguments.spectrum, worker, nothing());
    put_whole_bins<Shape, N, Store>(arguments, first, grid, worker);
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
