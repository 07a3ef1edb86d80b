// SPDX-License-Identifier: GPL-3.0-or-later
//
// The load step, fused into the first pass: overlap (hop), format conversion, window,
// shift.

#ifndef INCLUDED_GPUFFT_KERNELS_LOAD_CUH
#define INCLUDED_GPUFFT_KERNELS_LOAD_CUH

#include "async_copy.cuh"
#include "numbers.cuh"
#include "user_steps.cuh"

namespace gr {
namespace gpufft {
namespace kernels {

// Sample formats: the type in memory, and its value as a complex number of full scale 1.
struct format_complex {
    typedef complex item;
    static GPUFFT_DEVICE complex convert(item x) { return x; }
};

struct format_real {
    typedef real item;
    static GPUFFT_DEVICE complex convert(item x) { return { x, 0 }; }
};

// A small real number.
template <class Number>
struct format_number {
    typedef typename Number::item item;
    static GPUFFT_DEVICE complex convert(item x) { return { Number::value(x), 0 }; }
};

typedef format_number<number_s16> format_s16;
typedef format_number<number_s8> format_s8;
typedef format_number<number_f16> format_f16;

// For single and for double precision, which never occur in one kernel.
typedef format_complex format_cf32, format_cf64;
typedef format_real format_f32, format_f64;

// A complex number of two small numbers.
template <class Number>
struct format_pair {
    typedef typename number_pair<Number>::item item;
    static GPUFFT_DEVICE complex convert(item x) { return number_pair<Number>::value(x); }
};

// Two 12-bit integers in 3 bytes, the highest bits first.
struct format_cs12 {
    struct item {
        unsigned char bytes[3];
    };
    static GPUFFT_DEVICE complex convert(item x)
    {
        constexpr real unit = 1.0 / 32768; // the upper 12 of 16 bits
        const short re = static_cast<short>(x.bytes[0] << 8 | (x.bytes[1] & 0xf0));
        const short im = static_cast<short>(x.bytes[1] << 12 | x.bytes[2] << 4);
        return { re * unit, im * unit };
    }
};

typedef format_pair<number_s16> format_cs16;
typedef format_pair<number_s8> format_cs8;
typedef format_pair<number_f16> format_cf16;

// Reads y[m] of a frame: y[m] = x[frame hop + i] w[i], i = m, or with Shifted (ifftshift)
// i = (m + floor(N/2)) mod N. Inverse exchanges real and imaginary part.
// Lines: other blocks read the rest of a sample's 128 bytes at about the same time.
template <class Format, bool Windowed, bool Shifted, bool Inverse, bool Lines = false>
struct load {
    typedef typename Format::item item;
    static constexpr bool in_order = !Shifted;    // y[m + 1] follows y[m] in memory
    static constexpr bool has_factors = Windowed; // the same for every frame

    // Rows in a tile, see frame_tiles.cuh.
    static constexpr int rows = 1;
    template <int N>
    static constexpr int row_items = N;

    static GPUFFT_DEVICE unsigned long long
    row_count(const transform_arguments& arguments)
    {
        return arguments.frames;
    }

    template <int N>
    static GPUFFT_DEVICE int read_at(int m)
    {
        return shifted_at<N, Shifted>(m);
    }

    // Address of the sample of y[m + offset]. A constant offset costs no instruction.
    template <int N>
    static GPUFFT_DEVICE const item* at(const transform_arguments& arguments,
                                        unsigned long long frame,
                                        int m,
                                        int offset = 0)
    {
        const item* row =
            static_cast<const item*>(arguments.input) + frame * arguments.hop;
        if constexpr (Shifted)
            return row + read_at<N>(m + offset);
        return row + m + offset;
    }

    // Copies a sample to shared memory without waiting.
    static GPUFFT_DEVICE void start(item* to, const item* from) { start_copy(to, from); }

    // A sample's value, without the window.
    static GPUFFT_DEVICE complex value_of(item sample)
    {
        const complex x = Format::convert(sample);
        return Inverse ? exchange_parts(x) : x;
    }

    // y[m] from its sample.
    template <int N>
    static GPUFFT_DEVICE complex value(const transform_arguments& arguments,
                                       int m,
                                       item sample)
    {
        complex y = Format::convert(sample);
        if constexpr (Windowed)
            y = y * load_constant(arguments.window + read_at<N>(m));
        if constexpr (Inverse)
            y = exchange_parts(y);
        return y;
    }

    template <int N>
    static GPUFFT_DEVICE complex get(const transform_arguments& arguments,
                                     unsigned long long frame,
                                     int m,
                                     int offset = 0)
    {
        const item* sample = at<N>(arguments, frame, m, offset);
        return value<N>(arguments, m + offset, Lines ? load_with_line(sample) : *sample);
    }

    // y[m] of the frame in shared memory.
    template <int N>
    static GPUFFT_DEVICE complex sample(const transform_arguments& arguments,
                                        const item* frame,
                                        int m)
    {
        return value<N>(arguments, m, frame[read_at<N>(m)]);
    }

    // y[m] and y[N-m].
    template <int N>
    static GPUFFT_DEVICE void pair(const transform_arguments& arguments,
                                   const item* frame,
                                   int m,
                                   complex& y,
                                   complex& opposite)
    {
        y = sample<N>(arguments, frame, m);
        opposite = sample<N>(arguments, frame, N - m);
    }
};

} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
