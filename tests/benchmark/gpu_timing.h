// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times of work on a GPU by its own clock, and the rate at which the card copies memory,
// which every transform is measured against.

#ifndef INCLUDED_GPUFFT_GPU_TIMING_H
#define INCLUDED_GPUFFT_GPU_TIMING_H

#include "engine/cuda/device.h"
#include <functional>

namespace gr {
namespace gpufft {

// Milliseconds of one call.
struct timing {
    double median = 0;
    double least = 0;
    double most = 0;
};

// Times `runs` calls of `work`, which queues on `stream`, after some that only warm up.
// The context must be current.
timing time_on_gpu(CUstream stream, int runs, const std::function<void()>& work);

// Bytes read and written a second while the card copies memory, in GB/s.
struct copy_rate {
    double driver = 0; // cuMemcpyDtoDAsync
    double kernel = 0; // 16 bytes a thread at a time
    double best() const { return driver > kernel ? driver : kernel; }
};

// Copies `bytes`, a multiple of 16 KiB, from one buffer to the other.
copy_rate measure_copy_rate(const device_context& context,
                            CUdeviceptr from,
                            CUdeviceptr to,
                            std::size_t bytes,
                            CUstream stream,
                            int runs);

} // namespace gpufft
} // namespace gr

#endif
