// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory that begins at an address of the test's choice.

#ifndef INCLUDED_GPUFFT_PLACED_BYTES_H
#define INCLUDED_GPUFFT_PLACED_BYTES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gr {
namespace gpufft {

// Bytes whose first is `offset` bytes past a 64-byte boundary.
class placed_bytes
{
public:
    placed_bytes(std::size_t size, std::size_t offset) : d_bytes(size + 128)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(d_bytes.data());
        d_start = d_bytes.data() + (64 - address % 64) + offset;
    }
    std::uint8_t* data() { return d_start; }

private:
    std::vector<std::uint8_t> d_bytes;
    std::uint8_t* d_start;
};

} // namespace gpufft
} // namespace gr

#endif
