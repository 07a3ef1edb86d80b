// SPDX-License-Identifier: GPL-3.0-or-later
//
// The benchmark's data: random, but the same numbers wherever they are made, in every
// format that problems read.

#ifndef INCLUDED_GPUFFT_BENCH_RANDOM_DATA_H
#define INCLUDED_GPUFFT_BENCH_RANDOM_DATA_H

#include <cstddef>
#include <gnuradio/gpufft/problem.h>
#include <vector>

namespace gr {
namespace gpufft {

// Number i of the data, as text for the host and the device: floats and doubles are
// uniform in -1 ... 1, integers in all their range, 16-bit floats in +-0.5 ... 1.
#define GPUFFT_RANDOM_NUMBERS                                                            \
    inline unsigned long long random_bits(unsigned long long i)                          \
    {                                                                                    \
        unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15ull;                          \
        return (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;                                  \
    }                                                                                    \
    inline void set_random(float& number, unsigned long long i)                          \
    {                                                                                    \
        number = (float)((int)(random_bits(i) >> 40) - (1 << 23)) / (float)(1 << 23);    \
    }                                                                                    \
    inline void set_random(double& number, unsigned long long i)                         \
    {                                                                                    \
        const long long one = 1ll << 52;                                                 \
        number = (double)((long long)(random_bits(i) >> 11) - one) / (double)one;        \
    }                                                                                    \
    inline void set_random(unsigned short& half, unsigned long long i)                   \
    {                                                                                    \
        const unsigned bits = (unsigned)(random_bits(i) >> 53);                          \
        half = (unsigned short)(bits >> 10 << 15 | 14 << 10 | (bits & 1023));            \
    }                                                                                    \
    inline void set_random(short& number, unsigned long long i)                          \
    {                                                                                    \
        number = (short)(random_bits(i) >> 48);                                          \
    }                                                                                    \
    inline void set_random(signed char& number, unsigned long long i)                    \
    {                                                                                    \
        number = (signed char)(random_bits(i) >> 56);                                    \
    }

// How a number is stored.
enum class number_type { f32, f64, f16, s16, s8 };

number_type input_type(const problem& what);
number_type output_type(const problem& what);
std::size_t bytes_of(number_type type);
const char* type_name(number_type type); // in C++: "float", or of 16-bit floats the bits

// Fills with `count` numbers of the data from number `first` on.
void fill_random(void* data, number_type type, std::size_t first, std::size_t count);

// The numbers' values, integers with full scale 1.
std::vector<double> read_numbers(const void* data, number_type type, std::size_t count);

} // namespace gpufft
} // namespace gr

#endif
