// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_FFT_PDU_IMPL_H
#define INCLUDED_GPUFFT_FFT_PDU_IMPL_H

#include "burst.h"
#include "burst_plans.h"
#include "fft_pdu_settings.h"
#include "shared_settings.h"
#include "stream/engine_base.h"
#include <atomic>
#include <chrono>
#include <gnuradio/gpufft/fft_pdu.h>
#include <mutex>

namespace gr {
namespace gpufft {

class fft_pdu_impl : public fft_pdu
{
public:
    fft_pdu_impl(const fft_pdu_settings& settings, const engine_options& options);

    fft_pdu_settings settings() const override { return d_settings.get(); }
    void change(const std::function<void(fft_pdu_settings&)>& change) override
    {
        d_settings.change(change, check);
    }
    std::uint64_t dropped() const override { return d_dropped; }
    std::size_t plans() const override { return d_plan_count; }

    std::string engine() const override;
    std::string engine_reason() const override;
    std::string describe() const override;
    std::string error() const override { return d_status.error(); }
    stream_statistics statistics() const override;

    bool start() override;
    bool stop() override;
    ~fft_pdu_impl() override;

private:
    void choose_engine();
    void leave_card();
    void return_to_card();
    void take(const pmt::pmt_t& message) noexcept;
    void transform(const burst& given);
    pmt::pmt_t compute(const fft_pdu_settings& now, const burst& given);
    plan& plan_of(const problem& what, engine_kind engine);
    pmt::pmt_t described(const fft_pdu_settings& now, const burst& given) const;
    void note(const plan& used, bool is_new);
    void fail(const std::string& what) noexcept;
    void drop(const std::string& why) noexcept;

    shared_settings<fft_pdu_settings> d_settings;
    block_status d_status;
    const std::string d_wanted_engine;
    const int d_device;
    const bool d_cpu_on_error;
    const double d_device_timeout;
    std::atomic<std::uint64_t> d_dropped{ 0 };
    std::atomic<std::size_t> d_plan_count{ 0 };

    // The block's thread only.
    burst_plans d_plans{ MAX_PLANS };
    std::vector<char> d_padded;
    bool d_avoids_card = false; // the next start chooses the engine again
    std::chrono::steady_clock::time_point d_first;

    mutable std::mutex d_mutex; // guards all below
    engine_kind d_engine = engine_kind::cpu;
    std::string d_engine_reason, d_description;
    stream_statistics d_statistics;
};

} // namespace gpufft
} // namespace gr

#endif
