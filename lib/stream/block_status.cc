// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors and messages of a block.

#include "block_status.h"

namespace gr {
namespace gpufft {

namespace {

const pmt::pmt_t STATUS_PORT = pmt::mp("status");

pmt::pmt_t to_pmt(const std::string& text) { return pmt::mp(text); }
pmt::pmt_t to_pmt(std::uint64_t count) { return pmt::from_uint64(count); }
pmt::pmt_t to_pmt(double number) { return pmt::from_double(number); }

} // namespace

block_status::block_status(gr::block& owner,
                           const engine_block& engine,
                           const gr::logger_ptr& logger)
    : d_owner(owner),
      d_engine(engine),
      d_logger(logger)
{
    owner.message_port_register_out(STATUS_PORT);
}

void block_status::begin_run()
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    d_error.clear();
    d_failed = false;
    d_published = std::chrono::steady_clock::now();
}

void block_status::fail(const std::string& what, const char* victim) noexcept
{
    d_failed = true;
    try {
        {
            const std::lock_guard<std::mutex> lock(d_mutex);
            d_error = what;
        }
        d_logger->fatal("{}; the {} stops", what, victim);
        publish_trouble(what);
    } catch (...) {
        // There is no memory even for the report: the block can only stop.
    }
}

std::string block_status::error() const
{
    const std::lock_guard<std::mutex> lock(d_mutex);
    return d_error;
}

void block_status::publish_trouble(const std::string& what)
{
    pmt::pmt_t message = pmt::make_dict();
    message = pmt::dict_add(message, pmt::mp("error"), pmt::mp(what));
    message = pmt::dict_add(message, pmt::mp("engine"), pmt::mp(d_engine.engine()));
    d_owner.message_port_pub(STATUS_PORT, message);
}

void block_status::publish_statistics()
{
    const auto now = std::chrono::steady_clock::now();
    if (now - d_published < std::chrono::seconds(1))
        return;
    d_published = now;
    pmt::pmt_t message = pmt::make_dict();
    d_engine.statistics().visit([&](const char* name, const auto& value, const char*) {
        message = pmt::dict_add(message, pmt::mp(name), to_pmt(value));
    });
    d_owner.message_port_pub(STATUS_PORT, message);
}

} // namespace gpufft
} // namespace gr
