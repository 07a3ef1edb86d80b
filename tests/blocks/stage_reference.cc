// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows and tags of a stream by a plan.

#include "stage_reference.h"
#include <spdlog/fmt/fmt.h>

namespace gr {
namespace gpufft {

plan::uptr reference_plan(const problem& what, const std::vector<float>& taps)
{
    plan_options options;
    options.engine = engine_kind::cpu;
    plan::uptr made = plan::make(what, options);
    if (what.window)
        made->set_window(taps);
    return made;
}

stream_data transform(const stream_data& input,
                      plan& with,
                      const frame_grid& frames,
                      std::size_t items_per_sample,
                      std::size_t items_per_row)
{
    const problem& what = with.what();
    const std::size_t samples =
        input.items.size() / what.input_item_bytes(); // vectors are samples in a row
    const std::size_t count = frames.count(samples);
    const std::size_t row_bytes = what.row_bins() * what.output_item_bytes();
    stream_data result;
    result.item_bytes = row_bytes / items_per_row;
    result.kind =
        what.output == output_kind::decibel ? value_kind::decibel : value_kind::linear;
    result.items.resize(with.output_rows(count) * row_bytes);
    if (count > 0)
        with.execute(input.items.data() + frames.lead * what.input_item_bytes(),
                     result.items.empty() ? nullptr : result.items.data(),
                     count);
    for (const tag_mark& tag : input.tags) {
        const std::size_t row =
            frames.of_sample(tag.offset / items_per_sample) / what.average;
        result.tags.push_back({ row * items_per_row, tag.id });
    }
    result.truncate(result.count());
    return result;
}

std::string text_of(const stage_options& how)
{
    return fmt::format("device {}, {}", fmt::join(how.devices, "+"), how.on_error);
}

} // namespace gpufft
} // namespace gr
