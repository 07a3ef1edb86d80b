// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls the function where a plan would launch its kernels.

#include "function_plan.h"
#include "engine/chunked_execution.h"
#include "live_plan.h"
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
                  const async_device::sptr& device)
        : plan(what, device ? engine_kind::cuda : engine_kind::cpu),
          d_function(function),
          d_device(device)
    {
    }

    ~function_plan() override
    {
        d_pipeline.reset();
        d_function->release(d_device ? d_device->index() : -1);
    }

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
    // Any failure on a card is device trouble, after which the CPU may take over.
    void call(const void* input,
              void* output,
              std::size_t frames,
              void* stream,
              std::uint64_t position)
    {
        device_call now;
        now.input = input;
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
    check("input_bytes", ports.input_bytes, 1, MOST);
    check("output_bytes", ports.output_bytes, 1, MOST);
    const std::size_t most_in = MOST / ports.input_bytes;
    check("decimation", ports.decimation, 1, most_in);
    check("history", ports.history, 0, most_in - ports.decimation);
    const std::size_t most_out = MOST / ports.output_bytes;
    check("outputs", ports.outputs, 1, std::min<std::size_t>(most_out, 1024));
    check("interpolation", ports.interpolation, 1, ports.outputs > 1 ? 1 : most_out);
    const std::size_t bytes = ports.output_bytes;
    if (ports.outputs > 1 && bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        throw std::invalid_argument(
            fmt::format("output_bytes is {}: must be 1, 2, 4 or 8 with several outputs, "
                        "which are numbers, no vectors",
                        bytes));
    problem what;
    what.kind = transform_kind::function;
    what.input = sample_format::s8;
    what.output = output_kind::real;
    what.stored = number_format::s8;
    what.n = (ports.history + ports.decimation) * ports.input_bytes;
    what.bins = ports.interpolation * ports.outputs * ports.output_bytes;
    what.hop = ports.decimation * ports.input_bytes;
    what.validate();
    return what;
}

async_device::sptr device_of_blocks(int index) { return live_plan::s_make_device(index); }

plan::uptr make_function_plan(const problem& what,
                              const std::shared_ptr<device_function>& function,
                              const plan_options& options)
{
    const std::string obstacle = function->obstacle(options.engine);
    if (!obstacle.empty())
        throw std::invalid_argument(
            fmt::format("engine is {}: {}", to_string(options.engine), obstacle));
    if (options.engine == engine_kind::cpu) {
        function->prepare(-1);
        return std::make_unique<function_plan>(what, function, nullptr);
    }
    const async_device::sptr device = live_plan::s_make_device(options.device);
    function->prepare(device->index());
    return std::make_unique<function_plan>(what, function, device);
}

} // namespace gpufft
} // namespace gr
