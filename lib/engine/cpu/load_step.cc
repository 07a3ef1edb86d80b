// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs load steps with VOLK, a run of samples at a time.

#include "load_step.h"
#include "rotation.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <volk/volk.h>

namespace gr {
namespace gpufft {

namespace {

typedef std::complex<float> complex;

constexpr float INT16_FULL_SCALE = 32768.0f;
constexpr float INT8_FULL_SCALE = 128.0f;

// y[m] = x[m] w[m]; no window if w is null.
void load_real(complex* y, const float* x, const float* w, std::size_t count)
{
    if (w == nullptr) {
        for (std::size_t m = 0; m < count; ++m)
            y[m] = complex(x[m], 0.0f);
    } else {
        for (std::size_t m = 0; m < count; ++m)
            y[m] = complex(x[m] * w[m], 0.0f);
    }
}

void load_complex(complex* y, const complex* x, const float* w, std::size_t count)
{
    if (w == nullptr)
        std::copy_n(x, count, y);
    else
        volk_32fc_32f_multiply_32fc(y, x, w, count);
}

void multiply_window(complex* y, const float* w, std::size_t count)
{
    if (w != nullptr)
        volk_32fc_32f_multiply_32fc(y, y, w, count);
}

// Converts samples of `format` to complex numbers, times a window unless w is null.
void load_samples(sample_format format,
                  const void* x,
                  std::size_t from,
                  std::size_t count,
                  const float* w,
                  complex* y)
{
    switch (format) {
    case sample_format::cf32:
        load_complex(y, static_cast<const complex*>(x) + from, w, count);
        break;
    case sample_format::f32:
        load_real(y, static_cast<const float*>(x) + from, w, count);
        break;
    case sample_format::cs16:
        volk_16i_s32f_convert_32f(reinterpret_cast<float*>(y),
                                  static_cast<const std::int16_t*>(x) + 2 * from,
                                  INT16_FULL_SCALE,
                                  2 * count);
        multiply_window(y, w, count);
        break;
    case sample_format::cs8:
        volk_8i_s32f_convert_32f(reinterpret_cast<float*>(y),
                                 static_cast<const std::int8_t*>(x) + 2 * from,
                                 INT8_FULL_SCALE,
                                 2 * count);
        multiply_window(y, w, count);
        break;
    default: // frame_transform::takes() no other
        throw std::logic_error(std::string("no quick load of ") + to_string(format));
    }
}

} // namespace

void convert_samples(sample_format format, const void* x, std::size_t count, complex* y)
{
    load_samples(format, x, 0, count, nullptr, y);
}

load_step::load_step(const problem& what)
    : d_format(what.input),
      d_n(what.n),
      d_rotation(what.shift_input && what.n > 1 ? what.n - what.n / 2 : 0),
      d_alternates(what.window && what.shift_output && what.n % 2 == 0)
{
    if (what.window) {
        d_window = aligned_buffer<float>(d_n);
        set_window(std::vector<float>(d_n, 1.0f));
    }
}

void load_step::set_window(const std::vector<float>& taps)
{
    for (std::size_t i = 0; i < d_n; ++i) {
        const std::size_t m = i + d_rotation; // or n less; n is even where it matters
        d_window[i] = d_alternates && m % 2 == 1 ? -taps[i] : taps[i];
    }
}

bool load_step::is_identity() const
{
    return d_format == sample_format::cf32 && d_window.size() == 0 && d_rotation == 0;
}

void load_step::load(const void* frame, complex* y) const
{
    for_each_run(d_n,
                 d_rotation,
                 0,
                 d_n,
                 [&](std::size_t from, std::size_t to, std::size_t count) {
                     load_run(frame, from, count, y + to);
                 });
}

void load_step::load_run(const void* frame,
                         std::size_t from,
                         std::size_t count,
                         complex* y) const
{
    const float* window = d_window.size() == 0 ? nullptr : d_window.data() + from;
    load_samples(d_format, frame, from, count, window, y);
}

std::string load_step::describe() const
{
    return std::string(to_string(d_format)) + (d_window.size() == 0 ? "" : " window") +
           (d_rotation == 0 ? "" : " shift");
}

} // namespace gpufft
} // namespace gr
