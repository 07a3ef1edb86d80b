// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the QA in Python needs of the simulated cards, for ctypes.

#include "bindings/python_plan.h"
#include "blocks/kernels_of_users.h"
#include "engine/slab_plan.h"
#include "simulated_device.h"
#include "simulated_function.h"
#include "simulated_plan.h"
#include "stream/live_plan.h"
#include <algorithm>
#include <cstring>
#include <map>

#define GPUFFT_FOR_CTYPES extern "C" __attribute__((visibility("default")))

using namespace gr::gpufft;

// inputs, outputs
typedef void (*python_work)(const void* const*, void* const*);

// text, name, inputs, outputs, frames, parameters, blocks, threads
typedef void (*python_kernel)(const char*,
                              const char*,
                              const void* const*,
                              void* const*,
                              long long,
                              const void* const*,
                              unsigned,
                              unsigned);

namespace {

class simulated_kernel : public user_kernel
{
public:
    simulated_kernel(const std::string& text, const std::string& name, python_kernel work)
        : d_text(text),
          d_name(name),
          d_work(work)
    {
    }

    void launch(const user_launch& how) const override
    {
        const auto work = [=, text = d_text, name = d_name, run = d_work](
                              const std::vector<const char*>& inputs,
                              const std::vector<char*>& outputs) {
            std::vector<const void*> parameters;
            for (const std::vector<char>& each : how.parameters)
                parameters.push_back(each.data());
            run(text.c_str(),
                name.c_str(),
                reinterpret_cast<const void* const*>(inputs.data()),
                reinterpret_cast<void* const*>(outputs.data()),
                static_cast<long long>(how.frames),
                parameters.data(),
                static_cast<unsigned>(how.blocks),
                static_cast<unsigned>(how.threads));
        };
        queue_on_simulated_device(
            how.stream, areas_of(how.inputs), areas_of(how.outputs), work);
    }

private:
    static std::vector<memory_area> areas_of(const std::vector<user_launch::area>& from)
    {
        std::vector<memory_area> areas;
        for (const user_launch::area& each : from)
            areas.push_back({ each.address, each.bytes });
        return areas;
    }

    const std::string d_text, d_name;
    const python_kernel d_work;
};

std::string card_name(int) { return "a simulated card"; }

plan::uptr make_plan(const problem& what, const plan_options& options)
{
    if (options.devices.size() < 2)
        return make_simulated_plan(what, options);
    return make_slab_plan(
        what, options, { make_simulated_plan, make_simulated_device, card_name });
}

// Arrays of the QA.
std::map<void*, std::unique_ptr<async_device::memory>>& kept_arrays()
{
    static auto& s_kept =
        *new std::map<void*, std::unique_ptr<async_device::memory>>; // outlives all
    return s_kept;
}

void copy_by_pinned(int device, void* to, const void* from, std::size_t bytes, bool reads)
{
    const async_device::sptr card = make_simulated_device(device);
    const auto queue = card->make_queue();
    const auto staged = card->allocate_pinned(bytes);
    if (!reads)
        std::memcpy(staged->address(), from, bytes);
    card->copy(
        *queue, reads ? staged->address() : to, reads ? from : staged->address(), bytes);
    card->synchronize(*queue);
    if (reads)
        std::memcpy(to, staged->address(), bytes);
}

} // namespace

// The address of a copy of these bytes on a simulated card, until they are freed.
GPUFFT_FOR_CTYPES void*
gpufft_simulated_array(int device, const void* from, std::size_t bytes)
{
    auto memory = make_simulated_device(device)->allocate(bytes);
    void* const address = memory->address();
    copy_by_pinned(device, address, from, bytes, false);
    kept_arrays()[address] = std::move(memory);
    return address;
}

GPUFFT_FOR_CTYPES void
gpufft_simulated_read(int device, const void* address, void* to, std::size_t bytes)
{
    copy_by_pinned(device, to, address, bytes, true);
}

GPUFFT_FOR_CTYPES void gpufft_free_simulated_arrays() { kept_arrays().clear(); }

// From now on kernels of users are executed by this function.
GPUFFT_FOR_CTYPES void gpufft_simulate_kernels(python_kernel work)
{
    kernels_of_users::s_make =
        [work](int, const std::string& text, const std::string& name) {
            return std::make_unique<simulated_kernel>(text, name, work);
        };
}

// From now on blocks find simulated cards, whose calls take this long.
GPUFFT_FOR_CTYPES void gpufft_simulate(double seconds_per_call)
{
    simulation::reset();
    simulation::set_speed({ seconds_per_call, 0, 1 });
    live_plan::s_make = make_simulated_plan;
    live_plan::s_make_device = make_simulated_device;
    live_plan::s_card_name = card_name;
    python_plan::s_makers = { make_plan, make_simulated_device, card_name };
    live_plan::s_broken_reason = simulation::broken_reason;
}

GPUFFT_FOR_CTYPES void gpufft_simulate_work(void* stream,
                                            std::size_t inputs,
                                            const memory_area* from,
                                            std::size_t outputs,
                                            const memory_area* to,
                                            python_work work)
{
    queue_on_simulated_device(
        stream,
        { from, from + inputs },
        { to, to + outputs },
        [=](const std::vector<const char*>& in, const std::vector<char*>& out) {
            work(reinterpret_cast<const void* const*>(in.data()),
                 reinterpret_cast<void* const*>(out.data()));
        });
}

// The k-th call from now on makes the card fail for good.
GPUFFT_FOR_CTYPES void gpufft_simulate_failure(long call)
{
    simulation::fail(simulation::fault::lost, call);
}

// Writes the violations so far, and what is left on the cards, to `text`.
GPUFFT_FOR_CTYPES void gpufft_simulated_faults(char* text, std::size_t size)
{
    std::string all;
    for (const std::string& violation : simulation::violations())
        all += violation + "; ";
    if (const int left = simulation::live().total(); left > 0)
        all += std::to_string(left) + " objects are left on the cards";
    all = all.substr(0, size - 1);
    std::copy_n(all.c_str(), all.size() + 1, text);
}
