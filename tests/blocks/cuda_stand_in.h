// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stand-in for the module gr-cuda, written from its published interface: a buffer type
// of the same name, with memory of a simulated device and of the host, and a block that
// works in the legacy default stream without waiting.

#ifndef INCLUDED_GPUFFT_TEST_CUDA_STAND_IN_H
#define INCLUDED_GPUFFT_TEST_CUDA_STAND_IN_H

#include "engine/async_device.h"
#include <gnuradio/buffer_single_mapped.h>
#include <gnuradio/buffer_type.h>
#include <gnuradio/sync_block.h>

namespace gr {

class cuda_buffer : public buffer_single_mapped
{
public:
    static buffer_type type;
    static buffer_sptr make_buffer(int nitems,
                                   std::size_t sizeof_item,
                                   std::uint64_t downstream_lcm_nitems,
                                   std::uint32_t downstream_max_out_mult,
                                   block_sptr link,
                                   block_sptr buf_owner);

    void post_work(int nitems) override;
    void* write_pointer() override;
    const void* _read_pointer(unsigned read_index) override;
    bool input_blocked_callback(int items_required,
                                int items_avail,
                                unsigned read_index) override;
    bool output_blocked_callback(int output_multiple, bool force) override;

    static long made(); // so many in this process

protected:
    bool do_allocate_buffer(std::size_t final_nitems, std::size_t sizeof_item) override;

private:
    cuda_buffer(int nitems,
                std::size_t sizeof_item,
                std::uint64_t downstream_lcm_nitems,
                std::uint32_t downstream_max_out_mult,
                block_sptr link,
                block_sptr buf_owner);
    void* copy(void* to, const void* from, std::size_t bytes);
    void* move(void* to, const void* from, std::size_t bytes);

    const gpufft::async_device::sptr d_device;
    const std::unique_ptr<gpufft::async_device::queue> d_queue;
    std::unique_ptr<gpufft::async_device::memory> d_on_card, d_on_host;
    char* d_there = nullptr; // on the card
};

namespace gpufft {

// y = -x for floats.
class cuda_negate : public sync_block
{
public:
    explicit cuda_negate(std::size_t item_bytes);
    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    const std::size_t d_item_bytes;
    const async_device::sptr d_device;
    const std::unique_ptr<async_device::queue> d_queue;
};

} // namespace gpufft
} // namespace gr

#endif
