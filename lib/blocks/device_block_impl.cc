// SPDX-License-Identifier: GPL-3.0-or-later
//
// A user's function as a block: its frames are cut as those of a filter.

#include "ports_block.h"
#include "stream/cuda_buffers.h"
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
    settings.ports = std::make_shared<const device_ports>(ports);
    return settings;
}

template <class Port>
gr::io_signature::sptr signature_of(const std::vector<Port>& ports)
{
    const gr::io_signature::sptr common = gr::io_signature::make(1, 1, 1);
    std::vector<int> bytes;
    gr::gr_vector_buffer_type types;
    for (const Port& each : ports) {
        bytes.push_back(static_cast<int>(each.bytes));
        types.emplace_back(each.cuda_buffer ? cuda_buffers::type()
                                            : common->stream_buffer_type(0));
    }
    const int count = static_cast<int>(ports.size());
    return gr::io_signature::makev(count, count, bytes, types);
}

class device_block_impl : public device_block, public ports_block
{
public:
    device_block_impl(const std::string& name,
                      const std::shared_ptr<device_function>& function,
                      const device_ports& ports,
                      const plan_settings& settings,
                      const engine_options& options)
        : gr::block(name, signature_of(ports.inputs), signature_of(ports.outputs)),
          ports_block(settings, options),
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
        return ports_block::check_topology(ninputs, noutputs);
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
