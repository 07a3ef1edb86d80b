// SPDX-License-Identifier: GPL-3.0-or-later
//
// FIR filters of real and complex samples and taps.

#include "fft_filter_impl.h"
#include "item_format.h"
#include "ranges.h"
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

template <class T, class Tap>
constexpr const char* NAME = "fft_filter_fff";
template <>
constexpr const char* NAME<gr_complex, gr_complex> = "fft_filter_ccc";
template <>
constexpr const char* NAME<gr_complex, float> = "fft_filter_ccf";

} // namespace

template <class Tap>
plan_settings fft_filter_settings<Tap>::resolve(sample_format format) const
{
    plan_settings result = filter_settings(decimation, numbers_of(taps), format);
    result.threads = check_range("nthreads", nthreads, 0, MAX_THREADS);
    return result;
}

template <class T, class Tap>
typename fft_filter<T, Tap>::sptr fft_filter<T, Tap>::make(std::int64_t decimation,
                                                           const std::vector<Tap>& taps,
                                                           int nthreads,
                                                           const std::string& engine,
                                                           const device_list& device,
                                                           const std::string& on_error,
                                                           double device_timeout)
{
    return gnuradio::make_block_sptr<fft_filter_impl<T, Tap>>(
        fft_filter_settings<Tap>{ decimation, taps, nthreads },
        engine_options{ engine, device, on_error, device_timeout });
}

template <class T, class Tap>
fft_filter_impl<T, Tap>::fft_filter_impl(const fft_filter_settings<Tap>& settings,
                                         const engine_options& options)
    : gr::block(NAME<T, Tap>,
                gr::io_signature::make(1, 1, sizeof(T)),
                gr::io_signature::make(1, 1, sizeof(T))),
      filter_block(settings.resolve(FORMAT<T>), options),
      d_settings(settings)
{
}

template <class T, class Tap>
template <class Change>
void fft_filter_impl<T, Tap>::change(Change&& change)
{
    d_settings.change(change, [this](const fft_filter_settings<Tap>& next) {
        this->configure(next.resolve(FORMAT<T>));
    });
}

template <class T, class Tap>
std::string fft_filter_impl<T, Tap>::describe() const
{
    const fft_filter_settings<Tap> now = d_settings.get();
    return this->describe_taps(now.taps.size(),
                               padded_taps(now.decimation, now.taps.size()));
}

template <class T, class Tap>
void fft_filter_impl<T, Tap>::set_taps(const std::vector<Tap>& taps)
{
    change([&](auto& next) { next.taps = taps; });
}

template <class T, class Tap>
void fft_filter_impl<T, Tap>::set_decimation(std::int64_t decimation)
{
    change([&](auto& next) { next.decimation = decimation; });
}

template <class T, class Tap>
void fft_filter_impl<T, Tap>::set_nthreads(int n)
{
    change([&](auto& next) { next.nthreads = n; });
}

template class fft_filter<gr_complex, gr_complex>;
template class fft_filter<gr_complex, float>;
template class fft_filter<float, float>;

} // namespace gpufft
} // namespace gr
