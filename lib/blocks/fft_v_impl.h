// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_FFT_V_IMPL_H
#define INCLUDED_GPUFFT_FFT_V_IMPL_H

#include "shared_settings.h"
#include "stream/engine_base.h"
#include <gnuradio/gpufft/fft_v.h>

namespace gr {
namespace gpufft {

struct fft_v_settings {
    std::int64_t fft_size;
    window_spec window;
    bool shift;
    int nthreads;

    // Throws std::invalid_argument for a value out of range, std::runtime_error (as
    // gr-fft) for a window that does not fit.
    plan_settings resolve(direction dir, sample_format format) const;
};

// With vector ports. fft_v_stream_impl is the form with plain streams.
template <class T, bool forward>
class fft_v_impl : public fft_v<T, forward>, public engine_base
{
public:
    fft_v_impl(const fft_v_settings& settings, const engine_options& options);

    void set_nthreads(int n) override;
    int nthreads() const override { return d_settings.get().nthreads; }
    bool set_window(const window_spec& window) override;

    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

protected:
    // Asks for two chunks of `items` on both sides (ask_for_output()); the block runs
    // with an output multiple of 1.
    void ask_for_buffers(std::size_t items);

    const std::size_t d_fft_size;
    framer d_framer;

private:
    template <class Change>
    void change(Change&& change);

    std::size_t d_buffer_items = 1;
    shared_settings<fft_v_settings> d_settings;
};

} // namespace gpufft
} // namespace gr

#endif
