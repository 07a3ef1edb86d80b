// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan that can be changed from any thread while a block's thread executes it.

#ifndef INCLUDED_GPUFFT_LIVE_PLAN_H
#define INCLUDED_GPUFFT_LIVE_PLAN_H

#include "engine/async_device.h"
#include <cstdint>
#include <functional>
#include <gnuradio/gpufft/plan.h>
#include <gnuradio/logger.h>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gr {
namespace gpufft {

class device_function;
struct device_ports;

// Everything about a plan that a block's setters can change.
struct plan_settings {
    problem what;
    std::vector<float> window; // n taps if what.window, else empty
    int threads = 1;
    std::vector<std::uint64_t> steps; // running filters' steps, turns / 2^64 per sample
    std::vector<int> map;             // map of picked bins
    std::map<std::string, float> parameters;   // of the problem's expressions
    std::shared_ptr<device_function> function; // computes, if what.kind is function
    std::shared_ptr<const device_ports> ports; // its
};

/* A setter stores its settings, with a new plan if the old one cannot be adjusted; the
 * block's thread takes them over at its next call. So no setter waits for a transform, no
 * transform waits for planning, and only one thread at a time touches a plan. Between
 * runs this is the setter's thread, so that describe() says what will run. */
class live_plan
{
public:
    // Makes plans: plan::make. Tests replace it to make plans that fail.
    static std::function<plan::uptr(const problem&, const plan_options&)> s_make;

    // Makes devices: make_cuda_device. Tests replace it by simulated ones.
    static std::function<async_device::sptr(int)> s_make_device;

    // Name of a usable card, else "": cuda_card_name.
    static std::function<std::string(int)> s_card_name;

    // Why a card is not usable for now, else "": broken_reason.
    static std::function<std::string(int)> s_broken_reason;

    // Makes one plan per device, or one on the CPU. The settings' threads replace
    // options.threads. Decides engine "auto" by measurements on this machine. With
    // cpu_on_error, device trouble makes a new plan on the CPU. A device that does not
    // finish its work within device_timeout seconds is in trouble; 0: no limit.
    live_plan(const plan_settings& settings,
              const plan_options& options,
              const std::vector<int>& devices,
              bool cpu_on_error,
              double device_timeout,
              gr::logger_ptr logger);
    ~live_plan();

    // Any thread. If it throws std::invalid_argument or cuda_error, nothing has changed.
    void configure(const plan_settings& next);
    void request_reset(); // resets the mean and the hold before the next frame
    std::string engine() const;
    std::string engine_reason() const; // why this engine
    std::string describe() const;

    // True if settings have not been taken over yet.
    bool is_changed() const;

    // The newest plan, taken over or not, for threads that must not touch the plans.
    struct extent {
        problem what;
        std::size_t together = 1; // plan::frames_together()
    };
    extent newest() const;

    // Frame span in items of a new plan that has not been taken over yet; 0: there is
    // none.
    std::size_t waiting_span() const;

    // The block's thread. Between the two calls no other thread touches the plans. A run
    // that ends with a broken card frees everything on it; if a card breaks later, the
    // next start of any block frees what blocks that do not run have there. The next run
    // returns to the card if it is usable again. Until then the plans only describe
    // themselves.
    void begin_run();
    void end_run();

    // The block's thread. A new plan with a longer frame span is not taken over until
    // this allows it.
    void set_longest(std::size_t span);

    // For the block's thread, down to reset_average(). They throw what the engine throws
    // if the CPU cannot take over.

    // Takes over new settings and returns the plan, valid until the next of these calls.
    // Running filters whose step changes keep their phase at `position`, the stream
    // position of the newest sample of the next frame.
    const plan& current(std::uint64_t position = 0);
    void begin_stream(); // begins with the configured phases
    std::size_t execute(const void* input, void* output, std::size_t frames);
    std::uint64_t saturated() const; // of the plans of all devices, see plan::saturated()
    void reset_average();

    // The same plan on each of the devices, for a stream that enqueues chunks itself.
    const std::vector<int>& devices() const { return d_devices; }
    double device_timeout() const { return d_device_timeout; }
    plan& on(std::size_t device) const { return *d_plans[device]; }
    bool has_function() const { return d_applied.function != nullptr; }
    bool is_on_cuda() const { return d_plans.front()->engine() == engine_kind::cuda; }

    // True if device trouble makes a new plan on the CPU.
    bool goes_on_with_cpu() const { return d_cpu_on_error && is_on_cuda(); }
    void fall_back(const std::string& reason);

    // Sets the function that restores the running mean after fall_back().
    void set_restore_mean(std::function<void()> restore)
    {
        d_restore_mean = std::move(restore);
    }

    // Why fall_back() was called since the last take_trouble(); "" if it was not.
    std::string take_trouble() { return std::exchange(d_trouble, ""); }

private:
    typedef std::vector<plan::uptr> plans;

    struct choice {
        engine_kind engine; // engine of plans to be made
        std::string reason; // "": the plan's own reason
    };
    choice decide(const plan_settings& settings) const;
    choice decide_on(const device_function& function) const;
    std::string absent_card() const;
    void make_all(const plan_settings& settings);
    std::string broken_card() const; // why a card is broken; "" if none is
    void leave_card();
    static void leave_broken_cards();
    void return_to_card();
    plans build(const plan_settings& settings, engine_kind engine) const;
    static std::vector<plan::rotation> unturned(const std::vector<std::uint64_t>& steps);
    void check_threads(int threads, engine_kind engine) const;
    void set_threads(int threads);
    void take_over_between_runs();
    void take_over(std::uint64_t position);
    void apply(const plan_settings& settings);
    void turn(const std::vector<std::uint64_t>& steps, std::uint64_t position);
    template <class Step>
    void attempt(Step&& step);
    void note(const plan& now); // for engine() ... newest(); needs d_mutex

    const plan_options d_options;
    const std::vector<int> d_devices;
    const bool d_cpu_on_error;
    const double d_device_timeout;
    const gr::logger_ptr d_logger;

    std::mutex d_run_mutex;
    bool d_running = false; // guarded by d_run_mutex

    // For the block's thread only, or between runs for the holder of d_run_mutex.
    plans d_plans;              // one for each device
    bool d_avoids_card = false; // the CPU stands in for a card that failed
    std::string d_trouble;
    std::function<void()> d_restore_mean;
    plan_settings d_applied;                 // settings of d_plans
    std::vector<plan::rotation> d_rotations; // rotations of running filters

    mutable std::mutex d_mutex; // guards all below
    plan_settings d_wanted;
    plans d_fresh; // made by configure(), not yet taken over
    plan_settings d_fresh_settings;
    bool d_changed = false;
    bool d_resets = false; // the mean must restart
    std::size_t d_longest = std::numeric_limits<std::size_t>::max();
    engine_kind d_engine; // engine of plans to be made
    std::string d_engine_name;
    std::string d_engine_reason;
    std::string d_description;
    extent d_newest;
};

} // namespace gpufft
} // namespace gr

#endif
