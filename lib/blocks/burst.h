// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of a PDU.

#ifndef INCLUDED_GPUFFT_BURST_H
#define INCLUDED_GPUFFT_BURST_H

#include <cstddef>
#include <gnuradio/gr_complex.h>
#include <pmt/pmt.h>

namespace gr {
namespace gpufft {

// Samples in the message's own memory.
struct burst {
    pmt::pmt_t metadata;
    const void* samples;
    std::size_t count;
    bool is_real;

    std::size_t bytes() const
    {
        return count * (is_real ? sizeof(float) : sizeof(gr_complex));
    }

    // Throws std::invalid_argument for a message that is no burst.
    static burst of(const pmt::pmt_t& message);
};

} // namespace gpufft
} // namespace gr

#endif
