// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls the function where a plan would launch its kernels.

#include "function_plan.h"
#include "engine/chunked_execution.h"
#include "live_plan.h"
#include <algorithm>
#include <cstring>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

class function_plan : public plan
{
public:
    // device: null for the CPU.
    function_plan(const problem& what,
                  const std::shared_ptr<device_function>& function,
                  const device_ports& ports,
                  const async_device::sptr& device)
        : plan(what, device ? engine_kind::cuda : engine_kind::cpu),
          d_function(function),
          d_ports(ports),
          d_history(longest_history(ports)),
          d_device(device)
    {
    }

    ~function_plan() override
    {
        d_pipeline.reset();
        d_function->release(d_device ? d_device->index() : -1);
    }

    void set_more_places(const more_places& places) { d_more = places; }

    std::string describe() const override
    {
        const std::string place = d_device ? d_device->name() : "cpu";
        return fmt::format("{}, {}", d_function->name(), place);
    }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override
    {
        if (!d_device) {
            call(input, output, frames, nullptr, d_position);
            return;
        }
        if (!d_pipeline)
            d_pipeline = std::make_unique<chunk_pipeline>(d_device);
        if (d_ports.inputs.size() > 1 || d_ports.outputs.size() > 1) {
            execute_at_ports(input, output, frames);
            return;
        }
        chunked_run run;
        run.layout = frame_layout(d_problem);
        run.frames = frames;
        run.chunk = choose_chunk(run.layout, frames);
        reserve_chunks(run, *d_pipeline);
        std::uint64_t position = d_position;
        execute_chunks(run,
                       *d_pipeline,
                       input,
                       output,
                       [&](const void* dev_input,
                           void* dev_output,
                           std::size_t count,
                           std::size_t,
                           void* queue) {
                           call(dev_input, dev_output, count, queue, position);
                           position += count * run.layout.hop;
                       });
    }

    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream,
                    std::size_t) override
    {
        call(dev_input, dev_output, frames, stream, d_position);
    }

    void do_set_window(const std::vector<float>&) override {}
    void do_reset_average() override {}

private:
    // Bytes of an input that these frames span, and of an output's rows.
    std::size_t span_of(const device_input& port, std::size_t frames) const
    {
        return (d_history + frames * port.decimation) * port.bytes;
    }
    static std::size_t rows_of(const device_output& port, std::size_t frames)
    {
        return frames * port.interpolation * port.bytes;
    }

    // Frames from host memory at all ports to host memory, a few at once.
    void execute_at_ports(const void* input, void* output, std::size_t frames)
    {
        const more_places host = d_more;
        std::size_t most = 1; // bytes of a frame or a row
        for (const device_input& port : d_ports.inputs)
            most = std::max(most, port.decimation * port.bytes);
        for (const device_output& port : d_ports.outputs)
            most = std::max(most, rows_of(port, 1));
        const std::size_t whole =
            std::max<std::size_t>(1, chunk_pipeline::CHUNK_BYTES / most);
        for (std::size_t done = 0; done < frames; done += whole)
            execute_chunk(input, output, host, done, std::min(whole, frames - done));
    }

    void execute_chunk(const void* input,
                       void* output,
                       const more_places& host,
                       std::size_t done,
                       std::size_t count)
    {
        typedef chunk_pipeline::port_memory port_memory;
        chunk_pipeline::slot& at = d_pipeline->at(0);
        at.inputs.resize(d_ports.inputs.size());
        at.outputs.resize(d_ports.outputs.size());
        async_device::queue& queue = d_pipeline->compute();
        std::vector<const void*> inputs;
        std::vector<void*> outputs;
        for (std::size_t i = 0; i < d_ports.inputs.size(); ++i) {
            const device_input& port = d_ports.inputs[i];
            const std::size_t bytes = span_of(port, count);
            const char* const from =
                static_cast<const char*>(i == 0 ? input : host.inputs[i - 1]) +
                done * port.decimation * port.bytes;
            port_memory& memory = at.inputs[i];
            char* const staged = d_pipeline->reserve(memory.staged, bytes);
            std::memcpy(staged, from, bytes);
            inputs.push_back(d_pipeline->reserve(memory.memory, bytes));
            d_device->copy(queue, memory.memory.memory->address(), staged, bytes);
        }
        for (std::size_t k = 0; k < d_ports.outputs.size(); ++k)
            outputs.push_back(d_pipeline->reserve(at.outputs[k].memory,
                                                  rows_of(d_ports.outputs[k], count)));
        d_more = { { inputs.begin() + 1, inputs.end() },
                   { outputs.begin() + 1, outputs.end() } };
        call(inputs[0],
             outputs[0],
             count,
             queue.handle(),
             d_position + done * d_problem.effective_hop());
        for (std::size_t k = 0; k < d_ports.outputs.size(); ++k) {
            const std::size_t bytes = rows_of(d_ports.outputs[k], count);
            d_device->copy(queue,
                           d_pipeline->reserve(at.outputs[k].staged, bytes),
                           outputs[k],
                           bytes);
        }
        d_device->synchronize(queue);
        for (std::size_t k = 0; k < d_ports.outputs.size(); ++k) {
            const std::size_t row = rows_of(d_ports.outputs[k], 1);
            char* const to = static_cast<char*>(k == 0 ? output : host.outputs[k - 1]);
            std::memcpy(
                to + done * row, at.outputs[k].staged.memory->address(), count * row);
        }
    }

    // Any failure on a card is device trouble, after which the CPU may take over.
    void call(const void* input,
              void* output,
              std::size_t frames,
              void* stream,
              std::uint64_t position)
    {
        device_call now;
        now.inputs = { input };
        now.inputs.insert(now.inputs.end(), d_more.inputs.begin(), d_more.inputs.end());
        for (std::size_t i = 0; i < now.inputs.size(); ++i) {
            const device_input& port = d_ports.inputs[i];
            now.inputs[i] = static_cast<const char*>(now.inputs[i]) +
                            (d_history - port.history) * port.bytes;
        }
        now.outputs = { output };
        now.outputs.insert(
            now.outputs.end(), d_more.outputs.begin(), d_more.outputs.end());
        now.input = now.inputs[0];
        now.output = output;
        now.frames = frames;
        now.stream = stream;
        const std::size_t hop = d_problem.effective_hop();
        now.first = (position + d_problem.n - hop) / hop; // bytes before it: history
        if (!d_device) {
            d_function->compute(now);
            return;
        }
        now.device = d_device->index();
        const std::shared_ptr<void> current = d_device->make_current();
        try {
            d_function->compute(now);
        } catch (const cuda_error&) {
            throw;
        } catch (const std::exception& error) {
            throw cuda_error(0, error.what());
        }
    }

    const std::shared_ptr<device_function> d_function;
    const device_ports d_ports;
    const std::size_t d_history; // items before a frame, at all inputs
    more_places d_more;
    const async_device::sptr d_device;
    std::unique_ptr<chunk_pipeline> d_pipeline; // for calls with host memory
};

void check(const char* name, std::size_t value, std::size_t least, std::size_t most)
{
    if (value < least || value > most)
        throw std::invalid_argument(
            fmt::format("{} is {}: must be {} ... {}", name, value, least, most));
}

} // namespace

device_function::~device_function() = default;
std::string device_function::obstacle(engine_kind) const { return ""; }
void device_function::prepare(int) {}
void device_function::release(int) {}
void device_function::begin() {}

problem function_problem(const device_ports& ports)
{
    constexpr std::size_t MOST = MAX_FFT_SIZE;
    check("number of inputs", ports.inputs.size(), 1, 1024);
    check("number of outputs", ports.outputs.size(), 1, 1024);
    for (const device_input& port : ports.inputs) {
        check("input_bytes", port.bytes, 1, MOST);
        check("decimation", port.decimation, 1, MOST / port.bytes);
    }
    const std::size_t history = longest_history(ports);
    for (const device_input& port : ports.inputs)
        check("history", history, 0, MOST / port.bytes - port.decimation);
    for (const device_output& port : ports.outputs) {
        check("output_bytes", port.bytes, 1, MOST);
        check("interpolation", port.interpolation, 1, MOST / port.bytes);
    }
    const device_input& input = ports.inputs.front();
    const device_output& output = ports.outputs.front();
    problem what;
    what.kind = transform_kind::function;
    what.input = sample_format::s8;
    what.output = output_kind::real;
    what.stored = number_format::s8;
    what.n = (history + input.decimation) * input.bytes;
    what.bins = output.interpolation * output.bytes;
    what.hop = input.decimation * input.bytes;
    what.validate();
    return what;
}

std::size_t longest_history(const device_ports& ports)
{
    std::size_t most = 0;
    for (const device_input& port : ports.inputs)
        most = std::max(most, port.history);
    return most;
}

void set_more_places(plan& of, const more_places& places)
{
    static_cast<function_plan&>(of).set_more_places(places);
}

async_device::sptr device_of_blocks(int index) { return live_plan::s_make_device(index); }

plan::uptr make_function_plan(const problem& what,
                              const std::shared_ptr<device_function>& function,
                              const device_ports& ports,
                              const plan_options& options)
{
    const std::string obstacle = function->obstacle(options.engine);
    if (!obstacle.empty())
        throw std::invalid_argument(
            fmt::format("engine is {}: {}", to_string(options.engine), obstacle));
    if (options.engine == engine_kind::cpu) {
        function->prepare(-1);
        return std::make_unique<function_plan>(what, function, ports, nullptr);
    }
    const async_device::sptr device = live_plan::s_make_device(options.device);
    function->prepare(device->index());
    return std::make_unique<function_plan>(what, function, ports, device);
}

} // namespace gpufft
} // namespace gr
