// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inverse FFT of the bins of a real signal.

#include "half_spectrum.h"
#include <gnuradio/gpufft/irfft_vcf.h>

namespace gr {
namespace gpufft {

irfft_vcf::sptr irfft_vcf::make(std::int64_t fft_size,
                                const window_spec& window,
                                int nthreads,
                                const std::string& engine,
                                const device_list& device,
                                const std::string& on_error,
                                std::int64_t vlen,
                                double device_timeout,
                                const item_formats& formats)
{
    return make_transform_block<windowed_transform_impl<irfft_vcf, half_spectrum>>(
        "irfft_vcf",
        half_spectrum{ transform_kind::c2r, fft_size, window, nthreads, formats },
        engine_options{ engine, device, on_error, device_timeout },
        ports_of(vlen, fft_size, "fft_size"));
}

} // namespace gpufft
} // namespace gr
