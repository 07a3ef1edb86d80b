// SPDX-License-Identifier: GPL-3.0-or-later
//
// The store step, fused into the last pass: scale, power, decibels, shift; or only some
// of the bins.

#ifndef INCLUDED_GPUFFT_KERNELS_STORE_CUH
#define INCLUDED_GPUFFT_KERNELS_STORE_CUH

#include "numbers.cuh"
#include "user_steps.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// 10 log10 of a power; powers below the smallest normal float count as that float (-379.3
// dB), and NaN stays NaN.
GPUFFT_DEVICE float decibels(float power)
{
    constexpr float smallest = 1.17549435e-38f;
    return 10.0f * log10f(power < smallest ? smallest : power);
}

// The value stored for a bin, and its type in memory.
struct as_complex {
    typedef complex item;
    typedef number_working number;
    static GPUFFT_DEVICE item value(complex x, real scale) { return x * scale; }
};

// X[k] as two small numbers.
template <class Number>
struct as_pair {
    typedef typename number_pair<Number>::item item;
    typedef Number number;
    static GPUFFT_DEVICE item value(complex x, real scale)
    {
        return number_pair<Number>::stored(x * scale);
    }
};

typedef as_pair<number_f16> as_complex_f16;
typedef as_pair<number_s16> as_complex_s16;
typedef as_pair<number_s8> as_complex_s8;

struct as_power {
    typedef float item;
    typedef number_working number;
    static GPUFFT_DEVICE item value(complex x, real scale)
    {
        return squared_magnitude(x) * scale;
    }
};

struct as_decibel {
    typedef float item;
    typedef number_working number;
    static GPUFFT_DEVICE item value(complex x, real scale)
    {
        return decibels(squared_magnitude(x) * scale);
    }
};

// The same in small numbers.
template <class Kind, class Number>
struct as_float_of {
    typedef typename Number::item item;
    typedef number_working number; // halves do not saturate
    static GPUFFT_DEVICE item value(complex x, real scale)
    {
        return Number::stored(Kind::value(x, scale));
    }
};

typedef as_float_of<as_power, number_f16> as_power_f16;
typedef as_float_of<as_decibel, number_f16> as_decibel_f16;

// What a user's expression makes of X[k].
template <class Kind, class Step>
struct user_store {
    typedef typename Kind::item item;
    typedef number_working number;
    static GPUFFT_DEVICE item value(complex x, real scale)
    {
        const complex y = user_bin<Step>::of(x, scale);
        if constexpr (sizeof(item) == sizeof(complex))
            return y;
        else
            return y.re;
    }
};

// Counts the parts of x that saturate when they are stored.
template <class Number>
GPUFFT_DEVICE void count_saturated(const transform_arguments& arguments, complex x)
{
    if constexpr (Number::saturates()) {
        const unsigned long long parts =
            Number::exceeds(x.re) + (Number::exceeds(x.im) ? 1 : 0);
        if (parts > 0)
            add_to_count(arguments.saturated, parts);
    }
}

// What is stored for a bin of any kind, and for a real number; both count.
template <class Kind>
GPUFFT_DEVICE typename Kind::item
stored_value(const transform_arguments& arguments, complex x, real scale)
{
    count_saturated<typename Kind::number>(arguments, x * scale);
    return Kind::value(x, scale);
}

template <class Number>
GPUFFT_DEVICE typename Number::item stored_number(const transform_arguments& arguments,
                                                  real x)
{
    count_saturated<Number>(arguments, { x, 0 });
    return Number::stored(x);
}

// Whether a store step needs several bins of a frame at a time. Such a step has `items`
// items, and run() for each (kernels/real/real_split.cuh).
template <class Store, class = void>
constexpr bool needs_whole_frames = false;

template <class Store>
constexpr bool needs_whole_frames<Store, decltype(static_cast<void>(Store::items))> =
    true;

// Whether a store step makes rows in a tile from the bins k and N-k together.
template <class Store, class = void>
constexpr bool needs_pairs = false;

template <class Store>
constexpr bool needs_pairs<Store, decltype(static_cast<void>(Store::takes_pairs))> =
    Store::takes_pairs;

template <class Kind, bool Shifted, bool Inverse>
struct store {
    typedef typename Kind::item item;

    // Rows in a tile, see frame_tiles.cuh: an item as large as a point replaces the
    // point.
    static constexpr int rows = sizeof(item) == sizeof(complex) ? 1 : 0;
    template <int N>
    static constexpr int row_items = N;

    static GPUFFT_DEVICE unsigned long long
    row_count(const transform_arguments& arguments)
    {
        return arguments.frames;
    }

    // Whether the same bin of the next frame lies beside a bin.
    static constexpr bool rows_are_neighbours = false;

    static GPUFFT_DEVICE item value(const transform_arguments& arguments, complex x)
    {
        if constexpr (Kind::number::saturates())
            return stored_value<Kind>(
                arguments, Inverse ? exchange_parts(x) : x, scale_of(arguments));
        else
            return Kind::value(Inverse ? exchange_parts(x) : x, scale_of(arguments));
    }

    // Position of bin k in its row.
    template <int N>
    static GPUFFT_DEVICE int at(int k)
    {
        return shifted_at<N, Shifted>(k);
    }

    // Stores bin k in the row at `row`.
    template <int N>
    static GPUFFT_DEVICE void
    put(const transform_arguments& arguments, item* row, int k, complex x)
    {
        row[at<N>(k)] = value(arguments, x);
    }

    // Stores bin k + offset; a constant offset costs no instruction.
    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex value,
                                  int offset = 0)
    {
        item* row = static_cast<item*>(arguments.output) + frame * N;
        item* const bin =
            Shifted ? row + shifted_at<N, Shifted>(k + offset) : row + k + offset;
        *bin = store::value(arguments, value);
    }
};

// Rows of Bins of the N bins, in any order. slots[k] is the first place of bin k in a
// row, slots[N + i] the next place of the bin at place i; -1 if there is none.
template <class Kind, bool Inverse, int Bins>
struct store_picked {
    typedef typename Kind::item item;
    static constexpr bool rows_are_neighbours = false;

    template <int N>
    static GPUFFT_DEVICE void put(const transform_arguments& arguments,
                                  unsigned long long frame,
                                  int k,
                                  complex value,
                                  int offset = 0)
    {
        int slot = load_constant(arguments.slots + k + offset);
        if (slot < 0)
            return;
        item* const row = static_cast<item*>(arguments.output) + frame * Bins;
        if constexpr (Kind::number::saturates()) {
            for (; slot >= 0; slot = load_constant(arguments.slots + N + slot))
                row[slot] = store<Kind, false, Inverse>::value(arguments, value);
        } else {
            const item stored = store<Kind, false, Inverse>::value(arguments, value);
            for (; slot >= 0; slot = load_constant(arguments.slots + N + slot))
                row[slot] = stored;
        }
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
