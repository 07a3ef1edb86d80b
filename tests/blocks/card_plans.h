// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans on several simulated cards, and arrays in parts on them.

#ifndef INCLUDED_GPUFFT_CARD_PLANS_H
#define INCLUDED_GPUFFT_CARD_PLANS_H

#include "card_arrays.h"
#include "device_test.h"
#include "engine/slab_plan.h"
#include "planner/slabs/slab_cards.h"
#include "simulated_device.h"
#include "simulated_plan.h"

namespace gr {
namespace gpufft {

typedef std::vector<std::uint8_t> bytes;

inline plan::uptr
make_plan(const problem& what, std::size_t memory, int cards, bool transposed = false)
{
    plan_options options;
    options.engine = engine_kind::cuda;
    for (int card = 0; card < cards; ++card)
        options.devices.push_back(card);
    options.device_memory = memory;
    options.transposed = transposed;
    return make_slab_plan(
        what, options, { make_simulated_plan, make_simulated_device, [](int) {
                            return std::string("simulated");
                        } });
}

// A plan with its arrays on simulated devices.
struct arrays {
    explicit arrays(const plan& with, std::size_t frames = 1)
        : devices(make_devices(with.input_parts().size())),
          input(devices, with.input_parts(), with.what().input_item_bytes(), frames),
          output(devices, with.output_parts(), with.what().output_item_bytes(), frames)
    {
    }

    static std::vector<async_device::sptr> make_devices(std::size_t count)
    {
        std::vector<async_device::sptr> made;
        for (std::size_t i = 0; i < count; ++i)
            made.push_back(make_simulated_device(static_cast<int>(i)));
        return made;
    }

    const std::vector<async_device::sptr> devices;
    card_array input, output;
};

inline std::size_t frame_bytes(const problem& what)
{
    return std::max(what.frame_samples() * what.input_item_bytes(),
                    what.row_items() * what.output_item_bytes());
}

// To 10000 times as much memory: plans throw what obstacle is left.
constexpr int MOST_STEPS = 42;

// Memory for slabs of that part of a frame, or for the smallest that the problem allows.
inline std::size_t
memory_for(const problem& what, std::size_t slabs, int cards, bool transposed = false)
{
    std::size_t memory = 16 * frame_bytes(what) / slabs;
    for (int step = 0; step < MOST_STEPS &&
                       !card_data_obstacle(what, memory, cards, transposed).empty();
         ++step)
        memory += memory / 4;
    return memory;
}

template <class Error, class Call>
void expect_error(const Call& call, const std::vector<const char*>& parts)
{
    try {
        call();
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        for (const char* part : parts)
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
                << part << " in " << error.what();
    }
}

} // namespace gpufft
} // namespace gr

#endif
