// SPDX-License-Identifier: GPL-3.0-or-later
//
// Double-mapped device memory, like GNU Radio's buffers on the host: address + i and
// address + bytes + i are the same memory, so that data across the end is contiguous.

#ifndef INCLUDED_GPUFFT_CUDA_RING_MEMORY_H
#define INCLUDED_GPUFFT_CUDA_RING_MEMORY_H

#include "device.h"
#include "engine/async_device.h"

namespace gr {
namespace gpufft {

// False if the card `user` cannot reach the memory of the card `owner`.
bool can_access(int user, int owner);

class ring_memory : public async_device::ring
{
public:
    // Allocates at least `bytes`, readable by every card that can access this one. Throws
    // cuda_error.
    ring_memory(const device_context& context, std::size_t bytes);
    ~ring_memory() override;
    ring_memory(const ring_memory&) = delete;
    ring_memory& operator=(const ring_memory&) = delete;

    std::size_t bytes() const override { return d_bytes; }
    void* address() const override { return reinterpret_cast<void*>(d_address); }

private:
    void allocate(const CUmemAllocationProp& what);
    void map();
    void release() noexcept;

    const device_context& d_context;
    const device_context::guest d_guest;
    std::size_t d_bytes = 0;
    CUmemGenericAllocationHandle d_memory = 0;
    CUdeviceptr d_address = 0; // start of 2 * d_bytes, once reserved
    std::size_t d_mapped = 0;  // bytes mapped there
};

} // namespace gpufft
} // namespace gr

#endif
