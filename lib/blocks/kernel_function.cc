// SPDX-License-Identifier: GPL-3.0-or-later
//
// Launches of a user's kernel.

#include "kernels_of_users.h"
#include "ranges.h"
#include <algorithm>
#include <map>
#include <mutex>
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t MOST_THREADS = 1024, MOST_BLOCKS = 0x7fffffff;
constexpr std::size_t MOST_OF_A_FRAME = std::size_t(1) << 30;

class kernel_function_impl : public kernel_function
{
public:
    kernel_function_impl(const std::string& text,
                         const std::string& name,
                         const device_ports& ports,
                         const geometry& sizes,
                         const std::vector<std::vector<char>>& parameters)
        : d_text(text),
          d_name(name),
          d_ports(ports),
          d_sizes(sizes),
          d_parameters(parameters)
    {
        check_range("threads", sizes.threads, 1, MOST_THREADS);
        check_range("threads_per_frame", sizes.threads_per_frame, 1, MOST_OF_A_FRAME);
        check_range("frames_per_thread", sizes.frames_per_thread, 1, MOST_OF_A_FRAME);
    }

    std::string name() const override { return "kernel " + d_name; }

    std::string obstacle(engine_kind engine) const override
    {
        return engine == engine_kind::cuda
                   ? ""
                   : fmt::format("the kernel {} runs on a GPU only", d_name);
    }

    void prepare(int device) override
    {
        prepared& here = d_kernels[device];
        here.kernel = kernels_of_users::s_make(device, d_text, d_name);
        ++here.plans;
    }
    void release(int device) override
    {
        const auto here = d_kernels.find(device);
        if (here != d_kernels.end() && --here->second.plans == 0)
            d_kernels.erase(here);
    }

    void compute(const device_call& call) override
    {
        user_launch how;
        for (std::size_t i = 0; i < d_ports.inputs.size(); ++i) {
            const device_input& port = d_ports.inputs[i];
            how.inputs.push_back(
                { const_cast<void*>(call.inputs[i]),
                  (port.history + call.frames * port.decimation) * port.bytes });
        }
        for (std::size_t k = 0; k < d_ports.outputs.size(); ++k) {
            const device_output& port = d_ports.outputs[k];
            how.outputs.push_back(
                { call.outputs[k], call.frames * port.interpolation * port.bytes });
        }
        how.frames = call.frames;
        how.stream = call.stream;
        how.threads = d_sizes.threads;
        const std::size_t threads =
            (call.frames * d_sizes.threads_per_frame + d_sizes.frames_per_thread - 1) /
            d_sizes.frames_per_thread;
        how.blocks = (threads + how.threads - 1) / how.threads;
        if (how.blocks > MOST_BLOCKS)
            throw std::invalid_argument(
                fmt::format("a launch has {} blocks of threads: must be at most {}",
                            how.blocks,
                            MOST_BLOCKS));
        {
            const std::lock_guard<std::mutex> lock(d_mutex);
            how.parameters = d_parameters;
        }
        d_kernels.at(call.device).kernel->launch(how);
    }

    void set_parameters(const std::vector<std::vector<char>>& parameters) override
    {
        const std::lock_guard<std::mutex> lock(d_mutex);
        const bool same =
            std::equal(parameters.begin(),
                       parameters.end(),
                       d_parameters.begin(),
                       d_parameters.end(),
                       [](const auto& a, const auto& b) { return a.size() == b.size(); });
        if (!same)
            throw std::invalid_argument(
                fmt::format("the kernel {} has {} parameters: must be of the same sizes",
                            d_name,
                            d_parameters.size()));
        d_parameters = parameters;
    }

private:
    const std::string d_text, d_name;
    const device_ports d_ports;
    const geometry d_sizes;
    struct prepared {
        std::unique_ptr<user_kernel> kernel;
        int plans = 0; // that need it: a new plan is made before the old one goes
    };

    std::map<int, prepared> d_kernels; // by device
    mutable std::mutex d_mutex;        // guards d_parameters
    std::vector<std::vector<char>> d_parameters;
};

} // namespace

std::function<std::unique_ptr<user_kernel>(int, const std::string&, const std::string&)>
    kernels_of_users::s_make = make_user_kernel;

kernel_function::sptr
kernel_function::make(const std::string& text,
                      const std::string& name,
                      const device_ports& ports,
                      const geometry& sizes,
                      const std::vector<std::vector<char>>& parameters)
{
    return std::make_shared<kernel_function_impl>(text, name, ports, sizes, parameters);
}

} // namespace gpufft
} // namespace gr
