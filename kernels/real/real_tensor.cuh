// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real transforms of several axes in one pass over memory, by a complex transform of
// whole frames in shared memory (axes/tensor.cuh). A bar mirrors an index, modulo the
// length of its axis; k is the index of the last axis, which has N numbers, and r stands
// for those of the others.
//     N even   frames of L = N/2 points a row, z[r, m] = x[r, 2m] + j x[r, 2m+1]
//     r2c      X[r, k] = (Z[r, k] + Z*[-r, L-k]) / 2
//                        - j exp(-2 pi j k / N) (Z[r, k] - Z*[-r, L-k]) / 2
//     c2r      Z[r, k] = X[r, k] + X*[-r, L-k]
//                        + j exp(2 pi j k / N) (X[r, k] - X*[-r, L-k])
//     N odd    frames 2v and 2v+1 are the real and the imaginary parts of vector v
//     r2c      (Z[r, k] + Z*[-r, -k]) / 2 and -j (Z[r, k] - Z*[-r, -k]) / 2
//     c2r      Z[r, k] = X[r, k] + j Y[r, k], X[r, k] = X*[-r, -k] for k > N/2
// In c2r the stored bins of k = 0 and k = N/2 need not be those of a real frame: only the
// part (X[r, k] + X*[-r, k]) / 2 counts, as in row-column order.

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_TENSOR_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_TENSOR_CUH

#include "axes/tensor.cuh"
#include "real/real_ends.cuh"
#include "real/real_two_rows.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The number of row -r: every index of row r, modulo its length, with the other sign.
// IsWhole: these are all axes but the last, else the last ones of them.
template <bool IsWhole, int First, int... Rest>
GPUFFT_DEVICE int mirrored_row(int row)
{
    constexpr int inner = (1 * ... * Rest);
    constexpr int length = IsWhole ? 0 : First;
    const int index = digit_of<inner, length>(static_cast<unsigned>(row));
    const int mirrored = index == 0 ? 0 : First - index;
    if constexpr (sizeof...(Rest) > 0)
        return mirrored * inner + mirrored_row<false, Rest...>(row);
    else
        return mirrored;
}

// The place of an element in rows of Length elements, and the number of its mirrored row.
template <int Length, int... Outer>
struct place_in_frame {
    static constexpr int rows = (1 * ... * Outer), size = rows * Length;
    int row, opposite, k;

    GPUFFT_DEVICE explicit place_in_frame(int element)
        : row(static_cast<unsigned>(element) / Length),
          opposite(mirrored_row<true, Outer...>(row)),
          k(static_cast<unsigned>(element) % Length)
    {
    }
};

// The stored bins of a frame.
template <class Half>
struct half_frames {
    static constexpr int row_bins = Half::n / 2 + 1;

    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int row,
                                     int k)
    {
        const int at = row * row_bins + k;
        return Half::template get_at<true>(
            arguments, Half::cursor(arguments, frame, at), 0, at);
    }

    // The part of bin k = 0 or N/2 that counts: `bin`, and the one in the mirrored row.
    static GPUFFT_DEVICE complex hermitian(complex bin, complex mirrored)
    {
        return (bin + conjugate(mirrored)) * real(0.5);
    }
};

// Points of c2r, N even.
template <class Half, class Roots, int... Outer>
struct pack_axes {
    typedef place_in_frame<Half::n / 2, Outer...> place;
    typedef half_frames<Half> bins;
    static constexpr int points = place::size;
    static constexpr bool has_pairs = false;

    static GPUFFT_DEVICE complex point(const transform_arguments& arguments,
                                       unsigned long long frame,
                                       int m)
    {
        constexpr int half = Half::n / 2;
        const place at(m);
        complex x = bins::get(arguments, frame, at.row, at.k);
        complex mirrored = bins::get(arguments, frame, at.opposite, half - at.k);
        if (at.k == 0) {
            x = bins::hermitian(x, bins::get(arguments, frame, at.opposite, 0));
            mirrored =
                bins::hermitian(mirrored, bins::get(arguments, frame, at.row, half));
        }
        return packed_bins(x, mirrored, Roots::template split<Half::n>(arguments, at.k))
            .low;
    }
};

// All bins of a frame from those that are stored: c2r, N odd.
template <class Half, int... Outer>
struct mirrored_axes {
    typedef typename Half::item item;
    typedef place_in_frame<Half::n, Outer...> place;
    typedef half_frames<Half> bins;
    static constexpr int n = place::size, row_items = place::rows * bins::row_bins;
    static constexpr bool is_hermitian = false;

    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m)
    {
        const place at(m);
        const bool is_low = 2 * at.k < Half::n;
        const complex x = bins::get(arguments,
                                    frame,
                                    is_low ? at.row : at.opposite,
                                    is_low ? at.k : Half::n - at.k);
        if (at.k == 0)
            return bins::hermitian(x, bins::get(arguments, frame, at.opposite, 0));
        return is_low ? x : conjugate(x);
    }
};

// Stored bins of r2c, N even: item i is bin i of the frame.
template <class Half, class Roots, int... Outer>
struct split_axes {
    typedef place_in_frame<Half::n / 2 + 1, Outer...> place;
    static constexpr int items = place::size, points = place::rows * (Half::n / 2);

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int item,
                                  Read&& read)
    {
        constexpr int half = Half::n / 2;
        const place at(item);
        const bool is_inner = at.k > 0 && at.k < half;
        const complex z = read(at.row * half + (at.k < half ? at.k : 0));
        const complex mirrored = read(at.opposite * half + (is_inner ? half - at.k : 0));
        const split_bins x(z, mirrored, Roots::template split<Half::n>(arguments, at.k));
        Half::put_at(arguments,
                     Half::cursor(arguments, frame * place::rows, item),
                     0,
                     x.low * real(0.5));
    }
};

// Stored bins of r2c, N odd: item i is bin i of both frames.
template <class Half, int Frames, int... Outer>
struct split_two_axes {
    typedef place_in_frame<Half::n / 2 + 1, Outer...> place;
    typedef split_two<Half, Frames> split;
    static constexpr int items = place::size, points = place::rows * Half::n;

    template <class Read>
    static GPUFFT_DEVICE void run(const transform_arguments& arguments,
                                  unsigned long long vector,
                                  int item,
                                  Read&& read)
    {
        const place at(item);
        const complex z = read(at.row * Half::n + at.k);
        const complex mirrored =
            conjugate(read(at.opposite * Half::n + (at.k == 0 ? 0 : Half::n - at.k)));
        const auto put = [&](unsigned long long frame, complex x) {
            Half::put_at(
                arguments, Half::cursor(arguments, frame * place::rows, item), 0, x);
        };
        put(Frames * vector, split::first(z, mirrored));
        if (has_second<Frames>(arguments, vector))
            put(2 * vector + 1, split::second(z, mirrored));
    }
};

// Computes  r2c: for every vector v (a frame, or two of odd N) Split(DFT(Pack(v))).
// Layout    block b takes the vectors b Transforms ... (b+1) Transforms - 1. Bins go
//           through shared memory, in the order of the frame; StoreEnd is staged<>.
// Launch    grid = ceil(vectors / Transforms), block = Threads * Transforms, shared =
//           stockham_shape::shared_bytes().
// Requires  input and output do not overlap, or rows are stored where they are read.
template <class Shape, class Pack, class Split, class StoreEnd>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
real_tensor_kernel(transform_arguments arguments)
{
    begin_kernel();
    static_assert(Pack::points == Shape::n && Split::points == Shape::n, "one frame");
    typedef typename StoreEnd::pad pad;
    constexpr int last = Shape::pass_count - 1;
    constexpr int span = Shape::template span<last>();
    constexpr int row = span * Shape::passes::template radix<last>();
    const unsigned long long first = blockIdx.x * (unsigned long long)Shape::transforms;
    const int lane = threadIdx.x % Shape::threads;
    const int slot = threadIdx.x / Shape::threads;
    complex* const block_shared = shared_memory<complex>();
    complex* const shared = block_shared + slot * Shape::stride;

    complex points[Shape::points()] = {}, results[Shape::results()];
    if (first + slot < arguments.frames)
        for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
            points[i] = Pack::point(arguments,
                                    first + slot,
                                    Shape::template first_input<0>(j) +
                                        k * Shape::template count<0>());
        });
    transform<Shape>(points,
                     shared,
                     arguments.twiddles,
                     lane,
                     false,
                     [&](int i, int, int, complex value) { results[i] = value; });
    if (last > 0)
        synchronize<Shape>();
    for_each_point<Shape, last>(lane, [&](int i, int k, int j) {
        shared[pad::template of_output<span, row>(j, k)] = results[i];
    });
    synchronize<Shape>();
    for_each_item<Shape, Split::items>(first, arguments.frames, [&](int own, int item) {
        const complex* area = block_shared + own * Shape::stride;
        Split::run(arguments, first + own, item, [&](int k) { return area[pad::at(k)]; });
    });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
