// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies of the simulated device where the module calls CUDA.

#include "cuda_stand_in.h"
#include "simulated_function.h"
#include "stream/live_plan.h"
#include <atomic>
#include <cstring>
#include <gnuradio/io_signature.h>

namespace gr {

namespace {

std::atomic<long> s_made{ 0 };

std::unique_ptr<gpufft::async_device::queue>
legacy_stream(const gpufft::async_device::sptr& device)
{
    return device->borrow_queue(reinterpret_cast<void*>(1)); // CU_STREAM_LEGACY
}

} // namespace

buffer_type cuda_buffer::type(*new buftype<cuda_buffer, cuda_buffer>);

long cuda_buffer::made() { return s_made; }

buffer_sptr cuda_buffer::make_buffer(int nitems,
                                     std::size_t sizeof_item,
                                     std::uint64_t downstream_lcm_nitems,
                                     std::uint32_t downstream_max_out_mult,
                                     block_sptr link,
                                     block_sptr buf_owner)
{
    return buffer_sptr(new cuda_buffer(nitems,
                                       sizeof_item,
                                       downstream_lcm_nitems,
                                       downstream_max_out_mult,
                                       link,
                                       buf_owner));
}

cuda_buffer::cuda_buffer(int nitems,
                         std::size_t sizeof_item,
                         std::uint64_t downstream_lcm_nitems,
                         std::uint32_t downstream_max_out_mult,
                         block_sptr link,
                         block_sptr buf_owner)
    : buffer_single_mapped(nitems,
                           sizeof_item,
                           downstream_lcm_nitems,
                           downstream_max_out_mult,
                           link,
                           buf_owner),
      d_device(gpufft::live_plan::s_make_device(0)),
      d_queue(legacy_stream(d_device))
{
    ++s_made;
    if (!allocate_buffer(nitems))
        throw std::bad_alloc();
}

bool cuda_buffer::do_allocate_buffer(std::size_t final_nitems, std::size_t sizeof_item)
{
    d_on_host = d_device->allocate_pinned(final_nitems * sizeof_item);
    d_on_card = d_device->allocate(final_nitems * sizeof_item);
    d_base = static_cast<char*>(d_on_host->address());
    d_there = static_cast<char*>(d_on_card->address());
    return true;
}

void* cuda_buffer::copy(void* to, const void* from, std::size_t bytes)
{
    d_device->copy(*d_queue, to, from, bytes);
    d_device->synchronize(*d_queue);
    return to;
}

// The places may overlap.
void* cuda_buffer::move(void* to, const void* from, std::size_t bytes)
{
    const auto between = d_device->allocate(bytes);
    d_device->copy(*d_queue, between->address(), from, bytes);
    return copy(to, between->address(), bytes);
}

void cuda_buffer::post_work(int nitems)
{
    if (nitems <= 0)
        return;
    const std::size_t at = d_write_index * d_sizeof_item, bytes = nitems * d_sizeof_item;
    if (d_transfer_type == transfer_type::HOST_TO_DEVICE)
        copy(d_there + at, d_base + at, bytes);
    else if (d_transfer_type == transfer_type::DEVICE_TO_HOST)
        copy(d_base + at, d_there + at, bytes);
}

void* cuda_buffer::write_pointer()
{
    char* const memory =
        d_transfer_type == transfer_type::HOST_TO_DEVICE ? d_base : d_there;
    return memory + d_write_index * d_sizeof_item;
}

const void* cuda_buffer::_read_pointer(unsigned read_index)
{
    const char* const memory =
        d_transfer_type == transfer_type::DEVICE_TO_HOST ? d_base : d_there;
    return memory + read_index * d_sizeof_item;
}

bool cuda_buffer::input_blocked_callback(int items_required,
                                         int items_avail,
                                         unsigned read_index)
{
    if (d_transfer_type == transfer_type::DEVICE_TO_HOST)
        return input_blocked_callback_logic(
            items_required, items_avail, read_index, d_base, std::memcpy, std::memmove);
    const mem_func_t copies = [this](void* to, const void* from, std::size_t bytes) {
        return copy(to, from, bytes);
    };
    const mem_func_t moves = [this](void* to, const void* from, std::size_t bytes) {
        return move(to, from, bytes);
    };
    return input_blocked_callback_logic(
        items_required, items_avail, read_index, d_there, copies, moves);
}

bool cuda_buffer::output_blocked_callback(int output_multiple, bool force)
{
    if (d_transfer_type == transfer_type::HOST_TO_DEVICE)
        return output_blocked_callback_logic(
            output_multiple, force, d_base, std::memmove);
    const mem_func_t moves = [this](void* to, const void* from, std::size_t bytes) {
        return move(to, from, bytes);
    };
    return output_blocked_callback_logic(output_multiple, force, d_there, moves);
}

namespace gpufft {

cuda_negate::cuda_negate(std::size_t item_bytes)
    : gr::sync_block(
          "cuda_negate",
          gr::io_signature::make(1, 1, static_cast<int>(item_bytes), cuda_buffer::type),
          gr::io_signature::make(1, 1, static_cast<int>(item_bytes), cuda_buffer::type)),
      d_item_bytes(item_bytes),
      d_device(live_plan::s_make_device(0)),
      d_queue(legacy_stream(d_device))
{
}

int cuda_negate::work(int noutput_items,
                      gr_vector_const_void_star& input_items,
                      gr_vector_void_star& output_items)
{
    const std::size_t bytes = noutput_items * d_item_bytes;
    queue_on_simulated_device(d_queue->handle(),
                              input_items[0],
                              bytes,
                              output_items[0],
                              bytes,
                              [=](const char* input, char* output) {
                                  for (std::size_t at = 0; at < bytes;
                                       at += sizeof(float)) {
                                      float value;
                                      std::memcpy(&value, input + at, sizeof(value));
                                      value = -value;
                                      std::memcpy(output + at, &value, sizeof(value));
                                  }
                              });
    return noutput_items;
}

} // namespace gpufft
} // namespace gr
