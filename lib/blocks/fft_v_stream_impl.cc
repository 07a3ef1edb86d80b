// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFT of frames cut from a stream.

#include "fft_v_stream_impl.h"
#include <algorithm>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

template <class T, bool forward>
fft_v_stream_impl<T, forward>::fft_v_stream_impl(const fft_v_settings& settings,
                                                 const engine_options& options)
    : gr::sync_block(sizeof(T) == sizeof(float) ? "fft_vfc_stream" : "fft_vcc_stream",
                     gr::io_signature::make(1, 1, sizeof(T)),
                     gr::io_signature::make(1, 1, sizeof(gr_complex))),
      fft_v_impl<T, forward>(settings, options)
{
    this->set_fixed_rate(false); // general_work() consumes by itself
    this->set_tag_propagation_policy(gr::block::TPP_DONT); // forward_tags() does it
    this->ask_for_buffers(this->stream_chunk(this->d_fft_size, sizeof(gr_complex)));
}

template <class T, bool forward>
bool fft_v_stream_impl<T, forward>::start()
{
    d_rest.clear();
    d_delivered = 0;
    return fft_v_impl<T, forward>::start();
}

template <class T, bool forward>
void fft_v_stream_impl<T, forward>::forecast(int, gr_vector_int& ninput_items_required)
{
    const bool goes_on = d_delivered < d_rest.size() ||
                         this->d_stream.samples_in_flight() > 0 || this->is_unread();
    ninput_items_required[0] = goes_on ? 0 : static_cast<int>(this->d_framer.wanted());
}

template <class T, bool forward>
int fft_v_stream_impl<T, forward>::general_work(int noutput_items,
                                                gr_vector_int& ninput_items,
                                                gr_vector_const_void_star& input_items,
                                                gr_vector_void_star& output_items)
{
    return this->guarded_work([&] {
        if (d_delivered < d_rest.size())
            return deliver_rest(output_items[0], noutput_items);

        const std::size_t n = this->d_fft_size;
        chunked_stream::window now;
        now.input = input_items[0];
        now.samples = ninput_items[0];
        now.output = output_items[0];
        now.rows = noutput_items / n;
        now.bytes_read = this->nitems_read(0) * sizeof(T);
        now.bytes_written = this->nitems_written(0) * sizeof(gr_complex);
        const bool has_room = now.rows > 0 || this->d_stream.samples_in_flight() > 0;
        if (!has_room) {
            d_rest.resize(n);
            now.output = d_rest.data();
            now.rows = 1;
        }
        const chunked_stream::result next = this->d_stream.step(now, this->d_framer);
        d_delivered = has_room || next.rows == 0 ? d_rest.size() : 0;
        forward_tags(next.run, next.consumed);
        this->consume_each(static_cast<int>(next.consumed));
        return has_room ? static_cast<int>(next.rows * n)
                        : deliver_rest(output_items[0], noutput_items);
    });
}

template <class T, bool forward>
int fft_v_stream_impl<T, forward>::deliver_rest(void* output, int noutput_items)
{
    const std::size_t count =
        std::min<std::size_t>(noutput_items, d_rest.size() - d_delivered);
    std::copy_n(d_rest.data() + d_delivered, count, static_cast<gr_complex*>(output));
    d_delivered += count;
    return static_cast<int>(count);
}

template <class T, bool forward>
void fft_v_stream_impl<T, forward>::forward_tags(const framer::run& next,
                                                 std::size_t consumed)
{
    const std::uint64_t begin = this->nitems_read(0);
    std::vector<tag_t> tags;
    this->get_tags_in_range(tags, 0, begin, begin + consumed);
    for (tag_t& tag : tags) {
        const std::size_t frame = next.frame_of(tag.offset - begin);
        tag.offset = this->nitems_written(0) + frame * this->d_fft_size;
        this->add_item_tag(0, tag);
    }
}

template class fft_v_stream_impl<gr_complex, true>;
template class fft_v_stream_impl<gr_complex, false>;
template class fft_v_stream_impl<float, true>;
template class fft_v_stream_impl<float, false>;

} // namespace gpufft
} // namespace gr
