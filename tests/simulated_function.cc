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
                               const std::vector<memory_area>& inputs,
                               const std::vector<memory_area>& outputs,
                               areas_work function)
{
    simulated_queue* const queue = simulated_queue::find(handle);
    if (queue == nullptr) {
        simulated::report("function: the stream is no queue");
        return;
    }
    simulated_queue::work work;
    work.fails =
        simulated::enter(queue->device(), "function", simulated::call_kind::queues);
    for (const memory_area& each : inputs)
        check_place(queue->device(), each.address, "input");
    for (const memory_area& each : outputs)
        check_place(queue->device(), each.address, "output");
    for (const auto* areas : { &inputs, &outputs })
        for (const memory_area& each : *areas)
            work.bytes += each.bytes;
    work.begin = [=] {
        for (const memory_area& each : outputs)
            if (const auto to =
                    simulated::reach(each.address, each.bytes, "function writes"))
                std::memset(to.get(), simulated::POISON, each.bytes);
    };
    work.finish = [=] {
        std::vector<decltype(simulated::reach(nullptr, 0, ""))> reached;
        std::vector<const char*> from;
        std::vector<char*> to;
        for (const memory_area& each : inputs) {
            reached.push_back(
                simulated::reach(each.address, each.bytes, "function reads"));
            from.push_back(reached.back().get());
        }
        for (const memory_area& each : outputs) {
            reached.push_back(
                simulated::reach(each.address, each.bytes, "function writes"));
            to.push_back(reached.back().get());
        }
        for (const auto& each : reached)
            if (!each)
                return;
        function(from, to);
    };
    queue->submit(std::move(work));
}

void queue_on_simulated_device(void* handle,
                               const void* input,
                               std::size_t input_bytes,
                               void* output,
                               std::size_t output_bytes,
                               memory_work function)
{
    queue_on_simulated_device(
        handle,
        { { const_cast<void*>(input), input_bytes } },
        { { output, output_bytes } },
        [=](const std::vector<const char*>& from, const std::vector<char*>& to) {
            function(from[0], to[0]);
        });
}

} // namespace gpufft
} // namespace gr
