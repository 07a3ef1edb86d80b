// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inverse FFT of the bins of a real signal.

#include "plan/stream_batch.h"
#include "transform_impl.h"
#include <gnuradio/gpufft/irfft_vcf.h>

namespace gr {
namespace gpufft {

namespace {

struct irfft_vcf_settings {
    std::int64_t fft_size;
    window_spec window;
    int nthreads;

    plan_settings resolve() const
    {
        check_range("fft_size", fft_size, 1, MAX_FFT_SIZE);
        const std::size_t n = fft_size;
        plan_settings result;
        problem& what = result.what;
        what = problem::make(transform_kind::c2r, { n }, frames_of_stream(n));
        result.threads = check_range("nthreads", nthreads, 1, MAX_THREADS);
        result.window = window.build(what.frame_samples(), "the number of bins");
        what.window = !result.window.empty();
        return result;
    }
};

} // namespace

irfft_vcf::sptr irfft_vcf::make(std::int64_t fft_size,
                                const window_spec& window,
                                int nthreads,
                                const std::string& engine,
                                const device_list& device,
                                const std::string& on_error,
                                std::int64_t vlen)
{
    return make_transform_block<windowed_transform_impl<irfft_vcf, irfft_vcf_settings>>(
        "irfft_vcf",
        irfft_vcf_settings{ fft_size, window, nthreads },
        engine_options{ engine, device, on_error },
        ports_of(vlen, fft_size, "fft_size"));
}

} // namespace gpufft
} // namespace gr
