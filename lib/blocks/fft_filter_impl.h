// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_FFT_FILTER_IMPL_H
#define INCLUDED_GPUFFT_FFT_FILTER_IMPL_H

#include "shared_settings.h"
#include "stream/engine_base.h"
#include "stream/framer.h"
#include <atomic>
#include <gnuradio/gpufft/fft_filter.h>

namespace gr {
namespace gpufft {

template <class Tap>
struct fft_filter_settings {
    std::int64_t decimation;
    std::vector<Tap> taps;
    std::int64_t max_taps;
    int nthreads;

    // Throws std::invalid_argument for a value out of range.
    plan_settings resolve(sample_format format) const;
};

template <class T, class Tap>
class fft_filter_impl : public fft_filter<T, Tap>, public engine_base
{
public:
    fft_filter_impl(const fft_filter_settings<Tap>& settings,
                    const engine_options& options);

    void set_taps(const std::vector<Tap>& taps) override;
    void set_decimation(std::int64_t decimation) override;
    void set_nthreads(int n) override;
    std::vector<Tap> taps() const override { return d_settings.get().taps; }
    std::int64_t decimation() const override { return d_settings.get().decimation; }
    int nthreads() const override { return d_settings.get().nthreads; }
    std::int64_t max_taps() const override { return d_first.max_taps; }

    void forecast(int noutput_items, gr_vector_int& ninput_items_required) override;
    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;
    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override;

private:
    template <class Change>
    void change(Change&& change);
    std::size_t whole_parts(std::size_t samples, std::size_t outputs) const;
    void keep_tags(std::size_t samples);
    void forward_tags(std::size_t outputs, std::size_t hop);

    const fft_filter_settings<Tap> d_first; // as it was made
    const std::size_t d_frame; // samples that the framer holds for an output: max_taps,
                               // and the rest of a group of the first decimation
    framer d_framer;
    bool d_is_placed = false;     // d_history is known
    std::uint64_t d_history = 0;  // samples of zeros before this run's first
    std::vector<tag_t> d_tags;    // of samples whose output is still to come
    std::uint64_t d_passed = 0;   // samples whose output is out
    std::uint64_t d_tags_end = 0; // no tag from this sample on is among them yet
    shared_settings<fft_filter_settings<Tap>> d_settings;
};

} // namespace gpufft
} // namespace gr

#endif
