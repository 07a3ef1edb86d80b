// SPDX-License-Identifier: GPL-3.0-or-later
//
// Base of all blocks.

#include "engine_base.h"
#include <algorithm>
#include <cmath>
#include <spdlog/fmt/fmt.h>
#include <stdexcept>
#include <thread>

namespace gr {
namespace gpufft {

namespace {

plan_options to_plan_options(const engine_options& options)
{
    plan_options result;
    result.engine = engine_from_string(options.engine);
    result.device = options.device.indices().front();
    result.enqueues = true;
    return result;
}

} // namespace

bool goes_on_with_cpu(const std::string& on_error)
{
    if (on_error != "stop" && on_error != "cpu")
        throw std::invalid_argument(
            fmt::format("on_error is '{}': must be stop or cpu", on_error));
    return on_error == "cpu";
}

double check_device_timeout(double seconds)
{
    if (!(seconds >= 0) || !std::isfinite(seconds))
        throw std::invalid_argument(
            fmt::format("device_timeout is {}: must be a finite number >= 0", seconds));
    return seconds;
}

engine_base::engine_base(gr::block& owner,
                         const gr::logger_ptr& logger,
                         const plan_settings& settings,
                         const engine_options& options)
    : d_plan(settings,
             to_plan_options(options),
             options.device.indices(),
             goes_on_with_cpu(options.on_error),
             check_device_timeout(options.device_timeout),
             logger),
      d_stream(d_plan, logger),
      d_owner(owner),
      d_status(owner, *this, logger),
      d_threads(settings.threads > 0 ? settings.threads
                                     : std::max(1u, std::thread::hardware_concurrency()))
{
}

std::size_t engine_base::chunk_bytes() const
{
    if (engine() == to_string(engine_kind::cuda)) {
        const int streams = std::max({ d_owner.input_signature()->max_streams(),
                                       d_owner.output_signature()->max_streams(),
                                       1 });
        return chunk_pipeline::SLOTS * chunk_pipeline::bytes_of_chunk(streams);
    }
    return std::min(d_threads * CPU_LOAD_BYTES, MAX_CPU_LOAD_BYTES);
}

std::size_t engine_base::stream_chunk(std::size_t n, std::size_t sample_bytes) const
{
    const std::size_t chunk = chunk_bytes() / sample_bytes;
    return n * sample_bytes <= MAX_BUFFERED_FRAME ? std::max(chunk, n) : chunk;
}

std::size_t engine_base::ask_for_output(std::size_t items)
{
    for (int port = 0; port < d_owner.output_signature()->max_streams(); ++port)
        if (const long limit = d_owner.max_output_buffer(port); limit > 0) // -1: none
            items = std::clamp<std::size_t>(limit / 2, 1, items);
    d_owner.set_output_multiple(static_cast<int>(items));
    return items;
}

void engine_base::take_tag_policy()
{
    const auto given = d_owner.tag_propagation_policy();
    if (given == gr::block::TPP_CUSTOM)
        return;
    d_tag_policy = given;
    d_owner.set_tag_propagation_policy(gr::block::TPP_CUSTOM);
}

void engine_base::begin_run()
{
    take_tag_policy();
    d_status.begin_run();
    d_plan.begin_run();
}

void engine_base::end_run()
{
    const device_patience patience(d_plan.device_timeout());
    d_stream.stop();
    d_plan.end_run();
    d_owner.set_tag_propagation_policy(d_tag_policy);
}

int engine_base::fail(const std::string& what) noexcept
{
    d_status.fail(what, "flowgraph");
    return gr::block::WORK_DONE;
}

void engine_base::report()
{
    const std::string trouble = d_plan.take_trouble();
    if (!trouble.empty())
        d_status.publish_trouble(trouble);
    d_status.publish_statistics();
}

} // namespace gpufft
} // namespace gr
