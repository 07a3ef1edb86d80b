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
    bool integers;    // of two bytes; else complex samples
    std::vector<int> devices;
    std::size_t buffer; // bytes of each
    std::function<std::vector<stage>(const stage_options&)> make;
    bool hangs_everywhere = false; // at each of its calls, not only at a few
};

const std::vector<fault_scenario>& fault_scenarios();

} // namespace gpufft
} // namespace gr

#endif
