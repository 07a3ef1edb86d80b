// SPDX-License-Identifier: GPL-3.0-or-later
//
// The flowgraphs in which devices fail.

#ifndef INCLUDED_GPUFFT_FAULT_SCENARIOS_H
#define INCLUDED_GPUFFT_FAULT_SCENARIOS_H

#include "stages.h"
#include <functional>
#include <vector>

namespace gr {
namespace gpufft {

struct fault_scenario {
    const char* name; // in which "Cards" means that it needs two
    std::function<std::vector<stage>(const stage_options&)> make;
    std::size_t buffer = 8192; // bytes of each
    bool integers = false;     // of two bytes; else complex samples
    std::vector<int> devices = { 0 };
    bool hangs_at_many_calls = false; // in bounded sweeps, too
    std::size_t samples = 2000;
    bool devices_apart = false; // each block has a card of its own
};

const std::vector<fault_scenario>& fault_scenarios();

} // namespace gpufft
} // namespace gr

#endif
