// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sample format that a block's item type stands for.

#ifndef INCLUDED_GPUFFT_ITEM_FORMAT_H
#define INCLUDED_GPUFFT_ITEM_FORMAT_H

#include <cstdint>
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

} // namespace gpufft
} // namespace gr

#endif
