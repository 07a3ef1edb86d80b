// SPDX-License-Identifier: GPL-3.0-or-later
//
// A circular shift of n elements as at most two contiguous copies.

#ifndef INCLUDED_GPUFFT_ROTATION_H
#define INCLUDED_GPUFFT_ROTATION_H

#include <algorithm>
#include <cstddef>

namespace gr {
namespace gpufft {

// Element k of n goes to (k + by) mod n, 0 <= by <= n. Calls piece(from, to, count) for
// the contiguous runs of the elements first ... last-1.
template <class Piece>
void for_each_run(std::size_t n,
                  std::size_t by,
                  std::size_t first,
                  std::size_t last,
                  const Piece& piece)
{
    const std::size_t wrap = n - by; // the element that goes to 0
    if (first < wrap)
        piece(first, first + by, std::min(last, wrap) - first);
    if (last > wrap) {
        const std::size_t from = std::max(first, wrap);
        piece(from, from - wrap, last - from);
    }
}

} // namespace gpufft
} // namespace gr

#endif
