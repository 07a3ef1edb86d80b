// SPDX-License-Identifier: GPL-3.0-or-later
//
// Phantoms whose items are on a card: a writer and a reader of the ring beside GNU
// Radio's buffer, so that nothing crosses the link. The source fills the ring once.

#ifndef INCLUDED_GPUFFT_BENCH_CARD_PHANTOMS_H
#define INCLUDED_GPUFFT_BENCH_CARD_PHANTOMS_H

#include "phantom_blocks.h"
#include "stream/stream_edge.h"

namespace gr {
namespace gpufft {

class card_source : public phantom_source
{
public:
    // Complex floats on the card with this index.
    card_source(std::size_t item_bytes, int device, std::shared_ptr<run_span> span);

    bool stop() override;
    int
    work(int noutput_items, gr_vector_const_void_star&, gr_vector_void_star&) override;

private:
    void fill_ring();

    const async_device::sptr d_device;
    std::unique_ptr<stream_edge::output> d_edge;
    ring_log::event_sptr d_filled;
};

class card_sink : public phantom_sink
{
public:
    card_sink(std::size_t item_bytes, int device, std::shared_ptr<run_span> span);

    bool start() override;
    bool stop() override;
    int
    work(int noutput_items, gr_vector_const_void_star&, gr_vector_void_star&) override;

private:
    const async_device::sptr d_device;
    const std::unique_ptr<async_device::queue> d_queue; // that would read
    std::unique_ptr<stream_edge::input> d_edge;
};

} // namespace gpufft
} // namespace gr

#endif
