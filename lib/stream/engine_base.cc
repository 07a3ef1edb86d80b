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

pmt::pmt_t status_message(const stream_statistics& now)
{
    pmt::pmt_t status = pmt::make_dict();
    const auto add = [&](const char* name, const pmt::pmt_t& value) {
        status = pmt::dict_add(status, pmt::mp(name), value);
    };
    add("engine", pmt::mp(now.engine));
    add("chunks", pmt::from_uint64(now.chunks));
    add("frames", pmt::from_uint64(now.frames));
    add("bytes_up", pmt::from_uint64(now.bytes_up));
    add("bytes_down", pmt::from_uint64(now.bytes_down));
    add("device_seconds", pmt::from_double(now.device_seconds));
    add("seconds", pmt::from_double(now.seconds));
    add("gigabytes_per_second", pmt::from_double(now.gigabytes_per_second()));
    add("in_flight", pmt::from_uint64(now.in_flight));
    add("most_in_flight", pmt::from_uint64(now.most_in_flight));
    add("input_edge", pmt::mp(now.input_edge));
    add("output_edge", pmt::mp(now.output_edge));
    return status;
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
      d_block_logger(logger),
      d_threads(settings.threads > 0 ? settings.threads
                                     : std::max(1u, std::thread::hardware_concurrency()))
{
    owner.message_port_register_out(STATUS_PORT);
}

std::size_t engine_base::chunk_bytes() const
{
    if (engine() == to_string(engine_kind::cuda))
        return CUDA_CHUNK_BYTES;
    return std::min(d_threads * CPU_LOAD_BYTES, MAX_CPU_LOAD_BYTES);
}

std::size_t engine_base::stream_chunk(std::size_t n, std::size_t sample_bytes) const
{
    const std::size_t chunk = chunk_bytes() / sample_bytes;
    return n * sample_bytes <= MAX_BUFFERED_FRAME ? std::max(chunk, n) : chunk;
}

std::size_t engine_base::ask_for_output(std::size_t items)
{
    const long limit = d_owner.max_output_buffer(0); // -1: none
    if (limit > 0)
        items = std::clamp<std::size_t>(limit / 2, 1, items);
    d_owner.set_output_multiple(static_cast<int>(items));
    return items;
}

std::string engine_base::error() const
{
    std::lock_guard<std::mutex> lock(d_error_mutex);
    return d_error;
}

void engine_base::begin_run()
{
    std::lock_guard<std::mutex> lock(d_error_mutex);
    d_error.clear();
    d_failed = false;
    d_reported = std::chrono::steady_clock::now();
    d_plan.begin_run();
}

void engine_base::end_run()
{
    const device_patience patience(d_plan.device_timeout());
    d_stream.stop();
    d_plan.end_run();
}

int engine_base::fail(const std::string& what) noexcept
{
    d_failed = true;
    try {
        {
            std::lock_guard<std::mutex> lock(d_error_mutex);
            d_error = what;
        }
        d_block_logger->fatal("{}; the flowgraph stops", what);
        publish_trouble(what);
    } catch (...) {
        // There is no memory even for the report: the block can only stop.
    }
    return gr::block::WORK_DONE;
}

void engine_base::publish_trouble(const std::string& what)
{
    pmt::pmt_t status = pmt::make_dict();
    status = pmt::dict_add(status, pmt::mp("error"), pmt::mp(what));
    status = pmt::dict_add(status, pmt::mp("engine"), pmt::mp(engine()));
    d_owner.message_port_pub(STATUS_PORT, status);
}

void engine_base::report()
{
    const std::string trouble = d_plan.take_trouble();
    if (!trouble.empty())
        publish_trouble(trouble);
    const auto now = std::chrono::steady_clock::now();
    if (now - d_reported < std::chrono::seconds(1))
        return;
    d_reported = now;
    d_owner.message_port_pub(STATUS_PORT, status_message(statistics()));
}

} // namespace gpufft
} // namespace gr
