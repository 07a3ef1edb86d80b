// SPDX-License-Identifier: GPL-3.0-or-later
//
// A user's function as a block: its frames are cut as those of a filter.

#include "filter_block.h"
#include "stream/function_plan.h"
#include <gnuradio/gpufft/device_block.h>
#include <gnuradio/io_signature.h>

namespace gr {
namespace gpufft {

namespace {

plan_settings settings_of(const std::shared_ptr<device_function>& function,
                          const device_ports& ports)
{
    plan_settings settings;
    settings.what = function_problem(ports);
    settings.function = function;
    return settings;
}

gr::io_signature::sptr port(std::size_t count, std::size_t bytes)
{
    return gr::io_signature::make(count, count, static_cast<int>(bytes));
}

class device_block_impl : public device_block, public filter_block
{
public:
    device_block_impl(const std::string& name,
                      const std::shared_ptr<device_function>& function,
                      const device_ports& ports,
                      const plan_settings& settings,
                      const engine_options& options)
        : gr::block(name,
                    port(1, ports.input_bytes),
                    port(ports.outputs, ports.output_bytes)),
          filter_block(settings, options),
          d_function(function)
    {
        // "cpu" promises that the CPU can take over
        const std::string obstacle = function->obstacle(engine_kind::cpu);
        if (options.on_error == "cpu" && !obstacle.empty())
            throw std::invalid_argument("on_error is cpu: " + obstacle);
    }

    bool check_topology(int ninputs, int noutputs) override
    {
        d_function->begin();
        return filter_block::check_topology(ninputs, noutputs);
    }

private:
    const std::shared_ptr<device_function> d_function;
};

} // namespace

device_block::sptr device_block::make(const std::string& name,
                                      const std::shared_ptr<device_function>& function,
                                      const device_ports& ports,
                                      const engine_options& options)
{
    if (!function)
        throw std::invalid_argument("function is a null pointer");
    return gnuradio::make_block_sptr<device_block_impl>(
        name, function, ports, settings_of(function, ports), options);
}

} // namespace gpufft
} // namespace gr
