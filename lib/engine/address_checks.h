// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where arrays of a plan may lie.

#ifndef INCLUDED_GPUFFT_ADDRESS_CHECKS_H
#define INCLUDED_GPUFFT_ADDRESS_CHECKS_H

#include <cstddef>
#include <functional>

namespace gr {
namespace gpufft {

inline bool
overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes)
{
    const std::less<const void*> before;
    return before(a, static_cast<const char*>(b) + b_bytes) &&
           before(b, static_cast<const char*>(a) + a_bytes);
}

// Where items of `bytes` bytes may lie: those of 3 bytes are read byte by byte.
inline std::size_t alignment_of(std::size_t bytes) { return bytes & -bytes; }

} // namespace gpufft
} // namespace gr

#endif
