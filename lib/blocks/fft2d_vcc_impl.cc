// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two-dimensional FFT of matrices.

#include "engine/memory_check.h"
#include "problem/stream_batch.h"
#include "transform_impl.h"
#include <gnuradio/gpufft/fft2d_vcc.h>

namespace gr {
namespace gpufft {

namespace {

struct fft2d_settings {
    std::int64_t rows, cols;
    bool forward;
    window_spec window;
    bool shift;
    int nthreads;
    item_formats formats;

    plan_settings resolve() const;
    std::vector<float> taps() const;
};

plan_settings fft2d_settings::resolve() const
{
    check_range("rows", rows, 1, MAX_FFT_SIZE);
    check_range("cols", cols, 1, MAX_FFT_SIZE);
    check_range("rows * cols", rows * cols, 1, MAX_FFT_SIZE);
    const std::size_t r = rows, c = cols;
    plan_settings result;
    problem& what = result.what;
    what = problem::make(transform_kind::c2c, { r, c }, frames_of_stream(r * c));
    what.dir = forward ? direction::forward : direction::inverse;
    apply_formats(formats, what);
    what.shift_output = shift && forward;
    what.shift_input = shift && !forward;
    result.threads = check_range("nthreads", nthreads, 1, MAX_THREADS);
    result.window = taps();
    what.window = !result.window.empty();
    return result;
}

std::vector<float> fft2d_settings::taps() const
{
    if (window.has_taps())
        return window.build(rows * cols, "rows * cols");
    const std::vector<float> down = window.build(rows), across = window.build(cols);
    std::vector<float> product;
    if (!down.empty()) {
        const std::size_t points = down.size() * across.size();
        check_memory(fmt::format("rows * cols is {}", points), window_memory(points));
        product.reserve(points);
    }
    for (float of_row : down)
        for (float of_column : across)
            product.push_back(of_row * of_column);
    return product;
}

} // namespace

fft2d_vcc::sptr fft2d_vcc::make(std::int64_t rows,
                                std::int64_t cols,
                                bool forward,
                                const window_spec& window,
                                bool shift,
                                int nthreads,
                                const std::string& engine,
                                const device_list& device,
                                const std::string& on_error,
                                std::int64_t vlen,
                                double device_timeout,
                                const item_formats& formats)
{
    check_range("rows", rows, 1, MAX_FFT_SIZE);
    check_range("cols", cols, 1, MAX_FFT_SIZE);
    return make_transform_block<windowed_transform_impl<fft2d_vcc, fft2d_settings>>(
        "fft2d_vcc",
        fft2d_settings{ rows, cols, forward, window, shift, nthreads, formats },
        engine_options{ engine, device, on_error, device_timeout },
        ports_of(vlen, rows * cols, "rows * cols"));
}

} // namespace gpufft
} // namespace gr
