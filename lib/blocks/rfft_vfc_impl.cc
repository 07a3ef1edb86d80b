// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of real vectors.

#include "plan/stream_batch.h"
#include "transform_impl.h"
#include <gnuradio/gpufft/rfft_vfc.h>

namespace gr {
namespace gpufft {

namespace {

struct rfft_vfc_settings {
    std::int64_t fft_size;
    window_spec window;
    int nthreads;

    plan_settings resolve() const
    {
        check_range("fft_size", fft_size, 1, MAX_FFT_SIZE);
        const std::size_t n = fft_size;
        plan_settings result;
        problem& what = result.what;
        what = problem::make(transform_kind::r2c, { n }, frames_of_stream(n));
        result.threads = check_range("nthreads", nthreads, 1, MAX_THREADS);
        result.window = window.build(what.n);
        what.window = !result.window.empty();
        return result;
    }
};

} // namespace

rfft_vfc::sptr rfft_vfc::make(std::int64_t fft_size,
                              const window_spec& window,
                              int nthreads,
                              const std::string& engine,
                              const device_list& device,
                              const std::string& on_error,
                              std::int64_t vlen)
{
    return make_transform_block<windowed_transform_impl<rfft_vfc, rfft_vfc_settings>>(
        "rfft_vfc",
        rfft_vfc_settings{ fft_size, window, nthreads },
        engine_options{ engine, device, on_error },
        ports_of(vlen, fft_size, "fft_size"));
}

} // namespace gpufft
} // namespace gr
