// SPDX-License-Identifier: GPL-3.0-or-later
//
// Input and output of the benchmark in device memory.

#ifndef INCLUDED_GPUFFT_BENCH_GPU_DATA_H
#define INCLUDED_GPUFFT_BENCH_GPU_DATA_H

#include "engine/cuda/device.h"
#include "reference.h"

namespace gr {
namespace gpufft {

class gpu_data
{
public:
    explicit gpu_data(const device_context& context);

    // Makes room, and fills the input with random_float(). The context must be current.
    void reserve(std::size_t input_bytes, std::size_t output_bytes, CUstream stream);

    CUdeviceptr input() const { return d_input.device(); }
    CUdeviceptr output() const { return d_output.device(); }

    // Worst relative L2 error of the frames of the reference in the output.
    double error(const problem& what, const reference& expected) const;

private:
    const device_context& d_context;
    memory_buffer d_input, d_output;
};

} // namespace gpufft
} // namespace gr

#endif
