// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times plan::execute() on one frame in host memory, beside FFTW.

#ifndef INCLUDED_GPUFFT_BENCH_ARRAY_RUN_H
#define INCLUDED_GPUFFT_BENCH_ARRAY_RUN_H

#include "../timing.h"
#include "link_rates.h"
#include <gnuradio/gpufft/plan.h>
#include <limits>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

struct array_settings {
    plan_options plans;
    int runs = 3;
    int threads = 1; // FFTW's
    bool in_place = false;
    bool fftw = true;
    bool cufft = true; // of arrays on cards
};

struct array_row {
    std::string problem, engine, description;
    bool in_place = false;
    timing plain, registered, fftw; // ms; registered: by the caller, before the call
    double bound_ms = std::numeric_limits<double>::quiet_NaN();
    double error = std::numeric_limits<double>::quiet_NaN(); // relative L2 to FFTW
};

// Relative L2 difference of the numbers that both have.
double relative_difference(const std::vector<double>& actual,
                           const std::vector<double>& expected);

// Of one frame. `devices` are those of the plan, none on the CPU.
array_row measure_array(const problem& what,
                        const array_settings& settings,
                        const std::vector<async_device::sptr>& devices,
                        const link_rates& link);

} // namespace gpufft
} // namespace gr

#endif
