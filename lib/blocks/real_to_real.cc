// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which transform it is, and its scale.

#include "real_to_real.h"
#include "plan/stream_batch.h"
#include "ranges.h"
#include <cmath>

namespace gr {
namespace gpufft {

namespace {

// Types 2 and 3 are each other's inverse.
int inverse_of(int type) { return type == 2 ? 3 : type == 3 ? 2 : type; }

// What divides the unscaled matrix, made orthogonal up to a factor.
double norm_of(transform_kind kind, double n)
{
    if (kind == transform_kind::dct1)
        return std::sqrt(2 * (n - 1));
    return std::sqrt(2 * (kind == transform_kind::dst1 ? n + 1 : n));
}

} // namespace

plan_settings real_to_real::resolve() const
{
    check_range("type", type, 1, 4);
    const bool is_dct1 = first == transform_kind::dct1 && type == 1;
    check_range("size", size, is_dct1 ? 2 : 1, MAX_FFT_SIZE);
    if (norm != "none" && norm != "ortho")
        throw std::invalid_argument(
            fmt::format("norm is '{}': must be none or ortho", norm));
    const int step = (inverse ? inverse_of(type) : type) - 1;
    const auto kind = static_cast<transform_kind>(static_cast<int>(first) + step);
    const std::size_t n = size;
    plan_settings result;
    result.what = real_problem_of_stream(kind, n);
    result.threads = check_range("nthreads", nthreads, 1, MAX_THREADS);
    if (norm == "ortho") {
        result.what.orthogonal = type != 4; // its matrix is already
        result.what.scale = 1 / norm_of(kind, static_cast<double>(n));
    }
    return result;
}

} // namespace gpufft
} // namespace gr
