// SPDX-License-Identifier: GPL-3.0-or-later
//
// The copy engine of kernels/bulk_copy.cuh, for g++: copies are done when they start.

#ifndef INCLUDED_GPUFFT_BULK_COPY_ON_HOST_H
#define INCLUDED_GPUFFT_BULK_COPY_ON_HOST_H

#include "cluster_on_host.h"

#define GPUFFT_HAS_BULK_COPY 1

namespace gr {
namespace gpufft {
namespace host_device {

inline void expect_bulk_copy(const void* to, const void* from, int bytes)
{
    expect_multiple("the source of a bulk copy", from, 16);
    expect_multiple("the destination of a bulk copy", to, 16);
    expect_multiple(
        "the size of a bulk copy", static_cast<unsigned long long>(bytes), 16);
}

template <class T>
void start_bulk_load(T* to, const T* from, int bytes, transfer_barrier* arrived)
{
    expect_bulk_copy(to, from, bytes);
    std::memcpy(to, from, bytes);
    arrived->bytes -= bytes;
    arrived->advance();
}

template <class T>
void start_bulk_store(T* to, const T* from, int bytes)
{
    expect_bulk_copy(to, from, bytes);
    std::memcpy(to, from, bytes);
}

inline void wait_for_bulk_stores() {}
inline void show_to_bulk_copies() {}

// Frames may lie at any address: the tests cover every distance.
inline int bytes_beyond_16(const void* address)
{
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) % 16);
}

} // namespace host_device
} // namespace gpufft
} // namespace gr

#endif
