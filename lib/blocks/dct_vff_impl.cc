// SPDX-License-Identifier: GPL-3.0-or-later
//
// DCT of vectors.

#include "real_to_real.h"
#include "transform_impl.h"
#include <gnuradio/gpufft/dct_vff.h>

namespace gr {
namespace gpufft {

dct_vff::sptr dct_vff::make(std::int64_t size,
                            int type,
                            bool inverse,
                            const std::string& norm,
                            int nthreads,
                            const std::string& engine,
                            const device_list& device,
                            const std::string& on_error,
                            std::int64_t vlen,
                            double device_timeout)
{
    return make_transform_block<transform_impl<dct_vff, real_to_real>>(
        "dct_vff",
        real_to_real{ false, size, type, inverse, norm, nthreads },
        engine_options{ engine, device, on_error, device_timeout },
        ports_of(vlen, size, "size"));
}

} // namespace gpufft
} // namespace gr
