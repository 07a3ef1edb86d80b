// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times of work on a GPU by its own clock, and the rate at which the card copies memory,
// which every transform is measured against.

#ifndef INCLUDED_GPUFFT_GPU_TIMING_H
#define INCLUDED_GPUFFT_GPU_TIMING_H

#include "engine/cuda/device.h"
#include "timing.h"
#include <functional>

namespace gr {
namespace gpufft {

typedef std::function<void()> queued_work;

// Times `runs` runs of `calls` calls of `work`, which queues on `stream`, after some that
// only warm up; times are those of one call. `before`, if there is one, queues what each
// run needs first and is not timed. The context must be current.
timing time_on_gpu(CUstream stream,
                   int runs,
                   const queued_work& work,
                   int calls = 1,
                   const queued_work& before = nullptr);

// Calls that together take about 2 ms, 1 ... 400: what is too short to be timed alone is
// timed as the mean over a stream full of it.
int calls_in_a_run(CUstream stream, const queued_work& work);

// Queues a copy within the memory of the device.
void queue_copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream);

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
