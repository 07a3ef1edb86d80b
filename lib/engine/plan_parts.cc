// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks of arrays that lie in parts on several devices.

#include "address_checks.h"

#include <cstdint>
#include <gnuradio/gpufft/plan.h>
#include <stdexcept>

namespace gr {
namespace gpufft {

namespace {

std::logic_error no_parts(const char* call)
{
    return std::logic_error(std::string(call) +
                            " in parts needs several plan_options::devices, but this "
                            "plan is on one");
}

// "40 items of a frame on device 0, 32 on device 1"
std::string list_of(const std::vector<std::size_t>& items,
                    const std::vector<int>& devices)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(items[i]) +
                (i == 0 ? " items of a frame" : "") + " on device " +
                std::to_string(devices[i]);
    return text;
}

template <class Pointer>
void check_parts(const char* name,
                 const std::vector<Pointer>& given,
                 const std::vector<std::size_t>& items,
                 const std::vector<int>& devices,
                 std::size_t item_bytes)
{
    if (given.size() != devices.size())
        throw std::invalid_argument(
            std::string(name) + " has " + std::to_string(given.size()) +
            " parts, but must have " + std::to_string(devices.size()) + ": " +
            list_of(items, devices));
    const std::size_t alignment = alignment_of(item_bytes);
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i] == nullptr)
            throw std::invalid_argument(
                "part " + std::to_string(i) + " of " + name +
                " is a null pointer, but must have " + std::to_string(items[i]) +
                " items of a frame on device " + std::to_string(devices[i]));
        const std::size_t rest = reinterpret_cast<std::uintptr_t>(given[i]) % alignment;
        if (rest != 0)
            throw std::invalid_argument(
                "part " + std::to_string(i) + " of " + name + " is at an address " +
                std::to_string(rest) + " bytes beyond a multiple of " +
                std::to_string(alignment) + ", but must be at a multiple");
    }
}

} // namespace

std::vector<std::size_t> plan::input_parts() const
{
    const parts* const all = device_parts();
    if (all == nullptr)
        throw no_parts("input_parts()");
    return all->input;
}

std::vector<std::size_t> plan::output_parts() const
{
    const parts* const all = device_parts();
    if (all == nullptr)
        throw no_parts("output_parts()");
    return all->output;
}

std::size_t plan::execute(const std::vector<const void*>& inputs,
                          const std::vector<void*>& outputs,
                          std::size_t frames,
                          const std::vector<void*>& streams)
{
    const parts* const all = device_parts();
    if (all == nullptr)
        throw no_parts("execute()");
    const std::size_t in_item = d_problem.input_item_bytes();
    const std::size_t out_item = d_problem.output_item_bytes();
    check_parts("inputs", inputs, all->input, all->devices, in_item);
    check_parts("outputs", outputs, all->output, all->devices, out_item);
    if (!streams.empty() && streams.size() != all->devices.size())
        throw std::invalid_argument("streams has " + std::to_string(streams.size()) +
                                    " elements, but must have none or " +
                                    std::to_string(all->devices.size()));
    input_samples(frames); // checks their bytes
    // A single frame has been read by all cards before they write its row.
    for (std::size_t i = 0; i < inputs.size() && frames > 1; ++i) {
        const std::size_t in = all->input[i] * in_item, out = all->output[i] * out_item;
        if ((inputs[i] != outputs[i] || in != out) &&
            overlap(inputs[i], frames * in, outputs[i], frames * out))
            throw std::invalid_argument("part " + std::to_string(i) +
                                        " of outputs overlaps that of inputs; they "
                                        "must be apart, or the same with rows as long as "
                                        "frames, but these have " +
                                        std::to_string(out) + " and " +
                                        std::to_string(in) + " bytes");
    }
    for (std::size_t i = 0; i < outputs.size() && frames > 0; ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (overlap(outputs[k],
                        frames * all->output[k] * out_item,
                        outputs[i],
                        frames * all->output[i] * out_item))
                throw std::invalid_argument("parts " + std::to_string(k) + " and " +
                                            std::to_string(i) +
                                            " of outputs overlap, but must be apart");
    if (frames > 0)
        do_execute_parts(inputs, outputs, frames, streams);
    return frames;
}

void plan::do_execute_parts(const std::vector<const void*>&,
                            const std::vector<void*>&,
                            std::size_t,
                            const std::vector<void*>&)
{
    throw no_parts("execute()");
}

} // namespace gpufft
} // namespace gr
