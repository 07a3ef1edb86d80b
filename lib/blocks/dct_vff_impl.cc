// SPDX-License-Identifier: GPL-3.0-or-later
//
// DCT and DST of vectors.

#include "problem/stream_batch.h"
#include "transform_impl.h"
#include <cmath>
#include <gnuradio/gpufft/dct_vff.h>

namespace gr {
namespace gpufft {

namespace {

struct real_to_real {
    bool is_sine;
    std::int64_t size;
    int type; // 1 ... 4
    bool inverse;
    std::string norm; // "none" or "ortho"
    int nthreads;
    item_formats formats;

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve() const;
};

// Types 2 and 3 are each other's inverse.
int inverse_of(int type) { return type == 2 ? 3 : type == 3 ? 2 : type; }

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
    apply_formats(formats, result.what);
    return result;
}

} // namespace

template <bool is_sine>
typename real_to_real_vff<is_sine>::sptr
real_to_real_vff<is_sine>::make(std::int64_t size,
                                int type,
                                bool inverse,
                                const std::string& norm,
                                int nthreads,
                                const std::string& engine,
                                const device_list& device,
                                const std::string& on_error,
                                std::int64_t vlen,
                                double device_timeout,
                                const item_formats& formats)
{
    return make_transform_block<transform_impl<real_to_real_vff, real_to_real>>(
        is_sine ? "dst_vff" : "dct_vff",
        real_to_real{ is_sine, size, type, inverse, norm, nthreads, formats },
        engine_options{ engine, device, on_error, device_timeout },
        ports_of(vlen, size, "size"));
}

template class real_to_real_vff<false>;
template class real_to_real_vff<true>;

} // namespace gpufft
} // namespace gr
