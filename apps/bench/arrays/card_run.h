// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times a plan on a frame that lies on several cards, beside cuFFT's.

#ifndef INCLUDED_GPUFFT_BENCH_CARD_RUN_H
#define INCLUDED_GPUFFT_BENCH_CARD_RUN_H

#include "array_run.h"
#include "peer_rates.h"
#include <limits>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

struct card_row {
    std::string problem, description;
    std::string cufft_reason; // why cuFFT was not timed, or not compared
    bool in_place = false;
    timing ours;                 // ms; the row is in natural order
    timing cufft, cufft_natural; // in its own order; copied to natural order, too
    double link_ms = 0, memory_ms = 0;
    double difference = std::numeric_limits<double>::quiet_NaN(); // relative L2 to cuFFT
};

card_row measure_on_cards(const problem& what,
                          const array_settings& settings,
                          const std::vector<async_device::sptr>& devices,
                          const peer_rates& rates);

} // namespace gpufft
} // namespace gr

#endif
