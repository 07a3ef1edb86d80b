// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a general_transform does, in words.

#ifndef INCLUDED_GPUFFT_GENERAL_TEXT_H
#define INCLUDED_GPUFFT_GENERAL_TEXT_H

#include <gnuradio/gpufft/problem.h>
#include <string>

namespace gr {
namespace gpufft {

// e.g. "c2c 256x256 axis by axis"
std::string general_transform_text(const problem& what);

// e.g. "s16 window shift strides(512x2)", without hop.
std::string general_load_text(const problem& what);

// e.g. "complex scale(0.5) shift s16 strides(1x256) distance(65536)"
std::string general_store_text(const problem& what);

} // namespace gpufft
} // namespace gr

#endif
