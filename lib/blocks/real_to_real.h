// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings that dct_vff and dst_vff have in common.

#ifndef INCLUDED_GPUFFT_REAL_TO_REAL_H
#define INCLUDED_GPUFFT_REAL_TO_REAL_H

#include "stream/live_plan.h"
#include <cstdint>
#include <string>

namespace gr {
namespace gpufft {

struct real_to_real {
    bool is_sine;
    std::int64_t size;
    int type; // 1 ... 4
    bool inverse;
    std::string norm; // "none" or "ortho"
    int nthreads;

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve() const;
};

} // namespace gpufft
} // namespace gr

#endif
