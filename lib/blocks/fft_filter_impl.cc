// SPDX-License-Identifier: GPL-3.0-or-later
//
// FIR filters of real and complex samples and taps.

#include "filter_block.h"
#include "filter_settings.h"
#include "item_format.h"
#include "ranges.h"
#include "shared_settings.h"
#include <gnuradio/gpufft/fft_filter.h>
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

template <class T, class Tap>
struct fft_filter_settings {
    std::int64_t decimation;
    std::vector<Tap> taps;
    int nthreads;
    item_formats formats;

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve() const
    {
        constexpr bool is_real = std::is_same_v<T, float>;
        plan_settings result =
            filter_settings(decimation,
                            numbers_of(taps),
                            FORMAT<T>,
                            formats,
                            is_real ? sample_choice::packed_real : sample_choice::packed);
        result.threads = check_range("nthreads", nthreads, 0, MAX_THREADS);
        return result;
    }
};

template <class T, class Tap>
class fft_filter_impl : public fft_filter<T, Tap>, public filter_block
{
    typedef fft_filter_settings<T, Tap> settings;

public:
    fft_filter_impl(const settings& first,
                    const plan_settings& resolved,
                    const engine_options& options)
        : gr::block(NAME<T, Tap>,
                    gr::io_signature::make(1, 1, int(resolved.what.input_item_bytes())),
                    gr::io_signature::make(1, 1, int(resolved.what.output_item_bytes()))),
          filter_block(resolved, options),
          d_settings(first)
    {
    }

    void set_taps(const std::vector<Tap>& taps) override
    {
        change([&](settings& next) { next.taps = taps; });
    }
    void set_decimation(std::int64_t decimation) override
    {
        change([&](settings& next) { next.decimation = decimation; });
    }
    void set_nthreads(int n) override
    {
        change([&](settings& next) { next.nthreads = n; });
    }
    void set_output_scale(double factor) override
    {
        change([&](settings& next) { next.formats.output_scale = factor; });
    }
    double output_scale() const override { return d_settings.get().formats.output_scale; }
    std::vector<Tap> taps() const override { return d_settings.get().taps; }
    std::int64_t decimation() const override { return d_settings.get().decimation; }
    int nthreads() const override { return d_settings.get().nthreads; }
    std::int64_t max_taps() const override { return most_taps(); }
    std::string describe() const override
    {
        const settings now = d_settings.get();
        return describe_taps(
            now.taps.size(),
            padded_taps(now.decimation, now.taps.size(), samples_in_item()));
    }

private:
    template <class Change>
    void change(Change&& change)
    {
        d_settings.change(change,
                          [this](const settings& next) { configure(next.resolve()); });
    }

    shared_settings<settings> d_settings;
};

} // namespace

template <class T, class Tap>
typename fft_filter<T, Tap>::sptr fft_filter<T, Tap>::make(std::int64_t decimation,
                                                           const std::vector<Tap>& taps,
                                                           int nthreads,
                                                           const std::string& engine,
                                                           const device_list& device,
                                                           const std::string& on_error,
                                                           double device_timeout,
                                                           const item_formats& formats)
{
    const fft_filter_settings<T, Tap> settings{ decimation, taps, nthreads, formats };
    return gnuradio::make_block_sptr<fft_filter_impl<T, Tap>>(
        settings,
        settings.resolve(),
        engine_options{ engine, device, on_error, device_timeout });
}

template class fft_filter<gr_complex, gr_complex>;
template class fft_filter<gr_complex, float>;
template class fft_filter<float, float>;

} // namespace gpufft
} // namespace gr
