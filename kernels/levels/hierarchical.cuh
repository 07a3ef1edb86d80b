// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hierarchical FFT of vectors in global memory (Govindaraju et al., SC'08, section
// IV.C), any number of levels. With N = R M, n = M a + b, k = c + R d:
//     X[c + R d] = sum_b exp(-2 pi j b d / M) (exp(-2 pi j b c / N) sum_a x[M a + b]
//                  exp(-2 pi j a c / R))
// The column kernel computes the inner sum over a and its twiddle for a tile of columns
// b. The row kernel (the last level), or the column kernel with M for N, computes the
// outer sums. Between the levels point (c, b) lies at c M + b of the scratch. The
// transposition is fused into the row kernel's store: a tile's rows are neighbours in c.

#ifndef INCLUDED_GPUFFT_KERNELS_HIERARCHICAL_CUH
#define INCLUDED_GPUFFT_KERNELS_HIERARCHICAL_CUH

#include "load_polyphase.cuh"
#include "roots.cuh"
#include "stockham/stockham.cuh"
#include "store.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// The scratch between levels: complex points [frame][point], N per frame. Reads bypass
// the L1 cache, which does not see other multiprocessors' writes. Lines as in load<>.
template <bool Lines>
struct load_scratch_of {
    typedef complex item;
    static constexpr bool in_order = true;

    template <int N>
    static GPUFFT_DEVICE const item* at(const transform_arguments& arguments,
                                        unsigned long long frame,
                                        int m,
                                        int offset = 0)
    {
        return static_cast<const item*>(arguments.input) + frame * N + m + offset;
    }

    template <int N>
    static GPUFFT_DEVICE complex value(const transform_arguments&, int, item sample)
    {
        return sample;
    }

    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m,
                                     int offset = 0)
    {
        const item* point = at<N>(arguments, frame, m, offset);
        return Lines ? load_with_line(point) : load_shared_by_blocks(point);
    }
};

typedef load_scratch_of<false> load_scratch;

struct store_scratch {
    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex value,
                                  int offset = 0)
    {
        (static_cast<complex*>(arguments.output) + frame * N + k)[offset] = value;
    }
};

// A point of a tile that a thread reads or writes: element m of column c, where m = first
// + k step is input or output k of a butterfly, and the i-th of the thread's points.
struct tile_point {
    int m, c, first, k, i;
};

// All passes of a tile: load(point), store(point, X). Columns from `columns` on are
// skipped.
template <class Shape, class Load, class Store>
GPUFFT_DEVICE void
transform_tile(const complex* twiddles, int columns, Load&& load, Store&& store)
{
    constexpr int radix = Shape::passes::template radix<0>();
    constexpr int count = Shape::n / radix; // butterflies of a column
    constexpr int last = Shape::pass_count - 1;
    constexpr int last_count = Shape::n / Shape::passes::template radix<last>();
    const int lane = threadIdx.x;
    complex* shared = shared_memory<complex>();
    complex points[Shape::points()] = {};
    for_each_point<Shape, 0>(lane, [&](int i, int k, int j) {
        const int c = Shape::load_end::is_by_rows ? j / count : j % Shape::columns;
        const int m = Shape::load_end::is_by_rows ? j % count : j / Shape::columns;
        if (c < columns)
            points[i] = load(tile_point{ m + k * count, c, m, k, i });
    });
    transform<Shape>(
        points, shared, twiddles, lane, false, [&](int i, int k, int j, complex value) {
            const int c = j % Shape::columns, m = j / Shape::columns;
            if (c < columns)
                store(tile_point{ m + k * last_count, c, m, k, i }, value);
        });
}

// exp(-2 pi j m b / N) for the points of pass P (the first or the last) of a tile,
// requested in their order; b is the same for all points of a column.
template <class Shape, int N, int P>
class column_roots
{
    static constexpr int radix = Shape::passes::template radix<P>();
    static constexpr int step = Shape::n / radix;
    root_sequence<N, radix> d_roots;

public:
    GPUFFT_DEVICE complex next(tile_point at, int b)
    {
        if (at.k == 0) {
            if (at.i == 0 || Shape::threads % Shape::columns != 0)
                d_roots.set_step(step * b);
            d_roots.set_first(at.first * b);
        }
        return d_roots.next(at.k);
    }
};

// A level object is one tile of a launch: the samples of a frame that it reads, and the
// place of its results. sample(a, c) is element a of column c; the next element is `step`
// samples further. put() takes output k of butterfly j of the last pass, the i-th of the
// thread, in rising order of k. Columns from columns() on are skipped.

// Whether a vector's first point also uses the samples of its last point.
template <class Load, class = void>
constexpr bool reads_from_both_ends = false;

template <class Load>
constexpr bool
    reads_from_both_ends<Load, decltype(static_cast<void>(Load::from_both_ends))> =
        Load::from_both_ends;

// The column level: vectors of N points, Outer of them side by side in a frame, R =
// Shape::n, M = N / R.
template <class Shape, class Load, class Store, int N, int Outer>
class column_level
{
public:
    typedef Shape shape;
    typedef Load load;
    static constexpr int m = N / Shape::n, step = m;
    static constexpr int groups = (m + Shape::columns - 1) / Shape::columns;
    static constexpr int frame_points = N * Outer;
    static constexpr int tiles = Outer * groups; // tiles of a frame

    GPUFFT_DEVICE explicit column_level(int tile)
        : d_first(group(tile % groups) * Shape::columns),
          d_base(tile / groups * N + d_first)
    {
    }

    GPUFFT_DEVICE int columns() const
    {
        return m % Shape::columns == 0 ? Shape::columns : m - d_first;
    }

    GPUFFT_DEVICE int sample(int a, int c) const { return d_base + a * m + c; }

    GPUFFT_DEVICE void put(const transform_arguments& arguments,
                           unsigned long long frame,
                           int i,
                           int k,
                           int j,
                           complex value)
    {
        constexpr int count = Shape::n / Shape::passes::template radix<last>();
        const int c = j % Shape::columns, q = j / Shape::columns;
        if (c >= columns())
            return;
        const complex root =
            d_roots.next(tile_point{ q + k * count, c, q, k, i }, d_first + c);
        Store::template put<frame_points>(
            arguments, frame, d_base + q * m + c, value * root, k * (count * m));
    }

private:
    static constexpr int last = Shape::pass_count - 1;

    // Groups that share samples run close in time, so that the L2 cache has the samples.
    static GPUFFT_DEVICE int group(int number)
    {
        if constexpr (reads_from_both_ends<Load>)
            return number % 2 == 0 ? number / 2 : groups - 1 - number / 2;
        return number;
    }

    const int d_first; // column
    const int d_base;
    column_roots<Shape, N, last> d_roots;
};

// The lengths R0, R1, ... of the levels before the row level.
template <int First, int... Rest>
struct level_list {
    static constexpr int first = First;
    static constexpr int product = (First * ... * Rest);

    // Bin offset of row (c0, c1, ...), c0 slowest: c0 + R0 (c1 + R1 (c2 + ...)). IsWhole:
    // these are all the levels.
    template <bool IsWhole = true>
    static GPUFFT_DEVICE int bin_of_row(int row)
    {
        constexpr int inner = (1 * ... * Rest), length = IsWhole ? 0 : First;
        const int c = digit_of<inner, length>(row);
        if constexpr (sizeof...(Rest) == 0)
            return c;
        else
            return c + First * level_list<Rest...>::template bin_of_row<false>(row);
    }

    static GPUFFT_DEVICE int row_of_bin(int bin)
    {
        if constexpr (sizeof...(Rest) == 0) {
            return bin;
        } else {
            constexpr int inner = (1 * ... * Rest);
            return bin % First * inner + level_list<Rest...>::row_of_bin(bin / First);
        }
    }
};

// The row level: the last length is Shape::n. A tile has rows that are neighbours in c0.
template <class Shape, class Load, class Store, class Levels>
class row_level
{
public:
    typedef Shape shape;
    typedef Load load;
    static constexpr int inner = Levels::product / Levels::first; // rows for each c0
    static constexpr int groups = (Levels::first + Shape::columns - 1) / Shape::columns;
    static constexpr int frame_points = Levels::product * Shape::n;
    static constexpr int step = 1;
    static constexpr int tiles = groups * inner; // tiles of a frame

    GPUFFT_DEVICE explicit row_level(int tile)
        : d_first(tile / inner * Shape::columns),
          d_row(d_first * inner + tile % inner),
          d_bin(Levels::bin_of_row(d_row))
    {
    }

    GPUFFT_DEVICE int columns() const
    {
        return Levels::first % Shape::columns == 0 ? Shape::columns
                                                   : Levels::first - d_first;
    }

    GPUFFT_DEVICE int sample(int a, int c) const
    {
        return d_row * Shape::n + c * (inner * Shape::n) + a;
    }

    GPUFFT_DEVICE void put(const transform_arguments& arguments,
                           unsigned long long frame,
                           int,
                           int k,
                           int j,
                           complex value)
    {
        constexpr int count =
            Shape::n / Shape::passes::template radix<Shape::pass_count - 1>();
        const int c = j % Shape::columns, d = j / Shape::columns;
        if (c < columns())
            Store::template put<frame_points>(arguments,
                                              frame,
                                              d_bin + c + d * Levels::product,
                                              value,
                                              k * (count * Levels::product));
    }

private:
    const int d_first; // c0
    const int d_row;
    const int d_bin;
};

// Calls body(i, m, offset) for every point i of this thread before the first pass, which
// is sample m + offset of the frame, with a constant `offset`.
template <class Level, class Body>
GPUFFT_DEVICE void for_each_sample_of(const Level& level, Body&& body)
{
    typedef typename Level::shape shape;
    constexpr int count = shape::n / shape::passes::template radix<0>(); // of a column
    for_each_point<shape, 0>(threadIdx.x, [&](int i, int k, int j) {
        const int c = shape::load_end::is_by_rows ? j / count : j % shape::columns;
        const int a = shape::load_end::is_by_rows ? j % count : j / shape::columns;
        if (c < level.columns())
            body(i, level.sample(a, c), k * (count * Level::step));
    });
}

// Computes  one level for all frames: see column_level and row_level.
// Layout    block b takes tile b mod tiles of frame floor(b / tiles).
// Launch    grid = frames * Level::tiles, block = Shape::threads, shared =
//           stockham_shape::shared_bytes().
// Requires  input and output do not overlap, or are the same scratch (column level).
template <class Shape, class Level>
GPUFFT_KERNEL(Shape::block_threads, Shape::blocks)
hierarchical_kernel(transform_arguments arguments)
{
    begin_kernel();
    const unsigned long long frame = blockIdx.x / Level::tiles;
    Level level(blockIdx.x % Level::tiles);
    complex points[Shape::points()] = {};
    for_each_sample_of(level, [&](int i, int m, int offset) {
        points[i] =
            Level::load::template get<Level::frame_points>(arguments, frame, m, offset);
    });
    transform<Shape>(points,
                     shared_memory<complex>(),
                     arguments.twiddles,
                     threadIdx.x,
                     false,
                     [&](int i, int k, int j, complex value) {
                         level.put(arguments, frame, i, k, j, value);
                     });
}

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
