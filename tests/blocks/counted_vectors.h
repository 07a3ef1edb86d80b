// SPDX-License-Identifier: GPL-3.0-or-later
//
// A source of vectors that their transforms count, and a sink that keeps the counts.

#ifndef INCLUDED_GPUFFT_COUNTED_VECTORS_H
#define INCLUDED_GPUFFT_COUNTED_VECTORS_H

#include <algorithm>
#include <functional>
#include <gnuradio/io_signature.h>
#include <gnuradio/sync_block.h>
#include <vector>

namespace gr {
namespace gpufft {

constexpr int N = 16;
constexpr int VECTORS = 1001;

// Vectors whose transforms tell them apart: vector v is v + 1 at m = 0, else 0, so that
// all its bins are v + 1.
class counting_source : public sync_block
{
public:
    explicit counting_source(int vlen)
        : sync_block("counting_source",
                     io_signature::make(0, 0, 0),
                     io_signature::make(1, 1, vlen * sizeof(gr_complex))),
          d_vlen(vlen)
    {
    }
    int work(int noutput_items,
             gr_vector_const_void_star&,
             gr_vector_void_star& output_items) override
    {
        const int total = VECTORS * N / d_vlen;
        const int count = std::min({ noutput_items, total - d_sent, 7 * N / d_vlen });
        if (count == 0)
            return WORK_DONE;
        auto* out = static_cast<gr_complex*>(output_items[0]);
        for (int i = 0; i < count * d_vlen; i++) {
            const int sample = d_sent * d_vlen + i;
            out[i] = sample % N == 0 ? 1.0f + sample / N : 0.0f;
        }
        d_sent += count;
        return count;
    }
    bool start() override
    {
        d_sent = 0;
        return true;
    }

private:
    const int d_vlen;
    int d_sent = 0;
};

// Keeps the first bin of every vector, or what value_of says, and the status messages.
class keeping_sink : public sync_block
{
public:
    keeping_sink(std::size_t item_bytes, std::size_t stride)
        : sync_block("keeping_sink",
                     io_signature::make(1, 1, static_cast<int>(item_bytes)),
                     io_signature::make(0, 0, 0)),
          d_item_bytes(item_bytes),
          d_stride(stride)
    {
        message_port_register_in(pmt::mp("status"));
        set_msg_handler(pmt::mp("status"),
                        [this](const pmt::pmt_t& text) { statuses.push_back(text); });
    }
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star&) override
    {
        const char* in = static_cast<const char*>(input_items[0]);
        for (int i = 0; i < noutput_items; i++, d_seen++) {
            if (d_seen % d_stride != 0)
                continue;
            values.push_back(
                value_of(reinterpret_cast<const float*>(in + i * d_item_bytes)));
        }
        return noutput_items;
    }
    bool start() override
    {
        d_seen = 0;
        values.clear();
        return true;
    }

    std::vector<float> values;
    std::function<float(const float*)> value_of = [](const float* row) { return *row; };
    std::vector<pmt::pmt_t> statuses;

private:
    const std::size_t d_item_bytes;
    const std::size_t d_stride;
    std::size_t d_seen = 0;
};

} // namespace gpufft
} // namespace gr

#endif
