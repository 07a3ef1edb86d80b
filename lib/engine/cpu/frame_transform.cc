// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW reads and writes the caller's memory where nothing is fused and it is aligned;
// else frames pass through scratch that stays in the cache.

#include "frame_transform.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// One FFTW call for 16 frames takes 0.1 (N = 4) to 0.75 (N = 32) of the time of 16 calls
// (AMD EPYC, AVX-512). From N = 64 on FFTW itself gains nothing, but the steps around it
// do.
constexpr std::size_t MOST_FRAMES_PER_GROUP = 16;
constexpr std::size_t POINTS_PER_GROUP = 1024; // 8 KiB in and out stay in the L1 cache

// Some 4 us of work, against some 0.2 us to hand out a task.
constexpr std::size_t POINTS_PER_TASK = 4096;

std::size_t group_for(std::size_t n)
{
    return std::clamp(POINTS_PER_GROUP / n, std::size_t(1), MOST_FRAMES_PER_GROUP);
}

} // namespace

bool frame_transform::takes(const problem& what)
{
    return what.kind == transform_kind::c2c && what.lengths.size() <= 1 &&
           (what.input == sample_format::cf32 || what.input == sample_format::f32 ||
            what.input == sample_format::cs16 || what.input == sample_format::cs8) &&
           what.stored == number_format::working && what.input_strides.empty() &&
           what.has_plain_rows();
}

frame_transform::frame_transform(const problem& what)
    : d_load(what),
      d_n(what.n),
      d_sample_bytes(what.input_item_bytes()),
      d_group(group_for(what.n)),
      d_single(what.n, 1, what.dir)
{
    if (d_group > 1)
        d_grouped = std::make_unique<fftw_transform>(d_n, d_group, what.dir);
}

void frame_transform::allocate(std::size_t threads)
{
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < threads; ++thread)
        all.push_back({ aligned_buffer<complex>(d_group * d_n),
                        aligned_buffer<complex>(d_group * d_n) });
    d_scratch = std::move(all);
}

std::size_t frame_transform::frames_per_task() const
{
    const std::size_t frames = (POINTS_PER_TASK + d_n - 1) / d_n;
    return (frames + d_group - 1) / d_group * d_group;
}

const frame_transform::complex* frame_transform::transform(const char* input,
                                                           std::size_t hop,
                                                           std::size_t frames,
                                                           complex* target,
                                                           std::size_t thread)
{
    const complex* loaded = reinterpret_cast<const complex*>(input);
    if (!d_load.is_identity() || (frames > 1 && hop != d_n) ||
        !fftw_transform::is_aligned(input)) {
        complex* y = d_scratch[thread].loaded.data();
        for (std::size_t f = 0; f < frames; ++f)
            d_load.load(input + f * hop * d_sample_bytes, y + f * d_n);
        loaded = y;
    }
    if (target == nullptr || !fftw_transform::is_aligned(target))
        target = d_scratch[thread].bins.data();
    (frames == 1 ? d_single : *d_grouped).execute(loaded, target);
    return target;
}

} // namespace gpufft
} // namespace gr
