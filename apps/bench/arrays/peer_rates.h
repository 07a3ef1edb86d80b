// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast cards copy to one another, and within their own memory.

#ifndef INCLUDED_GPUFFT_BENCH_PEER_RATES_H
#define INCLUDED_GPUFFT_BENCH_PEER_RATES_H

#include "engine/async_device.h"
#include <vector>

namespace gr {
namespace gpufft {

// GB/s of each card while all are as busy. peer: sent to the next card, and received from
// the one before; rows: the same in rows of 8 KiB that lie 256 KiB apart there; fetched:
// such rows, fetched by the card that receives them; memory: read and written by copies
// within the card; memory_rows: the same in such rows.
struct peer_rates {
    double peer = 0, rows = 0, fetched = 0, memory = 0, memory_rows = 0;
};

peer_rates measure_peers(const std::vector<async_device::sptr>& devices);

} // namespace gpufft
} // namespace gr

#endif
