// SPDX-License-Identifier: GPL-3.0-or-later
//
// Running filters of one problem.

#include "channel_core.h"
#include "ranges.h"
#include <gnuradio/io_signature.h>
#include <gnuradio/sptr_magic.h>

namespace gr {
namespace gpufft {

namespace {

// Beyond this a double is too coarse for the intended band.
constexpr double MAX_TURNS = 1 << 20;

// Frequency in turns / 2^64 per sample, exact to the last bit of long double.
std::uint64_t step_of(double frequency, double samp_rate)
{
    long double turns = static_cast<long double>(frequency) / samp_rate;
    turns -= std::floor(turns);
    return turns < 1 ? static_cast<std::uint64_t>(std::ldexp(turns, 64)) : 0;
}

} // namespace

plan_settings channel_settings::resolve() const
{
    check_positive("samp_rate", samp_rate);
    plan_settings result = filter_settings(decimation,
                                           numbers_of(taps),
                                           sample_format::cf32,
                                           formats,
                                           sample_choice::packed_real);
    result.what.running = true;
    result.what.bins = centers.size();
    result.what.validate();
    result.threads = check_range("nthreads", nthreads, 0, MAX_THREADS);
    for (double center : centers) {
        const double most = MAX_TURNS * samp_rate;
        if (!(std::abs(center) <= most))
            throw std::invalid_argument(
                fmt::format("center frequency is {} Hz: must be {} ... {} Hz, 2^20 times "
                            "samp_rate",
                            center,
                            -most,
                            most));
        result.steps.push_back(step_of(center, samp_rate));
    }
    return result;
}

gr::io_signature::sptr channel_settings::inputs() const
{
    return gr::io_signature::make(1, 1, static_cast<int>(bytes_of(formats).input));
}

gr::io_signature::sptr channel_settings::outputs() const
{
    const int channels = static_cast<int>(centers.size());
    const int bytes = static_cast<int>(bytes_of(formats).output);
    return has_streams ? gr::io_signature::make(1, channels, bytes)
                       : gr::io_signature::make(1, 1, channels * bytes);
}

channel_core::sptr channel_core::make(const channel_settings& settings,
                                      const engine_options& options)
{
    return gnuradio::make_block_sptr<channel_core>(settings, options);
}

channel_core::channel_core(const channel_settings& settings,
                           const engine_options& options)
    : gr::block("channel_bank", settings.inputs(), settings.outputs()),
      filter_block(settings.resolve(), options),
      d_settings(settings)
{
}

std::string channel_core::describe() const
{
    const channel_settings now = settings();
    return describe_taps(now.taps.size(),
                         padded_taps(now.decimation, now.taps.size(), samples_in_item()));
}

} // namespace gpufft
} // namespace gr
