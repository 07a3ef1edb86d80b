// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a measured time means.

#include "bench_engine.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace gr {
namespace gpufft {

std::size_t input_bytes(const problem& what)
{
    return ((what.batch - 1) * what.effective_hop() + what.input_span()) *
           what.input_item_bytes();
}

std::size_t output_bytes(const problem& what)
{
    const std::size_t rows = what.batch / what.average;
    if (rows == 0)
        return 0;
    return ((rows - 1) * what.effective_output_distance() + what.output_span()) *
           what.output_item_bytes();
}

void check_error(const problem& what, double error)
{
    const double most = what.stored != number_format::working ? 0.5
                        : what.is_power()                     ? 1e-2
                        : what.is_double()                    ? 1e-10
                                                              : 1e-3;
    if (error <= most) // false for NaN
        return;
    std::ostringstream text;
    text << "wrong result: its relative error is " << error
         << "; rounding gives less than " << most;
    throw std::runtime_error(text.str());
}

double measurement::bytes() const
{
    const problem& problem = what.what;
    const std::size_t input = problem.batch * problem.frame_samples() *
                              problem.input_item_bytes(),
                      output = problem.batch / problem.average * problem.row_bins() *
                               problem.output_item_bytes();
    return static_cast<double>(std::min(input, input_bytes(problem)) + output);
}

double measurement::efficiency(const timing& time, double copy_rate) const
{
    return bytes() / (1e6 * time.median) / copy_rate;
}

double measurement::ratio() const
{
    return std::fmin(cufft.median, vkfft.median) / ours.median; // fmin ignores a NaN
}

double measurement::gflops() const
{
    const double n = static_cast<double>(what.what.n);
    return (what.what.kind == transform_kind::c2c ? 5 : 2.5) * n * std::log2(n) *
           static_cast<double>(what.what.batch) / (1e6 * ours.median);
}

void report_failure(const bench_case& what,
                    const char* library,
                    const std::exception& error)
{
    std::fprintf(stderr,
                 "gpufft-bench: %s, %s: %s\n",
                 what.to_string().c_str(),
                 library,
                 error.what());
}

} // namespace gpufft
} // namespace gr
