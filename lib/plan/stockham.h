// SPDX-License-Identifier: GPL-3.0-or-later
//
// The single-pass Stockham transform of vectors that fit one block.

#ifndef INCLUDED_GPUFFT_STOCKHAM_H
#define INCLUDED_GPUFFT_STOCKHAM_H

#include "algorithm.h"

namespace gr {
namespace gpufft {

algorithm stockham_algorithm();

// True if n = 2^a 3^b 5^c 7^d 11^e 13^f.
bool is_smooth(std::size_t n);

// True if one block of the card can transform n points.
bool is_stockham_size(std::size_t n, const device_traits& card = device_traits());

// Longest vector that one block of the card transforms.
std::size_t longest_stockham(const device_traits& card);

// The `limit` shapes with the best estimates for a smooth length, best first.
// sums_powers: for problems whose powers may be averaged.
std::vector<stockham_shape>
stockham_candidates(int n, std::size_t limit = 6, bool sums_powers = false);

// The same for a tile of columns. by_rows: the columns are contiguous where they are
// read.
std::vector<stockham_shape>
tile_candidates(int n, int columns, bool by_rows, std::size_t limit = 6);

// The same, quickly: the caller chooses the paddings of those that it keeps.
std::vector<stockham_shape>
bare_tiles(int n, int columns, bool by_rows, std::size_t limit);

} // namespace gpufft
} // namespace gr

#endif
