// SPDX-License-Identifier: GPL-3.0-or-later
//
// Registers the caller's arrays for the time of a call, unless they lie on the cards, and
// runs a slab_program on each frame.

#include "slab_plan.h"
#include "engines.h"
#include "environment.h"
#include "planner/planner.h"
#include "planner/slabs/slab_cards.h"
#include "planner/slabs/slab_sharing.h"
#include "slab_execution.h"
#include "steps_text.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

namespace gr {
namespace gpufft {

namespace {

// "256 MiB"
std::string bytes_text(std::size_t bytes)
{
    const char* const units[] = { " bytes", " KiB", " MiB", " GiB" };
    int unit = 0;
    for (; unit < 3 && bytes >= 1024 && bytes % 1024 == 0; ++unit)
        bytes /= 1024;
    return std::to_string(bytes) + units[unit];
}

class slab_plan : public plan
{
public:
    slab_plan(const problem& what,
              const plan_options& options,
              const engine_makers& makers)
        : plan(what, engine_kind::cuda),
          d_options(options),
          d_makers(makers),
          d_memory(device_memory_of(options)),
          d_devices(make_devices(options, makers)),
          d_execution(d_devices),
          d_parts(parts_of(what, d_devices, options.transposed)),
          d_keeps(can_exchange(d_devices)),
          d_apart(prepare(false))
    {
        if (d_devices.size() == 1)
            make_plans(*d_apart);
        else // it may only ever transform arrays on the cards
            check_transforms(d_apart->program);
    }

    std::string describe() const override
    {
        const slab_program& program = d_apart->program;
        std::ostringstream text;
        text << "cuda: in slabs, " << program.sweeps.size() << " sweeps of "
             << program.slabs() << " slabs up to " << bytes_text(program.buffer_bytes)
             << " through";
        for (const async_device::sptr& each : d_devices)
            text << (each == d_devices.front() ? " " : " and ") << each->name();
        text << ", " << program.uploaded_bytes() << " bytes there and "
             << program.downloaded_bytes() << " back over the link";
        if (!program.kept_bytes.empty())
            text << ", which keeps " << bytes_text(program.kept_bytes.front())
                 << " on a card between the sweeps";
        if (program.scratch_bytes > 0)
            text << ", " << bytes_text(program.scratch_bytes) << " of host scratch";
        describe_plans(*d_apart, text);
        if (d_on_cards)
            describe_on_cards(text);
        return text.str();
    }

    std::size_t scratch_bytes() const override
    {
        std::size_t bytes = 0;
        for (const auto& each : d_plans)
            bytes += each.second->scratch_bytes();
        return bytes + d_execution.held_bytes();
    }

protected:
    void do_execute(const void* input, void* output, std::size_t frames) override
    {
        const ready_program& ready = reserved(input == output);
        const std::size_t hop = d_problem.hop_items() * d_problem.input_item_bytes();
        const std::size_t distance =
            d_problem.effective_output_distance() * d_problem.output_item_bytes();
        const std::size_t in_bytes = d_problem.input_bytes(input_samples(frames));
        const std::size_t out_bytes =
            (frames - 1) * distance +
            d_problem.output_span() * d_problem.output_item_bytes();
        const std::unique_ptr<char, decltype(&std::free)> scratch(
            static_cast<char*>(std::malloc(ready.program.scratch_bytes)), &std::free);
        if (!scratch && ready.program.scratch_bytes > 0)
            throw std::bad_alloc();

        slab_host host;
        std::vector<std::unique_ptr<async_device::registration>> held;
        const auto use = [&](slab_memory which, void* at, std::size_t bytes) {
            host.memory[int(which)] = static_cast<char*>(at);
            host.is_reachable[int(which)] = bytes > 0 && reach(at, bytes, held);
        };
        const bool is_same = input == output;
        use(slab_memory::output,
            output,
            is_same ? std::max(in_bytes, out_bytes) : out_bytes);
        use(slab_memory::input, const_cast<void*>(input), is_same ? 0 : in_bytes);
        if (is_same)
            host.is_reachable[int(slab_memory::input)] =
                host.is_reachable[int(slab_memory::output)];
        use(slab_memory::scratch, scratch.get(), ready.program.scratch_bytes);
        for (std::size_t frame = 0; frame < frames; ++frame) {
            d_execution.run(ready.program, ready.plans, host);
            host.memory[int(slab_memory::input)] += hop;
            host.memory[int(slab_memory::output)] += distance;
        }
        d_execution.release();
    }

    const parts* device_parts() const override
    {
        return d_devices.size() > 1 ? &d_parts : nullptr;
    }

    void do_execute_parts(const std::vector<const void*>& inputs,
                          const std::vector<void*>& outputs,
                          std::size_t frames,
                          const std::vector<void*>& streams) override
    {
        check_owners("inputs", inputs);
        check_owners("outputs", outputs);
        const ready_program& ready = reserved_on_cards();
        slab_host host;
        std::vector<char*>& from = host.parts[int(slab_memory::input)];
        std::vector<char*>& to = host.parts[int(slab_memory::output)];
        for (std::size_t i = 0; i < d_devices.size(); ++i) {
            from.push_back(static_cast<char*>(const_cast<void*>(inputs[i])));
            to.push_back(static_cast<char*>(outputs[i]));
        }
        try {
            d_execution.wait_for(streams);
            for (std::size_t frame = 0; frame < frames; ++frame) {
                d_execution.run(ready.program, ready.plans, host);
                for (std::size_t i = 0; i < d_devices.size(); ++i) {
                    from[i] += d_parts.input[i] * d_problem.input_item_bytes();
                    to[i] += d_parts.output[i] * d_problem.output_item_bytes();
                }
            }
        } catch (...) {
            d_execution.release();
            throw;
        }
    }

    void do_enqueue(const void*, void*, std::size_t, void*, std::size_t) override
    {
        throw std::logic_error(
            d_devices.size() > 1
                ? "this plan is on several devices: it takes arrays in host memory, or a "
                  "part of the array on each device, and cannot enqueue()"
                : "this plan sends arrays through the card in slabs: it takes arrays in "
                  "host memory, and cannot enqueue()");
    }
    void do_set_window(const std::vector<float>&) override {} // has no window
    void do_reset_average() override {}                       // has no mean

private:
    struct ready_program {
        slab_program program;
        slab_plans plans; // made when needed
    };

    static std::vector<async_device::sptr> make_devices(const plan_options& options,
                                                        const engine_makers& makers)
    {
        std::vector<async_device::sptr> devices;
        for (const int each : devices_of(options))
            devices.push_back(makers.make_device(each));
        return devices;
    }

    // Whether each card reaches the memory of all others.
    static bool can_exchange(const std::vector<async_device::sptr>& devices)
    {
        for (const async_device::sptr& each : devices)
            for (const async_device::sptr& other : devices)
                if (!each->is_readable_from(other->index()))
                    return false;
        return true;
    }

    static parts parts_of(const problem& what,
                          const std::vector<async_device::sptr>& devices,
                          bool transposed)
    {
        const card_parts all = parts_on_cards(what, devices.size(), transposed);
        parts made{ {}, all.input, all.output };
        for (const async_device::sptr& each : devices)
            made.devices.push_back(each->index());
        return made;
    }

    std::unique_ptr<ready_program> prepare(bool in_place)
    {
        return std::make_unique<ready_program>(ready_program{
            make_shared_program(d_problem, d_memory, d_devices.size(), in_place, d_keeps),
            {} });
    }

    // Throws what making the plans would, without compiling them.
    void check_transforms(const slab_program& program) const
    {
        for (const problem& each : program.transforms) {
            const std::string obstacle =
                planning_obstacle(each, card_of(d_devices.front()->index()));
            if (!obstacle.empty())
                throw std::invalid_argument(each.to_string() + ": " + obstacle);
        }
    }

    // A kernel that is given another card's memory may break the context.
    template <class Pointer>
    void check_owners(const char* name, const std::vector<Pointer>& given) const
    {
        for (std::size_t i = 0; i < given.size(); ++i) {
            const std::optional<int> owner = d_devices[i]->owner_of(given[i]);
            if (owner != d_devices[i]->index())
                throw std::invalid_argument(
                    "part " + std::to_string(i) + " of " + name + " is " +
                    (owner ? "on device " + std::to_string(*owner)
                           : std::string("not on a device")) +
                    ": must be on device " + std::to_string(d_devices[i]->index()));
        }
    }

    std::unique_ptr<ready_program> prepare_on_cards()
    {
        auto made = std::make_unique<ready_program>(
            ready_program{ make_card_program(d_problem,
                                             d_memory,
                                             d_devices.size(),
                                             d_options.transposed,
                                             d_keeps_frames),
                           {} });
        make_plans(*made);
        return made;
    }

    // The program for frames that lie on the cards, with what the cards keep allocated;
    // if they have no room for a frame each, another, of which each keeps its share.
    const ready_program& reserved_on_cards()
    {
        if (!d_on_cards) {
            for (const async_device::sptr& each : d_devices)
                for (const async_device::sptr& other : d_devices)
                    if (other->is_readable_from(each->index()))
                        each->reach_memory_of(*other);
            d_on_cards = prepare_on_cards();
        }
        if (!reserve(d_on_cards->program, d_keeps_frames)) {
            d_keeps_frames = false;
            d_on_cards = prepare_on_cards();
            reserve(d_on_cards->program, false);
        }
        return *d_on_cards;
    }

    void describe_on_cards(std::ostream& text) const
    {
        const slab_program& program = d_on_cards->program;
        text << "; arrays on the cards in " << program.sweeps.size() << " sweeps of "
             << program.slabs() << " slabs up to " << bytes_text(program.buffer_bytes)
             << ", " << exchanged_bytes(program) << " bytes from card to card";
        describe_plans(*d_on_cards, text);
    }

    static void describe_plans(const ready_program& ready, std::ostream& text)
    {
        for (std::size_t i = 0; i < ready.program.transforms.size(); ++i)
            text << "; " << ready.program.transforms[i].to_string() << ": "
                 << (ready.plans.empty() ? "planned when it is first needed"
                                         : ready.plans.front()[i]->describe());
    }

    // Makes the plans that the program needs, unless there are such already.
    void make_plans(ready_program& ready)
    {
        slab_plans plans(d_devices.size());
        for (std::size_t card = 0; card < d_devices.size(); ++card)
            for (const problem& each : ready.program.transforms) {
                plan::uptr& made = d_plans[{ card, each.to_string() }];
                if (!made) {
                    plan_options options = d_options;
                    options.engine = engine_kind::cuda;
                    options.device = d_devices[card]->index();
                    options.devices.clear();
                    options.transposed = false;
                    options.enqueues = true;
                    made = d_makers.make_plan(each, options);
                }
                plans[card].push_back(made.get());
            }
        ready.plans = std::move(plans);
    }

    // The program, with what the cards keep allocated; another, which keeps nothing, if
    // they have no room.
    const ready_program& reserved(bool in_place)
    {
        std::unique_ptr<ready_program>& ready = in_place ? d_in_place : d_apart;
        if (!ready)
            ready = prepare(in_place);
        if (ready->plans.empty())
            make_plans(*ready);
        if (!reserve(ready->program, !ready->program.kept_bytes.empty())) {
            d_keeps = false;
            ready = prepare(in_place);
            make_plans(*ready);
            reserve(ready->program, false);
        }
        return *ready;
    }

    // Allocates what the program needs. If the cards have no room for it: false where
    // another program needs less, else an error.
    bool reserve(const slab_program& program, bool has_other)
    {
        constexpr int OUT_OF_MEMORY = 2; // CUDA_ERROR_...
        try {
            d_execution.reserve(program);
            return true;
        } catch (const cuda_error& error) {
            d_execution.release();
            if (error.code() != OUT_OF_MEMORY || !has_other)
                throw;
            return false;
        }
    }

    // Registers the memory, unless its owner has. False if that is refused: the memory is
    // staged.
    bool reach(void* at,
               std::size_t bytes,
               std::vector<std::unique_ptr<async_device::registration>>& held)
    {
        constexpr int ALREADY_REGISTERED = 712; // CUDA_ERROR_HOST_MEMORY_...
        if (number_from_environment("GPUFFT_STAGE_ARRAYS", 0) != 0)
            return false;
        try {
            held.push_back(d_devices.front()->register_host(at, bytes));
            return true;
        } catch (const cuda_error& error) {
            return error.code() == ALREADY_REGISTERED;
        }
    }

    const plan_options d_options;
    const engine_makers d_makers;
    const std::size_t d_memory;
    const std::vector<async_device::sptr> d_devices;
    slab_execution d_execution;
    const parts d_parts;
    std::map<std::pair<std::size_t, std::string>, plan::uptr> d_plans; // by card, problem
    bool d_keeps;               // the cards can exchange points, and have room for them
    bool d_keeps_frames = true; // of frames on the cards: each has room for a whole one
    std::unique_ptr<ready_program> d_apart, d_in_place; // output apart; made when needed
    std::unique_ptr<ready_program> d_on_cards;          // made when needed
};

} // namespace

plan::uptr make_slab_plan(const problem& what,
                          const plan_options& options,
                          const engine_makers& makers)
{
    return std::make_unique<slab_plan>(what, options, makers);
}

} // namespace gpufft
} // namespace gr
