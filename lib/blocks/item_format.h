// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sample format that a block's item type stands for, and those that item_formats
// name.

#ifndef INCLUDED_GPUFFT_ITEM_FORMAT_H
#define INCLUDED_GPUFFT_ITEM_FORMAT_H

#include <cstdint>
#include <gnuradio/gpufft/item_formats.h>
#include <gnuradio/gpufft/problem.h>
#include <type_traits>

namespace gr {
namespace gpufft {

template <class T>
inline constexpr sample_format FORMAT = sample_format::cf32;
template <>
inline constexpr sample_format FORMAT<float> = sample_format::f32;
template <>
inline constexpr sample_format FORMAT<std::int16_t> = sample_format::cs16;
template <>
inline constexpr sample_format FORMAT<std::int8_t> = sample_format::cs8;

// Two integers make a complex sample.
template <class T>
inline constexpr std::size_t ITEMS_PER_SAMPLE = std::is_integral<T>::value ? 2 : 1;

// Sets input, stored format and scale of a problem that already has the input and output
// of the block's name. Throws std::invalid_argument for an unknown name.
enum class sample_choice {
    usual,
    packed,
    packed_real
}; // with those before it; real
   // and packed ones
void apply_formats(const item_formats& formats,
                   problem& what,
                   sample_choice choice = sample_choice::packed);

// The samples that come, and the bytes of a sample at both ports, of a block from complex
// samples, or those of `own`, to complex ones.
struct item_bytes {
    std::size_t input, output;
};
sample_format input_of(const item_formats& formats, sample_format own);
item_bytes bytes_of(const item_formats& formats, sample_format own = sample_format::cf32);

} // namespace gpufft
} // namespace gr

#endif
