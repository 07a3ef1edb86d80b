// SPDX-License-Identifier: GPL-3.0-or-later
//
// A general_transform with plain complex rows.

#include "general_bins.h"
#include "general_text.h"
#include "problem/frame_rows.h"
#include "task_size.h"

namespace gr {
namespace gpufft {

namespace {

problem with_complex_rows(const problem& what)
{
    problem frame = rows_of_frames(what, output_kind::complex);
    frame.batch = 1; // each frame alone
    return frame;
}

} // namespace

general_bins::general_bins(const problem& what)
    : d_what(what),
      d_transform(with_complex_rows(what))
{
}

void general_bins::allocate(std::size_t threads)
{
    std::vector<aligned_buffer<complex>> bins;
    for (std::size_t thread = 0; thread < threads; ++thread)
        bins.emplace_back(d_what.row_bins());
    d_transform.allocate(threads);
    d_bins = std::move(bins);
}

void general_bins::set_window(const std::vector<float>& taps)
{
    d_transform.set_window(std::vector<double>(taps.begin(), taps.end()));
}

std::size_t general_bins::frames_per_task() const
{
    return (POINTS_PER_TASK + d_what.n - 1) / d_what.n;
}

const general_bins::complex* general_bins::transform(const char* input,
                                                     std::size_t hop,
                                                     std::size_t frames,
                                                     std::size_t,
                                                     complex* target,
                                                     std::size_t thread)
{
    complex* bins = target == nullptr ? d_bins[thread].data() : target;
    d_transform.run({ input, bins, hop, d_what.row_bins() }, frames, 1.0, thread);
    return bins;
}

std::string general_bins::describe_transform() const
{
    return general_transform_text(d_what);
}
std::string general_bins::describe_load() const { return general_load_text(d_what); }

} // namespace gpufft
} // namespace gr
