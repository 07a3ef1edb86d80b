// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW works in the caller's memory if that is aligned and no step is fused; else frames
// pass through scratch that stays in the cache.

#include "frame_transform.h"
#include "task_size.h"

#include <algorithm>

namespace gr {
namespace gpufft {

namespace {

// One FFTW call for 16 frames takes 0.1 (N = 4) to 0.75 (N = 32) of the time of 16 calls
// (AMD EPYC, AVX-512). From N = 64 on FFTW itself gains nothing, but the steps around it
// do.
constexpr std::size_t MOST_FRAMES_PER_GROUP = 16;
constexpr std::size_t POINTS_OF_BANK = 16384; // 128 KiB each stay in the L2 cache

std::size_t group_for(std::size_t n)
{
    return std::clamp(POINTS_PER_GROUP / n, std::size_t(1), MOST_FRAMES_PER_GROUP);
}

// Samples of other formats are converted once per group, so a bank's group should have at
// least as many frames as taps.
std::size_t group_of(const problem& what)
{
    const std::size_t group = group_for(what.n);
    if (!what.is_polyphase_bank() || what.input == sample_format::cf32)
        return group;
    const std::size_t most = std::max(POINTS_OF_BANK / what.n, std::size_t(1));
    return std::max(group, std::min(what.taps, most));
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
    : d_load(what.is_polyphase_bank() ? problem() : what),
      d_bank(what.is_polyphase_bank() ? std::make_unique<bank_load>(what) : nullptr),
      d_n(what.n),
      d_sample_bytes(what.input_item_bytes()),
      d_lines(transform_kind::c2c, what.dir, what.n, group_of(what))
{
}

void frame_transform::allocate(std::size_t threads)
{
    std::vector<scratch> all;
    for (std::size_t thread = 0; thread < threads; ++thread)
        all.push_back({ aligned_buffer<complex>(group() * d_n),
                        aligned_buffer<complex>(group() * d_n),
                        {} });
    d_scratch = std::move(all);
}

std::size_t frame_transform::frames_per_task() const
{
    const std::size_t frames = (POINTS_PER_TASK + d_n - 1) / d_n;
    return (frames + group() - 1) / group() * group();
}

const frame_transform::complex* frame_transform::transform(const char* input,
                                                           std::size_t hop,
                                                           std::size_t frames,
                                                           std::size_t position,
                                                           complex* target,
                                                           std::size_t thread)
{
    const complex* loaded = load(input, hop, frames, position, d_scratch[thread]);
    if (target == nullptr || d_lines.pads(frames) || !fftw_transform::is_aligned(target))
        target = d_scratch[thread].bins.data();
    d_lines.execute(loaded, target, frames);
    return target;
}

// Returns the points of these frames in memory where FFTW can read them.
const frame_transform::complex* frame_transform::load(const char* input,
                                                      std::size_t hop,
                                                      std::size_t frames,
                                                      std::size_t position,
                                                      scratch& own) const
{
    complex* y = own.loaded.data();
    if (d_lines.pads(frames))
        std::fill(y + frames * d_n, y + group() * d_n, complex());
    if (d_bank) {
        const std::size_t points = d_bank->scratch_points(frames, hop);
        if (points > own.converted.size())
            own.converted = aligned_buffer<complex>(points);
        d_bank->load(input, hop, frames, position, own.converted.data(), y);
        return y;
    }
    if (d_load.is_identity() && !d_lines.pads(frames) && (frames == 1 || hop == d_n) &&
        fftw_transform::is_aligned(input))
        return reinterpret_cast<const complex*>(input);
    for (std::size_t f = 0; f < frames; ++f)
        d_load.load(input + f * hop * d_sample_bytes, y + f * d_n);
    return y;
}

void frame_transform::set_window(const std::vector<float>& taps)
{
    if (d_bank)
        d_bank->set_window(taps);
    else
        d_load.set_window(taps);
}

bool frame_transform::shifts_output() const
{
    return d_bank ? d_bank->shifts_output() : d_load.shifts_output();
}

std::string frame_transform::describe_load() const
{
    return d_bank ? d_bank->describe() : d_load.describe();
}

} // namespace gpufft
} // namespace gr
