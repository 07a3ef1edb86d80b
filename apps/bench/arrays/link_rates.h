// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast the links copy between registered host memory and the cards, all at once.

#ifndef INCLUDED_GPUFFT_BENCH_LINK_RATES_H
#define INCLUDED_GPUFFT_BENCH_LINK_RATES_H

#include "engine/async_device.h"
#include <vector>

namespace gr {
namespace gpufft {

// GB/s of all links together; `both` counts one direction while the other is as busy.
struct link_rates {
    double up = 0, down = 0, both = 0;
};

link_rates measure_link(const std::vector<async_device::sptr>& devices);

} // namespace gpufft
} // namespace gr

#endif
