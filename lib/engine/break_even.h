// SPDX-License-Identifier: GPL-3.0-or-later
//
// Internals of find_break_even(): what it measures with, and the chunks of the blocks.

#ifndef INCLUDED_GPUFFT_ENGINE_BREAK_EVEN_H
#define INCLUDED_GPUFFT_ENGINE_BREAK_EVEN_H

#include "chunk_pipeline.h"
#include <functional>
#include <gnuradio/gpufft/break_even.h>

namespace gr {
namespace gpufft {

// Bytes of input or output, whichever is larger, in a block's chunk under load: on a
// card, and on each thread of the CPU.
constexpr std::size_t CUDA_LOAD_BYTES = chunk_pipeline::CHUNK_BYTES;
constexpr std::size_t CPU_LOAD_BYTES = std::size_t(1) << 20;
constexpr std::size_t MAX_CPU_LOAD_BYTES = std::size_t(4) << 20;

// The name of the card with this index; "" if there is no usable one. Calls only those
// driver functions that query_cuda() calls.
GPUFFT_API std::string cuda_card_name(int device);

// Makers of plans and cards. Tests replace them by simulated ones.
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
