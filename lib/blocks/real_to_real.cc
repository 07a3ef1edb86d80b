// SPDX-License-Identifier: GPL-3.0-or-later
//
// Derives the transform and its scale.

#include "real_to_real.h"
#include "problem/stream_batch.h"
#include "ranges.h"
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// Types 2 and 3 are each other's inverse.
int inverse_of(int type) { return type == 2 ? 3 : type == 3 ? 2 : type; }

} // namespace

plan_settings real_to_real::resolve() const
{
    check_range("type", type, 1, 4);
    check_range("size", size, type == 1 && !is_sine ? 2 : 1, MAX_FFT_SIZE);
    if (norm != "none" && norm != "ortho")
        throw std::invalid_argument(
            fmt::format("norm is '{}': must be none or ortho", norm));
    const auto& kind =
        properties_of(real_to_real_kind(is_sine, inverse ? inverse_of(type) : type));
    const std::size_t n = size;
    plan_settings result;
    result.what = real_problem_of_stream(kind.kind, n);
    result.threads = check_range("nthreads", nthreads, 1, MAX_THREADS);
    if (norm == "ortho") {
        result.what.orthogonal = kind.has_orthogonal_form();
        result.what.scale =
            1 / std::sqrt(kind.period * (static_cast<double>(n) + kind.beyond));
    }
    return result;
}

} // namespace gpufft
} // namespace gr
