// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inside of find_break_even(): what it measures with, and the chunks of the blocks.

#ifndef INCLUDED_GPUFFT_ENGINE_BREAK_EVEN_H
#define INCLUDED_GPUFFT_ENGINE_BREAK_EVEN_H

#include "async_device.h"
#include <functional>
#include <gnuradio/gpufft/break_even.h>

namespace gr {
namespace gpufft {

// Bytes of input or output, whichever are more, of a chunk that a block computes under
// load: on a card, and on each thread of the CPU.
constexpr std::size_t CUDA_LOAD_BYTES = std::size_t(16) << 20;
constexpr std::size_t CPU_LOAD_BYTES = std::size_t(1) << 20;
constexpr std::size_t MAX_CPU_LOAD_BYTES = std::size_t(4) << 20;

// The name of the card with this index; "" if there is none that can be used. Asks no
// more of the driver than query_cuda().
GPUFFT_API std::string cuda_card_name(int device);

// Where plans and cards come from. Tests put simulated ones in their place.
struct engine_makers {
    std::function<plan::uptr(const problem&, const plan_options&)> make_plan = plan::make;
    std::function<async_device::sptr(int)> make_device = make_cuda_device;
    std::function<std::string(int)> card_name = cuda_card_name;
};

GPUFFT_API break_even find_break_even(const problem& what,
                                      const plan_options& options,
                                      bool anew,
                                      const engine_makers& makers);

} // namespace gpufft
} // namespace gr

#endif
