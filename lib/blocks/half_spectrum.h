// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings of the blocks from real vectors to half of their bins, and back.

#ifndef INCLUDED_GPUFFT_HALF_SPECTRUM_H
#define INCLUDED_GPUFFT_HALF_SPECTRUM_H

#include "problem/stream_batch.h"
#include "transform_impl.h"

namespace gr {
namespace gpufft {

struct half_spectrum {
    transform_kind kind; // r2c or c2r
    std::int64_t fft_size;
    window_spec window;
    int nthreads;
    item_formats formats;

    plan_settings resolve() const
    {
        check_range("fft_size", fft_size, 1, MAX_FFT_SIZE);
        const std::size_t n = fft_size;
        plan_settings result;
        problem& what = result.what;
        what = real_problem_of_stream(kind, n);
        apply_formats(formats, what, sample_choice::usual);
        result.threads = check_range("nthreads", nthreads, 1, MAX_THREADS);
        result.window =
            window.build(what.frame_samples(),
                         kind == transform_kind::c2r ? "the number of bins" : "fft_size");
        what.window = !result.window.empty();
        return result;
    }
};

} // namespace gpufft
} // namespace gr

#endif
