// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of real numbers in memory, as the real transforms read and write them: format,
// window, shift, and what makes a DST of a DCT and an orthogonal one of a plain one:
//     DST-II(x)[k]  = DCT-II((-1)^m x[m])[n-1-k]
//     DST-III(x)[k] = (-1)^k DCT-III(x[n-1-m])[k], and so DST-IV of DCT-IV

#ifndef INCLUDED_GPUFFT_KERNELS_REAL_ROWS_CUH
#define INCLUDED_GPUFFT_KERNELS_REAL_ROWS_CUH

#include "complex.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Formats of one real number: its type in memory, its value from and to.
struct real_f32 {
    typedef float item;
    static GPUFFT_DEVICE real value(item x) { return x; }
    static GPUFFT_DEVICE item stored(real x) { return x; }
};

struct real_f64 {
    typedef double item;
    static GPUFFT_DEVICE real value(item x) { return x; }
    static GPUFFT_DEVICE item stored(real x) { return x; }
};

struct real_s16 {
    typedef short item;
    static GPUFFT_DEVICE real value(item x) { return x * real(1.0 / 32768.0); }
};

struct real_s8 {
    typedef signed char item;
    static GPUFFT_DEVICE real value(item x) { return x * real(1.0 / 128.0); }
};

// Which of a row's numbers is number i, and its sign.
enum class row_order {
    plain,
    reversed,   // number n-1-i
    alternating // (-1)^i times it
};

// Numbers that an orthogonal transform weighs by sqrt(2), or by its inverse where they
// are stored.
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

// Count numbers side by side, moved at once where their address allows it.
template <class Item, int Count>
struct alignas(sizeof(Item) * Count) numbers {
    Item x[Count];
};

template <class Item, int Count>
GPUFFT_DEVICE numbers<Item, Count> load_numbers(const Item* from)
{
    typedef numbers<Item, Count> all;
    if (reinterpret_cast<unsigned long long>(from) % sizeof(all) == 0)
        return *reinterpret_cast<const all*>(from);
    all values;
#pragma unroll
    for (int i = 0; i < Count; ++i)
        values.x[i] = from[i];
    return values;
}

template <class Item, int Count>
GPUFFT_DEVICE void store_numbers(Item* to, const numbers<Item, Count>& values)
{
    typedef numbers<Item, Count> all;
    if (reinterpret_cast<unsigned long long>(to) % sizeof(all) == 0) {
        *reinterpret_cast<all*>(to) = values;
        return;
    }
#pragma unroll
    for (int i = 0; i < Count; ++i)
        to[i] = values.x[i];
}

// The numbers x[i] of a row of N that is read: row f begins at sample f hop.
template <int N,
          class Format,
          bool Windowed,
          bool Shifted,
          row_order Order,
          row_ends Ends>
struct real_input {
    typedef typename Format::item item;
    static constexpr int n = N;
    static constexpr bool is_shifted = Shifted;

    // x[first] ... x[first + Count - 1]
    template <int Count>
    static GPUFFT_DEVICE void read(const transform_arguments& arguments,
                                   unsigned long long row,
                                   int first,
                                   real (&x)[Count])
    {
        static_assert(Count == 1 || !Shifted, "shifted rows are read one by one");
        const item* from =
            static_cast<const item*>(arguments.input) + row * arguments.hop;
        int at = place_in_row<N, Order>(first);
        if constexpr (Shifted)
            at = first < N - N / 2 ? first + N / 2 : first - (N - N / 2);
        constexpr bool backwards = Order == row_order::reversed;
        const int lowest = backwards ? at - (Count - 1) : at;
        const numbers<item, Count> samples = load_numbers<item, Count>(from + lowest);
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
        real x[1];
        read(arguments, row, i, x);
        return x[0];
    }
};

// The numbers y[k] of a row of N that is written: rows lie one after the other. With
// Shifted (fftshift) y[k] goes to (k + floor(N/2)) mod N.
template <int N, class Format, bool Shifted, row_order Order, row_ends Ends>
struct real_output {
    typedef typename Format::item item;
    static constexpr int n = N;
    static constexpr bool is_shifted = Shifted;

    // y[first] ... y[first + Count - 1]
    template <int Count>
    static GPUFFT_DEVICE void write(const transform_arguments& arguments,
                                    unsigned long long row,
                                    int first,
                                    const real (&y)[Count])
    {
        static_assert(Count == 1 || !Shifted, "shifted rows are written one by one");
        item* to = static_cast<item*>(arguments.output) + row * N;
        int at = place_in_row<N, Order>(first);
        if constexpr (Shifted)
            at = first < N - N / 2 ? first + N / 2 : first - (N - N / 2);
        constexpr bool backwards = Order == row_order::reversed;
        numbers<item, Count> bins;
#pragma unroll
        for (int i = 0; i < Count; ++i) {
            const real value =
                weighed<N, Order, Ends>(first + i, y[i], real(0.70710678118654752440));
            bins.x[backwards ? Count - 1 - i : i] =
                Format::stored(value * scale_of(arguments));
        }
        store_numbers<item, Count>(to + (backwards ? at - (Count - 1) : at), bins);
    }

    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long row, int k, real y)
    {
        const real values[1] = { y };
        write(arguments, row, k, values);
    }
};

// The bins X[0] ... X[N/2] of a row, as r2c stores them and c2r reads them.
template <int N, class Kind>
struct half_output {
    typedef typename Kind::item item;
    static constexpr int n = N;

    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, unsigned long long row, int k, complex x)
    {
        static_cast<item*>(arguments.output)[row * (N / 2 + 1) + k] =
            Kind::value(x, scale_of(arguments));
    }
};

template <int N, class Format>
struct half_input {
    typedef typename Format::item item;
    static constexpr int n = N;

    // X[k]; the imaginary parts that a real row does not have are left out.
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long row,
                                     int k)
    {
        complex x = Format::convert(
            static_cast<const item*>(arguments.input)[row * arguments.hop + k]);
        if (k == 0 || 2 * k == N)
            x.im = 0;
        return x;
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
