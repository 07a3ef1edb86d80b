// SPDX-License-Identifier: GPL-3.0-or-later
//
// Functions of users that a simulated device executes: their work is queued as a kernel.

#ifndef INCLUDED_GPUFFT_SIMULATED_FUNCTION_H
#define INCLUDED_GPUFFT_SIMULATED_FUNCTION_H

#include <cstddef>
#include <functional>
#include <gnuradio/gpufft/device_function.h>

namespace gr {
namespace gpufft {

// Reads the first memory, writes the second.
typedef std::function<void(const char* input, char* output)> memory_work;

// Queues work on the queue with this handle, which takes the time of these bytes. Memory
// that is not the device's, or is released before the work is done, is a violation.
void queue_on_simulated_device(void* queue,
                               const void* input,
                               std::size_t input_bytes,
                               void* output,
                               std::size_t output_bytes,
                               memory_work work);

} // namespace gpufft
} // namespace gr

#endif
