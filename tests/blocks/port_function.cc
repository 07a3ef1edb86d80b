// SPDX-License-Identifier: GPL-3.0-or-later
//
// The function on the CPU, on simulated devices, and as the text of a kernel.

#include "port_function.h"
#include "simulated_function.h"
#include "test_devices.h"
#include <algorithm>
#include <cstring>
#include <gnuradio/gpufft/kernel_function.h>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

std::size_t floats_of_frame(const device_input& port)
{
    return port.decimation * port.bytes / sizeof(float);
}
std::size_t floats_of_span(const device_input& port)
{
    return (port.history + port.decimation) * port.bytes / sizeof(float);
}
std::size_t floats_of_row(const device_output& port)
{
    return port.interpolation * port.bytes / sizeof(float);
}

// Arrays may begin anywhere.
float float_at(const char* array, std::size_t index)
{
    float value;
    std::memcpy(&value, array + index * sizeof(float), sizeof(float));
    return value;
}

void mix(const device_ports& ports,
         std::size_t frames,
         const std::vector<const char*>& inputs,
         const std::vector<char*>& outputs)
{
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const std::size_t row = floats_of_row(ports.outputs[k]);
        for (std::size_t number = 0; number < frames * row; ++number) {
            float sum = 0;
            for (std::size_t i = 0; i < inputs.size(); ++i)
                sum += (i + 1) *
                       float_at(inputs[i],
                                number / row * floats_of_frame(ports.inputs[i]) +
                                    number % row % floats_of_span(ports.inputs[i]));
            sum *= k + 1;
            std::memcpy(outputs[k] + number * sizeof(float), &sum, sizeof(float));
        }
    }
}

std::string kernel_text(const device_ports& ports)
{
    std::string arguments, body;
    for (std::size_t i = 0; i < ports.inputs.size(); ++i)
        arguments += fmt::format("const float* x{}, ", i);
    for (std::size_t k = 0; k < ports.outputs.size(); ++k) {
        arguments += fmt::format("float* y{}, ", k);
        const std::size_t row = floats_of_row(ports.outputs[k]);
        body += fmt::format(
            "    for (int j = 0; j < {}; ++j) {{\n        float sum = 0;\n", row);
        for (std::size_t i = 0; i < ports.inputs.size(); ++i)
            body += fmt::format("        sum += {} * x{}[f * {} + j % {}];\n",
                                i + 1,
                                i,
                                floats_of_frame(ports.inputs[i]),
                                floats_of_span(ports.inputs[i]));
        body +=
            fmt::format("        y{}[f * {} + j] = {} * sum;\n    }}\n", k, row, k + 1);
    }
    return "__global__ void mix(" + arguments +
           "long long frames)\n{\n"
           "    const long long f = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    if (f >= frames)\n        return;\n" +
           body + "}\n";
}

} // namespace

port_function::port_function(const device_ports& ports, long sound_calls)
    : d_ports(ports),
      d_kernel(test_devices::are_cards()
                   ? kernel_function::make(kernel_text(ports), "mix", ports, {})
                   : nullptr),
      d_sound_calls(sound_calls)
{
}

void port_function::prepare(int device)
{
    if (d_kernel && device >= 0)
        d_kernel->prepare(device);
}

void port_function::release(int device)
{
    if (d_kernel && device >= 0)
        d_kernel->release(device);
}

void port_function::compute(const device_call& call)
{
    const auto work = [ports = d_ports,
                       frames = call.frames](const std::vector<const char*>& inputs,
                                             const std::vector<char*>& outputs) {
        mix(ports, frames, inputs, outputs);
    };
    if (call.device < 0) {
        std::vector<const char*> inputs;
        std::vector<char*> outputs;
        for (const void* each : call.inputs)
            inputs.push_back(static_cast<const char*>(each));
        for (void* each : call.outputs)
            outputs.push_back(static_cast<char*>(each));
        work(inputs, outputs);
        return;
    }
    if (d_calls++ == d_sound_calls)
        throw std::runtime_error("the function fails");
    if (d_kernel) {
        d_kernel->compute(call);
        return;
    }
    std::vector<memory_area> inputs, outputs;
    for (std::size_t i = 0; i < d_ports.inputs.size(); ++i) {
        const device_input& port = d_ports.inputs[i];
        inputs.push_back({ const_cast<void*>(call.inputs[i]),
                           (port.history + call.frames * port.decimation) * port.bytes });
    }
    for (std::size_t k = 0; k < d_ports.outputs.size(); ++k)
        outputs.push_back(
            { call.outputs[k],
              call.frames * floats_of_row(d_ports.outputs[k]) * sizeof(float) });
    queue_on_simulated_device(call.stream, inputs, outputs, work);
}

std::vector<stream_data> port_function::expect(const device_ports& ports,
                                               const std::vector<stream_data>& streams)
{
    std::size_t frames = SIZE_MAX;
    std::vector<std::vector<char>> padded;
    std::vector<const char*> inputs;
    for (std::size_t i = 0; i < streams.size(); ++i) {
        const device_input& port = ports.inputs[i];
        frames = std::min(frames, streams[i].count() / port.decimation);
        padded.emplace_back(port.history * port.bytes);
        padded.back().insert(
            padded.back().end(), streams[i].items.begin(), streams[i].items.end());
    }
    for (const std::vector<char>& each : padded)
        inputs.push_back(each.data());
    std::vector<stream_data> all(ports.outputs.size());
    std::vector<char*> outputs;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const device_output& port = ports.outputs[k];
        all[k].item_bytes = port.bytes;
        all[k].items.resize(frames * port.interpolation * port.bytes);
        outputs.push_back(all[k].items.data());
        for (std::size_t i = 0; i < streams.size(); ++i)
            for (const tag_mark& tag : streams[i].tags) {
                const std::uint64_t frame = tag.offset / ports.inputs[i].decimation;
                if (frame < frames)
                    all[k].tags.push_back({ frame * port.interpolation, tag.id });
            }
        std::sort(all[k].tags.begin(), all[k].tags.end());
    }
    mix(ports, frames, inputs, outputs);
    return all;
}

} // namespace gpufft
} // namespace gr
