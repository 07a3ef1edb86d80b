// SPDX-License-Identifier: GPL-3.0-or-later
//
// Functions of users that a simulated device executes: their work is queued as a kernel.

#ifndef INCLUDED_GPUFFT_SIMULATED_FUNCTION_H
#define INCLUDED_GPUFFT_SIMULATED_FUNCTION_H

#include <cstddef>
#include <functional>
#include <gnuradio/gpufft/device_function.h>
#include <vector>

namespace gr {
namespace gpufft {

// Memory that a function reads or writes.
struct memory_area {
    void* address = nullptr;
    std::size_t bytes = 0;
};

// Reads the first areas, writes the second, whose addresses it gets.
typedef std::function<void(const std::vector<const char*>& inputs,
                           const std::vector<char*>& outputs)>
    areas_work;

// Reads the first memory, writes the second.
typedef std::function<void(const char* input, char* output)> memory_work;

// Queues work on the queue with this handle, which takes the time of these bytes. Memory
// that is not the device's, or is released before the work is done, is a violation.
void queue_on_simulated_device(void* queue,
                               const std::vector<memory_area>& inputs,
                               const std::vector<memory_area>& outputs,
                               areas_work work);
void queue_on_simulated_device(void* queue,
                               const void* input,
                               std::size_t input_bytes,
                               void* output,
                               std::size_t output_bytes,
                               memory_work work);

} // namespace gpufft
} // namespace gr

#endif
