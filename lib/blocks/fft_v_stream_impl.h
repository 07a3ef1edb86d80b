// SPDX-License-Identifier: GPL-3.0-or-later
//
// fft_v on plain streams of samples (vlen = 1): cuts its frames itself.

#ifndef INCLUDED_GPUFFT_FFT_V_STREAM_IMPL_H
#define INCLUDED_GPUFFT_FFT_V_STREAM_IMPL_H

#include "fft_v_impl.h"
#include "stream/framer.h"

namespace gr {
namespace gpufft {

template <class T, bool forward>
class fft_v_stream_impl : public fft_v_impl<T, forward>
{
public:
    fft_v_stream_impl(const fft_v_settings& settings, const engine_options& options);

    bool start() override;
    void forecast(int noutput_items, gr_vector_int& ninput_items_required) override;
    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override;

private:
    void forward_tags(const framer::run& next, std::size_t consumed);
    int deliver_rest(void* output, int noutput_items);

    std::vector<gr_complex> d_rest; // a row that the output had no room for
    std::size_t d_delivered = 0;    // bins of it already written
};

} // namespace gpufft
} // namespace gr

#endif
