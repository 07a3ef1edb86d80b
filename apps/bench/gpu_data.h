// SPDX-License-Identifier: GPL-3.0-or-later
//
// Input and output of the benchmark in device memory.

#ifndef INCLUDED_GPUFFT_BENCH_GPU_DATA_H
#define INCLUDED_GPUFFT_BENCH_GPU_DATA_H

#include "engine/cuda/device.h"
#include "reference.h"
#include <map>
#include <string>
#include <utility>

namespace gr {
namespace gpufft {

class gpu_data
{
public:
    explicit gpu_data(const device_context& context);

    // Makes room. The context must be current, here and below.
    void reserve(std::size_t input_bytes, std::size_t output_bytes);

    // Fills the input with the data for a problem; `expected` may be null. Does nothing
    // if it holds them.
    void fill(const problem& what, const reference* expected, CUstream stream);
    // The input no longer holds what it was filled with.
    void spoil() { d_filled.clear(); }

    CUdeviceptr input() const { return d_input.device(); }
    CUdeviceptr output() const { return d_output.device(); }

    // Queues a copy of the input to the output.
    void queue_copy_to_output(std::size_t bytes, CUstream stream);

    // Worst relative L2 error of the frames of the reference in the output.
    double error(const problem& what, const reference& expected) const;

private:
    CUfunction kernel(const std::string& name);

    const device_context& d_context;
    memory_buffer d_input, d_output;
    std::size_t d_input_bytes = 0;
    std::string d_filled; // with what
    std::map<std::string, std::pair<module_uptr, CUfunction>> d_kernels;
};

} // namespace gpufft
} // namespace gr

#endif
