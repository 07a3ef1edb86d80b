// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stages expect: a plan of the cpu engine, over the frames of a stream.

#ifndef INCLUDED_GPUFFT_STAGE_REFERENCE_H
#define INCLUDED_GPUFFT_STAGE_REFERENCE_H

#include "stages.h"
#include <gnuradio/gpufft/plan.h>

namespace gr {
namespace gpufft {

plan::uptr reference_plan(const problem& what, const std::vector<float>& taps);

// Where the frames of a stream are.
struct frame_grid {
    std::size_t lead = 0; // samples before the first
    std::size_t n, hop;

    std::size_t count(std::size_t samples) const
    {
        return samples < lead + n ? 0 : (samples - lead - n) / hop + 1;
    }
    // The last frame that starts at or before the sample; the next one if none has it.
    std::size_t of_sample(std::size_t sample) const
    {
        if (sample <= lead)
            return 0;
        const std::size_t past = sample - lead;
        return past / hop + (past % hop >= n ? 1 : 0);
    }
};

// The plan's rows of the stream. A row is one item, but for FFTs of streams.
stream_data transform(const stream_data& input,
                      plan& with,
                      const frame_grid& frames,
                      std::size_t items_per_sample,
                      std::size_t items_per_row);

std::string text_of(const stage_options& how);

} // namespace gpufft
} // namespace gr

#endif
