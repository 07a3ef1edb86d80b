// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts what blocks log.

#ifndef INCLUDED_GPUFFT_LOG_COUNTER_H
#define INCLUDED_GPUFFT_LOG_COUNTER_H

#include <atomic>
#include <gnuradio/logger.h>
#include <memory>
#include <mutex>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <string>

namespace gr {
namespace gpufft {

// Lines with this text since this was made, by loggers of level warning.
class log_counter
{
public:
    explicit log_counter(const std::string& text)
        : d_sink(std::make_shared<counting_sink>(text)),
          d_backend(std::dynamic_pointer_cast<spdlog::sinks::dist_sink_mt>(
              gr::logging::singleton().default_backend()))
    {
        d_backend->add_sink(d_sink);
    }
    ~log_counter() { d_backend->remove_sink(d_sink); }
    int lines() const { return d_sink->lines; }

private:
    class counting_sink : public spdlog::sinks::base_sink<std::mutex>
    {
    public:
        explicit counting_sink(const std::string& text) : d_text(text) {}
        std::atomic<int> lines{ 0 };

    protected:
        void sink_it_(const spdlog::details::log_msg& line) override
        {
            const std::string text(line.payload.data(), line.payload.size());
            lines += text.find(d_text) != std::string::npos;
        }
        void flush_() override {}

    private:
        const std::string d_text;
    };

    const std::shared_ptr<counting_sink> d_sink;
    const std::shared_ptr<spdlog::sinks::dist_sink_mt> d_backend;
};

} // namespace gpufft
} // namespace gr

#endif
