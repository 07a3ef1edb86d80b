// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of real vectors.

#include "half_spectrum.h"
#include <gnuradio/gpufft/rfft_vfc.h>

namespace gr {
namespace gpufft {

rfft_vfc::sptr rfft_vfc::make(std::int64_t fft_size,
                              const window_spec& window,
                              int nthreads,
                              const std::string& engine,
                              const device_list& device,
                              const std::string& on_error,
                              std::int64_t vlen,
                              double device_timeout,
                              const item_formats& formats)
{
    return make_transform_block<windowed_transform_impl<rfft_vfc, half_spectrum>>(
        "rfft_vfc",
        half_spectrum{ transform_kind::r2c, fft_size, window, nthreads, formats },
        engine_options{ engine, device, on_error, device_timeout },
        ports_of(vlen, fft_size, "fft_size"));
}

} // namespace gpufft
} // namespace gr
