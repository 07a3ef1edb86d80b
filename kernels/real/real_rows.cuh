// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of real numbers in memory, as real transforms read and write them: format, window,
// shift, and what makes a DST of a DCT and an orthogonal transform of a plain one:
//     DST-II(x)[k]  = DCT-II((-1)^m x[m])[n-1-k]
//     DST-III(x)[k] = (-1)^k DCT-III(x[n-1-m])[k], and so DST-IV of DCT-IV

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_ROWS_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_ROWS_CUH

#include "numbers.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Formats of one real number, by the problem's names.
typedef number_working real_f32, real_f64;
typedef number_f16 real_f16;
typedef number_s16 real_s16;
typedef number_s8 real_s8;

// Where number i lies in a row, and its sign.
enum class row_order {
    plain,
    reversed,   // number n-1-i
    alternating // times (-1)^i
};

// Numbers that an orthogonal transform multiplies by sqrt(2) when it reads them, or
// divides by it when it stores them.
enum class row_ends { plain, first, both };

template <int N, row_order Order>
GPUFFT_DEVICE int place_in_row(int i)
{
    return Order == row_order::reversed ? N - 1 - i : i;
}

template <int N, row_order Order, row_ends Ends>
GPUFFT_DEVICE real weighed(int i, real x, real weight)
{
    if (Order == row_order::alternating && i % 2 != 0)
        x = -x;
    if ((Ends != row_ends::plain && i == 0) || (Ends == row_ends::both && i == N - 1))
        x *= weight;
    return x;
}

// Count neighbouring numbers, moved at once.
template <class Item, int Count>
struct alignas(sizeof(Item) * Count) numbers {
    Item x[Count];
};

// Whether all rows that begin `distance` bytes apart begin at a multiple of `bytes`.
GPUFFT_DEVICE bool
is_aligned(const void* first, unsigned long long distance, unsigned long long bytes)
{
    return ((reinterpret_cast<unsigned long long>(first) | distance) & (bytes - 1)) == 0;
}

// The numbers x[i] of a row of N in the input: row f begins at sample f hop.
template <int N,
          class Format,
          bool Windowed,
          bool Shifted,
          row_order Order,
          row_ends Ends>
struct real_input {
    typedef typename Format::item item;
    static constexpr int n = N, row_items = N;
    static constexpr bool is_shifted = Shifted;
    static constexpr bool is_windowed = Windowed;

    // x[first] ... x[first + Count - 1]; `first` and N are multiples of Count.
    template <int Count>
    static GPUFFT_DEVICE void read(const transform_arguments& arguments,
                                   unsigned long long row,
                                   int first,
                                   real (&x)[Count])
    {
        const int at = shifted_at<N, Shifted>(first);
        read_at(arguments, cursor(arguments, row, at), 0, first, x);
    }

    // The same for number `first`, which lies `offset` numbers after `from`.
    template <int Count>
    static GPUFFT_DEVICE void read_at(const transform_arguments& arguments,
                                      const item* from,
                                      int offset,
                                      int first,
                                      real (&x)[Count])
    {
        static_assert(Count == 1 || !Shifted, "shifted rows are read one by one");
        static_assert(N % Count == 0, "whole groups of numbers");
        typedef numbers<item, Count> group;
        constexpr bool backwards = Order == row_order::reversed;
        constexpr int behind = backwards ? Count - 1 : 0;
        const item* const lowest = from + ((backwards ? -offset : offset) - behind);
        group samples;
        if (Count == 1 ||
            is_aligned(arguments.input, arguments.hop * sizeof(item), sizeof(group)))
            samples = *reinterpret_cast<const group*>(lowest);
        else
#pragma unroll
            for (int i = 0; i < Count; ++i)
                samples.x[i] = lowest[i];
        values(arguments, first, samples, x);
    }

    // The same from items as stored in memory.
    template <int Count>
    static GPUFFT_DEVICE void values(const transform_arguments& arguments,
                                     int first,
                                     const numbers<item, Count>& samples,
                                     real (&x)[Count])
    {
        constexpr bool backwards = Order == row_order::reversed;
        const int at = place_in_row<N, Order>(shifted_at<N, Shifted>(first));
        const int lowest = backwards ? at - (Count - 1) : at;
#pragma unroll
        for (int i = 0; i < Count; ++i) {
            const int j = backwards ? Count - 1 - i : i;
            real value = Format::value(samples.x[j]);
            if constexpr (Windowed)
                value *= load_constant(arguments.window + lowest + j);
            x[i] =
                weighed<N, Order, Ends>(first + i, value, real(1.41421356237309504880));
        }
    }

    static GPUFFT_DEVICE real get(const transform_arguments& arguments,
                                  unsigned long long row,
                                  int i)
    {
        return get(arguments,
                   static_cast<const item*>(arguments.input) + row * arguments.hop,
                   i);
    }

    // From the row at `row`.
    static GPUFFT_DEVICE real get(const transform_arguments& arguments,
                                  const item* row,
                                  int i)
    {
        const int at = place_in_row<N, Order>(shifted_at<N, Shifted>(i));
        real value = Format::value(row[at]);
        if constexpr (Windowed)
            value *= load_constant(arguments.window + at);
        return weighed<N, Order, Ends>(i, value, real(1.41421356237309504880));
    }

    // The address of number i, and access to number `i`, which lies `offset` numbers
    // further on: a constant offset costs no instruction.
    static GPUFFT_DEVICE const item*
    cursor(const transform_arguments& arguments, unsigned long long row, int i)
    {
        return static_cast<const item*>(arguments.input) + row * arguments.hop +
               place_in_row<N, Order>(i);
    }

    static GPUFFT_DEVICE real get_at(const transform_arguments& arguments,
                                     const item* from,
                                     int offset,
                                     int i)
    {
        static_assert(!Shifted, "shifted rows are read one by one");
        real value = Format::value(from[Order == row_order::reversed ? -offset : offset]);
        if constexpr (Windowed)
            value *= load_constant(arguments.window + place_in_row<N, Order>(i));
        return weighed<N, Order, Ends>(i, value, real(1.41421356237309504880));
    }
};

// The same of packed integers of Bits bits, the highest bits first: a row begins with a
// byte, because hops are whole items.
template <int N, int Bits, bool Windowed, bool Shifted>
struct packed_input {
    struct item { // a number is no whole bytes
    };
    static constexpr int n = N, row_items = N;
    static constexpr bool is_shifted = Shifted, is_windowed = Windowed;

    struct place {
        const unsigned char* row;
        int number;
    };

    static GPUFFT_DEVICE place cursor(const transform_arguments& arguments,
                                      unsigned long long row,
                                      int i)
    {
        return { static_cast<const unsigned char*>(arguments.input) +
                     row * (arguments.hop * Bits / 8),
                 i };
    }

    // x[first] ... x[first + Count - 1]; `first` and N are multiples of Count.
    template <int Count>
    static GPUFFT_DEVICE void read(const transform_arguments& arguments,
                                   unsigned long long row,
                                   int first,
                                   real (&x)[Count])
    {
        const int at = shifted_at<N, Shifted>(first);
        read_at(arguments, cursor(arguments, row, at), 0, at, x);
    }

    // The same for number `at`, which lies `offset` numbers after `from`.
    template <int Count>
    static GPUFFT_DEVICE void read_at(const transform_arguments& arguments,
                                      const place& from,
                                      int offset,
                                      int at,
                                      real (&x)[Count])
    {
        static_assert(Count == 1 || !Shifted, "shifted numbers are read one by one");
        const int bit = (from.number + offset) * Bits;
        const unsigned together = packed_bits<Count>(from.row + bit / 8, bit % 8);
#pragma unroll
        for (int i = 0; i < Count; ++i) {
            x[i] = packed_value<Bits>(together, i);
            if constexpr (Windowed)
                x[i] *= load_constant(arguments.window + at + i);
        }
    }

    static GPUFFT_DEVICE real get(const transform_arguments& arguments,
                                  unsigned long long row,
                                  int i)
    {
        real x[1];
        read(arguments, row, i, x);
        return x[0];
    }
};

// The numbers y[k] of a row of N in the output: rows lie one after the other. With
// Shifted (fftshift) y[k] goes to (k + floor(N/2)) mod N.
template <int N, class Format, bool Shifted, row_order Order, row_ends Ends>
struct real_output {
    typedef typename Format::item item;
    static constexpr int n = N, row_items = N;
    static constexpr bool is_shifted = Shifted;

    // y[first] ... y[first + Count - 1]; `first` and N are multiples of Count.
    template <int Count>
    static GPUFFT_DEVICE void write(const transform_arguments& arguments,
                                    unsigned long long row,
                                    int first,
                                    const real (&y)[Count])
    {
        write_at(arguments, cursor(arguments, row, first), 0, first, y);
    }

    // The same for number `first`, which lies `offset` numbers after `to`.
    template <int Count>
    static GPUFFT_DEVICE void write_at(const transform_arguments& arguments,
                                       item* to,
                                       int offset,
                                       int first,
                                       const real (&y)[Count])
    {
        static_assert(!Shifted, "shifted rows are written one by one");
        static_assert(N % Count == 0, "whole groups of numbers");
        typedef numbers<item, Count> group;
        constexpr bool backwards = Order == row_order::reversed;
        group bins;
#pragma unroll
        for (int i = 0; i < Count; ++i)
            bins.x[backwards ? Count - 1 - i : i] = stored(arguments, first + i, y[i]);
        item* const lowest = to + (backwards ? -offset - (Count - 1) : offset);
        if (is_aligned(arguments.output, N * sizeof(item), sizeof(group)))
            *reinterpret_cast<group*>(lowest) = bins;
        else
#pragma unroll
            for (int i = 0; i < Count; ++i)
                lowest[i] = bins.x[i];
    }

    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long row, int k, real y)
    {
        *cursor(arguments, row, shifted_at<N, Shifted>(k)) = stored(arguments, k, y);
    }

    // Into the row at `row`.
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, item* row, int k, real y)
    {
        row[place_in_row<N, Order>(shifted_at<N, Shifted>(k))] = stored(arguments, k, y);
    }

    // The address of number k, and access to number `k`, which lies `offset` numbers
    // further on.
    static GPUFFT_DEVICE item*
    cursor(const transform_arguments& arguments, unsigned long long row, int k)
    {
        return static_cast<item*>(arguments.output) + row * N + place_in_row<N, Order>(k);
    }

    static GPUFFT_DEVICE void
    put_at(const transform_arguments& arguments, item* to, int offset, int k, real y)
    {
        static_assert(!Shifted, "shifted rows are written one by one");
        to[Order == row_order::reversed ? -offset : offset] = stored(arguments, k, y);
    }

private:
    static GPUFFT_DEVICE item stored(const transform_arguments& arguments, int k, real y)
    {
        const real value = weighed<N, Order, Ends>(k, y, real(0.70710678118654752440));
        return Format::stored(value * scale_of(arguments));
    }
};

// The bins X[0] ... X[N/2] of a row, as r2c stores them and c2r reads them.
template <int N, class Kind>
struct half_output {
    typedef typename Kind::item item;
    static constexpr int n = N, row_items = N / 2 + 1;

    static GPUFFT_DEVICE item*
    cursor(const transform_arguments& arguments, unsigned long long row, int k)
    {
        return static_cast<item*>(arguments.output) + row * (N / 2 + 1) + k;
    }

    static GPUFFT_DEVICE void
    put_at(const transform_arguments& arguments, item* to, int offset, complex x)
    {
        to[offset] = Kind::value(x, scale_of(arguments));
    }

    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long row, int k, complex x)
    {
        put_at(arguments, cursor(arguments, row, k), 0, x);
    }

    // Into the row at `row`.
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, item* row, int k, complex x)
    {
        put_at(arguments, row, k, x);
    }
};

template <int N, class Format, bool Windowed>
struct half_input {
    typedef typename Format::item item;
    static constexpr int n = N, row_items = N / 2 + 1;

    static GPUFFT_DEVICE const item*
    cursor(const transform_arguments& arguments, unsigned long long row, int k)
    {
        return static_cast<const item*>(arguments.input) + row * arguments.hop + k;
    }

    // X[k], which lies `offset` bins after `from`. IsInner: k is neither 0 nor N/2.
    template <bool IsInner>
    static GPUFFT_DEVICE complex
    get_at(const transform_arguments& arguments, const item* from, int offset, int k)
    {
        complex x = Format::convert(from[offset]);
        if constexpr (Windowed)
            x = x * load_constant(arguments.window + k);
        if (!IsInner && (k == 0 || 2 * k == N))
            x.im = 0; // a real row has no imaginary part there
        return x;
    }

    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long row,
                                     int k)
    {
        return get_at<false>(arguments, cursor(arguments, row, k), 0, k);
    }

    // From the row at `row`.
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     const item* row,
                                     int k)
    {
        return get_at<false>(arguments, row + k, 0, k);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
