// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a block reports about its run: the error that ended it, and the messages on its
// port "status".

#ifndef INCLUDED_GPUFFT_BLOCK_STATUS_H
#define INCLUDED_GPUFFT_BLOCK_STATUS_H

#include <chrono>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/engine_block.h>
#include <mutex>
#include <string>

namespace gr {
namespace gpufft {

class block_status
{
public:
    // Registers the port.
    block_status(gr::block& owner,
                 const engine_block& engine,
                 const gr::logger_ptr& logger);

    // Begins a run, without errors.
    void begin_run();

    // Keeps, logs and publishes the error that ends the run. `victim` names what stops.
    void fail(const std::string& what, const char* victim) noexcept;

    // True after fail(). The block's thread only.
    bool has_failed() const { return d_failed; }

    // What fail() kept. Any thread.
    std::string error() const;

    void publish_trouble(const std::string& what);

    // Publishes the block's statistics, at most once a second.
    void publish_statistics();

private:
    gr::block& d_owner;
    const engine_block& d_engine; // the same block
    gr::logger_ptr d_logger;
    bool d_failed = false;
    std::chrono::steady_clock::time_point d_published;
    mutable std::mutex d_mutex; // guards d_error
    std::string d_error;
};

} // namespace gpufft
} // namespace gr

#endif
