// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts a stream into frames of n samples that start every hop samples, however the
// samples arrive. Frames overlap if hop < n; samples are skipped if hop > n.

#ifndef INCLUDED_GPUFFT_FRAMER_H
#define INCLUDED_GPUFFT_FRAMER_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gr {
namespace gpufft {

/* Whole frames in the block's input buffer are used in place, and what the next frame
 * still needs stays there, unconsumed. If the buffer is too short for that (less than two
 * frames: the writer may need the other half), frames that are not whole in it are
 * collected in the framer's own memory.
 *
 * Frames may be extended at their beginning while the stream runs: from grow() on the
 * framer keeps the samples before the next frame, until there are enough. */
class framer
{
public:
    // Frames ready to be transformed.
    struct run {
        const void* samples = nullptr; // the first frame's samples, if there is an input
        std::size_t frames = 0;        // frames, whose starts are hop apart
        std::size_t consumed = 0;      // input samples used up
        std::ptrdiff_t first = 0;      // input sample at which the next frame starts
        std::size_t n = 1;
        std::size_t hop = 1;

        // The last frame that starts at or before this input sample, or, if hop > n skips
        // the sample, the frame after it. Frames count from the next one; 0 for samples
        // before that.
        std::size_t frame_of(std::size_t sample) const;
    };

    framer(std::size_t n, std::size_t sample_bytes);

    // Begins a stream whose first frame starts after `lead` samples, read from a buffer
    // of `buffer_samples`.
    void start(std::size_t buffer_samples, std::size_t lead);

    // The same for frames of n samples, `together` at once, `hop` apart. If frames are
    // collected, the first frame begins with `zeros` zeros that are not in the input, and
    // the memory has twice the necessary size, so that overlapping frames rarely move it.
    void start_overlapping(std::size_t n,
                           std::size_t buffer_samples,
                           std::size_t zeros = 0,
                           std::size_t together = 1,
                           std::size_t hop = 1);

    // Samples of a frame.
    std::size_t n() const { return d_n; }

    // From the next take() on frames have n samples; their starts do not change.
    void set_n(std::size_t n);

    // From now on `frames` frames, whose starts are `hop` apart, must be available at
    // once.
    void set_together(std::size_t frames, std::size_t hop);

    // Makes frames begin `more` samples earlier, as soon as that many are kept. Then
    // has_grown(), called between takes, extends the frames and returns true.
    void grow(std::size_t more);
    bool has_grown();

    // Samples that must pass before frames can grow.
    std::size_t missing() const { return d_keep - std::min(d_kept, d_keep); }

    // True if frames may be collected in the framer's own memory.
    bool is_collecting() const { return d_collecting; }

    // Where the next frame starts, for framers that do not collect. Restoring an earlier
    // place undoes the take() calls since.
    struct place {
        std::size_t skip = 0; // samples to skip before it
        std::size_t kept = 0; // samples kept before it
    };
    place position() const { return { d_skip, d_kept }; }
    void set_position(const place& position);

    // Start of the next frame, relative to the next sample of input.
    std::ptrdiff_t next_start() const
    {
        return static_cast<std::ptrdiff_t>(d_skip + d_kept) -
               static_cast<std::ptrdiff_t>(d_held);
    }

    // Input samples that take() needs to return frames: a single frame, or all that must
    // be available at once.
    std::size_t wanted(bool single = true) const;

    // The next frames, at most max_frames and a multiple of `together`, and the input
    // that they use up. The run is valid until the next call or until the input is gone.
    // If the stream `ends` with this input, the number of last frames need not be a
    // multiple. Without an input, null, frames must not be collected.
    run take(const void* input,
             std::size_t available,
             std::size_t hop,
             std::size_t max_frames,
             std::size_t together = 1,
             bool ends = false);

private:
    void collect_from_now_on(std::size_t capacity);
    void hold_growing();
    std::size_t pass(std::size_t samples, std::size_t there);
    void take_in_place(run& next,
                       const char* input,
                       std::size_t available,
                       std::size_t max,
                       std::size_t together,
                       bool ends);
    void collect(run& next,
                 const char* input,
                 std::size_t available,
                 std::size_t max,
                 std::size_t together,
                 bool ends);

    std::size_t d_n;
    std::size_t d_more = 0;    // samples beyond one frame that frames together span
    const std::size_t d_bytes; // bytes of a sample
    std::size_t d_room = 0;    // samples of the longest frame that the input buffer shows
    std::size_t d_skip = 0;    // samples to skip before the next frame
    std::size_t d_kept = 0;    // samples kept before the next frame
    std::size_t d_keep = 0;    // samples to keep before the next frame, see grow()
    bool d_collecting = false;
    std::vector<char> d_memory; // collected samples
    std::size_t d_begin = 0;    // offset of the kept samples, which the next frame's
                                // follow
    std::size_t d_held = 0;     // samples from there on, kept and next
};

} // namespace gpufft
} // namespace gr

#endif
