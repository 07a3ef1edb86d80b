// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns a stream of samples into vectors of channels around any frequencies: the core of
// channel_bank_cc and freq_xlating_fft_filter.

#ifndef INCLUDED_GPUFFT_CHANNEL_CORE_H
#define INCLUDED_GPUFFT_CHANNEL_CORE_H

#include "filter_block.h"
#include "filter_settings.h"
#include "shared_settings.h"
#include <gnuradio/gr_complex.h>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

struct channel_settings {
    std::int64_t decimation = 1;
    std::vector<gr_complex> taps;
    std::vector<double> centers; // Hz
    double samp_rate = 1.0;      // Hz
    int nthreads = 1;
    bool has_streams = false; // the block has a stream for each channel
    item_formats formats;

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve() const;

    gr::io_signature::sptr inputs() const;
    gr::io_signature::sptr outputs() const;

    bool is_vector() const { return centers.size() > 1 && !has_streams; }
};

class channel_core : virtual public gr::block, public filter_block
{
public:
    typedef std::shared_ptr<channel_core> sptr;

    static sptr make(const channel_settings& settings, const engine_options& options);

    channel_core(const channel_settings& settings, const engine_options& options);

    channel_settings settings() const { return d_settings.get(); }
    std::string describe() const override;

    // Largest number of taps that take over at once.
    std::int64_t max_taps() const { return most_taps(); }

    // Calls change(settings) and takes over all settings, or none if that throws.
    template <class Change>
    void change(Change&& change)
    {
        d_settings.change(
            change, [this](const channel_settings& next) { configure(next.resolve()); });
    }

private:
    double center_of(std::size_t item, double) const override
    {
        return d_settings.read([item](const channel_settings& now) {
            return now.is_vector() ? 0 : now.centers[item];
        });
    }

    shared_settings<channel_settings> d_settings;
};

} // namespace gpufft
} // namespace gr

#endif
