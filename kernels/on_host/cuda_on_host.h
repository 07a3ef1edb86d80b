// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kernel's view of CUDA, for g++: thread and block indices, barriers, shared memory.
// The threads of a block are fibers that run one after another from barrier to barrier
// (host_launch.h). kernels/device.cuh includes it in place of CUDA's own names.

#ifndef INCLUDED_GPUFFT_CUDA_ON_HOST_H
#define INCLUDED_GPUFFT_CUDA_ON_HOST_H

#include "arguments.cuh"
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define GPUFFT_DEVICE inline
#define GPUFFT_KERNEL(threads, blocks) inline void

namespace gr {
namespace gpufft {

// What kernels of both precisions share.
namespace host_device {

struct index3 {
    unsigned x = 0, y = 0, z = 0;
};

// Indices of the running fiber, set by launch_on_host().
inline thread_local index3 threadIdx, blockIdx, gridDim;
inline thread_local unsigned char* block_shared_memory = nullptr;

// Suspend the fiber until every other fiber of the block (of the warp) has reached this
// call.
void __syncthreads();
void __syncwarp();

// Throws std::logic_error that names the kernel and `what`.
[[noreturn]] void
refuse_number(const char* what, unsigned long long number, unsigned multiple_of);

// Throws if the card would refuse the address or size, because it is not a multiple of
// `multiple_of`.
inline void
expect_multiple(const char* what, unsigned long long number, unsigned multiple_of)
{
    if (number % multiple_of != 0)
        refuse_number(what, number, multiple_of);
}

inline void expect_multiple(const char* what, const void* address, unsigned multiple_of)
{
    expect_multiple(what, reinterpret_cast<std::uintptr_t>(address), multiple_of);
}

// Parameters of a user's expressions, set by host_plan.
inline thread_local float gpufft_parameters[16];

inline float user_float(unsigned bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

template <class T>
T* shared_memory()
{
    return reinterpret_cast<T*>(block_shared_memory);
}

inline void begin_kernel() {}

template <class T>
T load_constant(const T* address)
{
    return *address;
}

template <class T>
T load_shared_by_blocks(const T* address)
{
    return *address;
}

template <class T>
T load_with_line(const T* address)
{
    expect_multiple("the address of a load with its line", address, sizeof(T));
    return *address;
}

template <class Count>
void add_to_count(Count* count, Count more)
{
    *count += more;
}

} // namespace host_device

namespace kernels {
using namespace host_device;
} // namespace kernels
} // namespace gpufft
} // namespace gr

#endif
