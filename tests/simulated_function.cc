// SPDX-License-Identifier: GPL-3.0-or-later
//
// Queues a function's work.

#include "simulated_function.h"
#include "simulated_internals.h"
#include <cstring>

namespace gr {
namespace gpufft {

namespace {

void check_place(int device, const void* address, const char* name)
{
    if (simulated::owner(address) != device)
        simulated::report(std::string("function: ") + name +
                          " is not in the memory of the queue's device");
}

} // namespace

void queue_on_simulated_device(void* handle,
                               const void* input,
                               std::size_t input_bytes,
                               void* output,
                               std::size_t output_bytes,
                               memory_work function)
{
    simulated_queue* const queue = simulated_queue::find(handle);
    if (queue == nullptr) {
        simulated::report("function: the stream is no queue");
        return;
    }
    simulated_queue::work work;
    work.fails =
        simulated::enter(queue->device(), "function", simulated::call_kind::queues);
    check_place(queue->device(), input, "input");
    check_place(queue->device(), output, "output");
    work.bytes = input_bytes + output_bytes;
    work.begin = [=] {
        if (const auto to = simulated::reach(output, output_bytes, "function writes"))
            std::memset(to.get(), simulated::POISON, output_bytes);
    };
    work.finish = [=] {
        const auto from = simulated::reach(input, input_bytes, "function reads");
        const auto to = simulated::reach(output, output_bytes, "function writes");
        if (from && to)
            function(from.get(), to.get());
    };
    queue->submit(std::move(work));
}

} // namespace gpufft
} // namespace gr
