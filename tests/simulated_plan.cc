// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan whose work is queued on a simulated device. Its running mean lives there.

#include "simulated_plan.h"
#include "planner/axes/strided.h"
#include "simulated_internals.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <gnuradio/gpufft/problem.h>

namespace gr {
namespace gpufft {

namespace {

// What the device has of a plan: it outlives the plan if work is queued.
struct resident_plan {
    plan::uptr inner;
    std::atomic<int> queued{ 0 };
    std::atomic<bool> working{ false };

    // Run-time values are a launch's parameters: those of when it was queued.
    void adjust(const problem& now, std::size_t position = 0)
    {
        inner->set_position(position);
        inner->set(now);
    }

    void execute(const problem& now,
                 std::size_t position,
                 const void* input,
                 void* output,
                 std::size_t frames)
    {
        if (working.exchange(true, std::memory_order_relaxed))
            simulated::report("a plan works in two queues at once");
        try {
            adjust(now, position);
            inner->execute(input, output, frames);
        } catch (const std::exception& error) {
            simulated::report(std::string("plan: ") + error.what());
        }
        working.store(false, std::memory_order_relaxed);
    }

    void save(const problem& now, char* sums, char* smoothed)
    {
        adjust(now);
        const std::size_t bytes = now.mean_sums() * sizeof(double);
        std::vector<char> saved(bytes + now.n * sizeof(float));
        inner->save_mean(saved.data());
        std::memcpy(sums, saved.data(), bytes);
        std::memcpy(smoothed, saved.data() + bytes, now.n * sizeof(float));
    }
};

class simulated_plan : public plan
{
public:
    simulated_plan(const problem& what, int device)
        : plan(what, engine_kind::cuda),
          d_device(device),
          d_resident(std::make_shared<resident_plan>())
    {
        plan_options options;
        options.engine = engine_kind::cpu;
        d_resident->inner = plan::make(what, options);
    }
    ~simulated_plan() override
    {
        simulated::wait_for_device(d_device);
        check_idle("is destroyed");
    }

    std::string describe() const override
    {
        return "simulated: " + d_resident->inner->describe();
    }
    std::size_t frames_together() const override
    {
        return d_resident->inner->frames_together();
    }

    std::uint64_t saturated() const override { return d_resident->inner->saturated(); }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override
    {
        if (simulated::enter(d_device, "execute", simulated::call_kind::queues) &&
            !(simulated::wait_for_device(d_device) && simulated::strike(d_device))) {
            simulated::check_sound(d_device, "execute");
            simulated::fail_call("execute");
        }
        check_idle("executes on its own");
        simulated::spend(d_problem.input_bytes(input_samples(frames)));
        d_resident->execute(d_problem, d_position, input, output, frames);
        note_rows(output_rows(frames));
    }

    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream,
                    std::size_t hop) override
    {
        const bool fails =
            simulated::enter(d_device, "enqueue", simulated::call_kind::queues);
        simulated_queue* queue = simulated_queue::find(stream);
        if (!queue || queue->device() != d_device) {
            simulated::report("enqueue: the stream is no queue of the plan's device");
            return;
        }
        const std::size_t rows = output_rows(frames);
        check_place(dev_input, "input");
        if (rows > 0)
            check_place(dev_output, "output");

        problem now = d_problem;
        now.hop = hop;
        const std::size_t in_bytes =
            now.input_bytes((frames - 1) * hop + now.input_span());
        const std::size_t bin_bytes = d_problem.output_item_bytes();
        const std::size_t distance = d_problem.effective_output_distance() * bin_bytes;
        const std::size_t out_bytes =
            rows == 0 ? 0 : (rows - 1) * distance + d_problem.output_span() * bin_bytes;
        std::vector<std::size_t> places{ 0 }; // of what is contiguous in a row
        std::size_t run_bytes = d_problem.output_span() * bin_bytes;
        if (!d_problem.output_strides.empty()) {
            places = places_of_bins(d_problem);
            run_bytes = bin_bytes;
        }
        simulated_queue::work work;
        // without the gaps between points and bins that lie apart
        work.bytes = std::min(in_bytes, now.input_bytes(frames * now.frame_samples())) +
                     std::min(out_bytes, rows * now.row_items() * bin_bytes);
        work.fails = fails;
        work.begin = [=] {
            const auto output = simulated::reach(dev_output, out_bytes, "enqueue writes");
            for (std::size_t row = 0; output && row < rows; ++row)
                for (const std::size_t at : places)
                    std::memset(output.get() + row * distance + at * bin_bytes,
                                simulated::POISON,
                                run_bytes);
        };
        if (rows == 0)
            work.begin = nullptr;
        const auto resident = d_resident;
        work.finish = [=, position = d_position] {
            const auto input = simulated::reach(dev_input, in_bytes, "enqueue reads");
            std::shared_ptr<char> output;
            if (rows > 0)
                output = simulated::reach(dev_output, out_bytes, "enqueue writes");
            if (input && (output || rows == 0))
                resident->execute(now, position, input.get(), output.get(), frames);
            resident->queued.fetch_sub(1, std::memory_order_release);
        };
        work.drop = [resident] {
            resident->queued.fetch_sub(1, std::memory_order_release);
        };
        d_resident->queued.fetch_add(1, std::memory_order_relaxed);
        queue->submit(std::move(work));
        note_rows(rows);
    }

    void do_set_window(const std::vector<float>& taps) override
    {
        simulated::enter(d_device, "set_window", simulated::call_kind::waits);
        check_idle("gets a window");
        d_resident->inner->set_window(taps);
    }

    void do_set_rotations() override
    {
        simulated::enter(d_device, "set_rotations", simulated::call_kind::waits);
        check_idle("gets rotations");
        d_resident->inner->set_rotations(d_rotations);
    }

    void do_set_map() override
    {
        simulated::enter(d_device, "set_map", simulated::call_kind::waits);
        check_idle("gets a map");
        d_resident->inner->set_map(d_map);
    }

    void do_set_parameters() override
    {
        simulated::enter(d_device, "set_parameters", simulated::call_kind::waits);
        check_idle("gets parameters");
        for (const std::string& name : parameter_names())
            d_resident->inner->set_parameter(name, parameter(name));
    }

    void do_reset_average() override
    {
        simulated::enter(d_device, "reset_average", simulated::call_kind::waits);
        check_idle("starts a new mean");
        d_is_smoothing = false;
        d_resident->inner->reset_average();
    }

    // What a card's plan does: the host knows whether there was a row before.
    bool do_save_mean(double* sums, float* smoothed, void* stream) override
    {
        simulated_queue::work work;
        work.fails =
            simulated::enter(d_device, "save_mean", simulated::call_kind::queues);
        simulated_queue* queue = simulated_queue::find(stream);
        if (!queue || queue->device() != d_device) {
            simulated::report("save_mean: the stream is no queue of the plan's device");
            return d_is_smoothing;
        }
        work.bytes = mean_bytes();
        work.finish = [=, resident = d_resident, now = d_problem] {
            const std::size_t sums_bytes = now.mean_sums() * sizeof(double);
            const std::size_t smoothed_bytes = now.n * sizeof(float);
            const auto to = simulated::reach(sums, sums_bytes, "save_mean writes");
            const auto also =
                simulated::reach(smoothed, smoothed_bytes, "save_mean writes");
            if (to && also)
                resident->save(now, to.get(), also.get());
        };
        queue->submit(std::move(work));
        return d_is_smoothing;
    }

    void
    do_restore_mean(const double* sums, const float* smoothed, bool is_smoothing) override
    {
        simulated::enter(d_device, "restore_mean", simulated::call_kind::waits);
        check_idle("gets a mean");
        const std::size_t bytes = d_problem.mean_sums() * sizeof(double);
        std::vector<char> saved(bytes + d_problem.n * sizeof(float));
        std::memcpy(saved.data(), sums, bytes);
        std::memcpy(saved.data() + bytes, smoothed, d_problem.n * sizeof(float));
        d_resident->adjust(d_problem);
        d_resident->inner->restore_mean(saved.data(), { d_frames_in_row, is_smoothing });
        d_is_smoothing = is_smoothing;
    }

private:
    void check_idle(const char* what) const
    {
        const simulated::device_state& state = simulated::state_of(d_device);
        if (d_resident->queued > 0 && !state.broken && !state.watch.hangs())
            simulated::report(std::string("a plan ") + what +
                              " while its work is queued");
    }

    void note_rows(std::size_t rows)
    {
        if (rows > 0)
            d_is_smoothing = d_problem.keeps_rows();
    }

    void check_place(const void* address, const char* name) const
    {
        const int owner = simulated::owner(address);
        const bool in_host = owner < 0 && simulated::s_computes_in_host_memory;
        if (owner != d_device && !in_host)
            simulated::report(std::string("enqueue: ") + name +
                              " is not in the memory of the plan's device");
    }

    const int d_device;
    const simulated::counted d_counted{ d_device, simulated::object::plan };
    const std::shared_ptr<resident_plan> d_resident;
    bool d_is_smoothing = false; // a row was computed since the mean began
};

} // namespace

plan::uptr make_simulated_plan(const problem& what, const plan_options& options)
{
    if (options.engine != engine_kind::cuda && options.engine != engine_kind::automatic)
        return plan::make(what, options);
    simulated::renew();
    simulated::enter(options.device, "make_plan", simulated::call_kind::waits);
    return std::make_unique<simulated_plan>(what, options.device);
}

} // namespace gpufft
} // namespace gr
