// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan whose work is queued on a simulated device. Its running mean lives there.

#include "simulated_plan.h"
#include "simulated_internals.h"
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
    void adjust(const problem& now)
    {
        if (now.effective_hop() != inner->what().effective_hop())
            inner->set_hop(now.effective_hop());
        if (now.scale != inner->what().scale)
            inner->set_scale(now.scale);
        if (now.smoothing != inner->what().smoothing)
            inner->set_smoothing(now.smoothing);
    }

    void execute(const problem& now, const void* input, void* output, std::size_t frames)
    {
        if (working.exchange(true, std::memory_order_relaxed))
            simulated::report("a plan works in two queues at once");
        try {
            adjust(now);
            inner->execute(input, output, frames);
        } catch (const std::exception& error) {
            simulated::report(std::string("plan: ") + error.what());
        }
        working.store(false, std::memory_order_relaxed);
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
        ++simulated::s_plans;
    }
    ~simulated_plan() override
    {
        check_idle("is destroyed");
        --simulated::s_plans;
    }

    std::string describe() const override
    {
        return "simulated: " + d_resident->inner->describe();
    }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override
    {
        if (simulated::enter(d_device, "execute", true)) {
            simulated::break_down(d_device);
            simulated::fail_call("execute");
        }
        check_idle("executes on its own");
        simulated::spend(input_samples(frames) * d_problem.input_item_bytes());
        d_resident->execute(d_problem, input, output, frames);
    }

    void do_enqueue(const void* dev_input,
                    void* dev_output,
                    std::size_t frames,
                    void* stream) override
    {
        const bool fails = simulated::enter(d_device, "enqueue", true);
        simulated_queue* queue = simulated_queue::find(stream);
        if (!queue || queue->device() != d_device) {
            simulated::report("enqueue: the stream is no queue of the plan's device");
            return;
        }
        const std::size_t rows = output_rows(frames);
        check_place(dev_input, "input");
        if (rows > 0)
            check_place(dev_output, "output");

        const std::size_t in_bytes = input_samples(frames) * d_problem.input_item_bytes();
        const std::size_t out_bytes = rows * d_problem.n * d_problem.output_item_bytes();
        simulated_queue::work work;
        work.bytes = in_bytes + out_bytes;
        work.fails = fails;
        work.begin = [=] {
            const auto output = simulated::reach(dev_output, out_bytes, "enqueue writes");
            if (output && rows > 0)
                std::memset(output.get(), simulated::POISON, out_bytes);
        };
        if (rows == 0)
            work.begin = nullptr;
        const auto resident = d_resident;
        work.finish = [=, now = d_problem] {
            const auto input = simulated::reach(dev_input, in_bytes, "enqueue reads");
            std::shared_ptr<char> output;
            if (rows > 0)
                output = simulated::reach(dev_output, out_bytes, "enqueue writes");
            if (input && (output || rows == 0))
                resident->execute(now, input.get(), output.get(), frames);
            resident->queued.fetch_sub(1, std::memory_order_release);
        };
        work.drop = [resident] {
            resident->queued.fetch_sub(1, std::memory_order_release);
        };
        d_resident->queued.fetch_add(1, std::memory_order_relaxed);
        queue->submit(std::move(work));
    }

    void do_set_window(const std::vector<float>& taps) override
    {
        simulated::enter(d_device, "set_window");
        check_idle("gets a window");
        d_resident->inner->set_window(taps);
    }

    void do_reset_average() override // also of set_average()
    {
        simulated::enter(d_device, "reset_average");
        check_idle("starts a new mean");
        if (d_problem.average != d_resident->inner->what().average)
            d_resident->inner->set_average(d_problem.average);
        else
            d_resident->inner->reset_average();
    }

private:
    void check_idle(const char* what) const
    {
        if (d_resident->queued > 0)
            simulated::report(std::string("a plan ") + what +
                              " while its work is queued");
    }

    void check_place(const void* address, const char* name) const
    {
        if (simulated::owner(address) != d_device)
            simulated::report(std::string("enqueue: ") + name +
                              " is not in the memory of the plan's device");
    }

    const int d_device;
    const std::shared_ptr<resident_plan> d_resident;
};

} // namespace

plan::uptr make_simulated_plan(const problem& what, const plan_options& options)
{
    if (options.engine != engine_kind::cuda)
        return plan::make(what, options);
    simulated::enter(options.device, "make_plan");
    return std::make_unique<simulated_plan>(what, options.device);
}

} // namespace gpufft
} // namespace gr
