// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts a stream of samples into frames of n that start every hop samples, however the
// samples arrive. Frames overlap if hop < n; samples are skipped if hop > n.

#ifndef INCLUDED_GPUFFT_FRAMER_H
#define INCLUDED_GPUFFT_FRAMER_H

#include <cstddef>
#include <vector>

namespace gr {
namespace gpufft {

/* Frames that lie whole in the block's input buffer are handed out where they lie, and
 * what the next frame still needs stays there, unconsumed. A buffer that is too short for
 * that (less than two frames: the writer may need the other half) is emptied into memory
 * of our own, as far as it does not hold whole frames. */
class framer
{
public:
    // Frames ready to be transformed.
    struct run {
        const void* samples = nullptr; // of the first frame
        std::size_t frames = 0;        // their starts are hop apart
        std::size_t consumed = 0;      // samples of the input that are used up
        std::ptrdiff_t first = 0; // sample of the input at which the next frame starts
        std::size_t n = 1;
        std::size_t hop = 1;

        // The last frame that starts at or before this sample of the input, or, if hop >
        // n skips the sample, the frame after it. Counted from the next frame; 0 for
        // samples before that.
        std::size_t frame_of(std::size_t sample) const;
    };

    framer(std::size_t n, std::size_t sample_bytes);

    // Begins a stream whose first frame starts after `lead` samples, read from a buffer
    // of `buffer_samples`.
    void start(std::size_t buffer_samples, std::size_t lead);

    // Frames are collected in memory of our own, one at a time.
    bool is_collecting() const { return d_collecting; }

    // Where the next frame starts, for framers that do not collect: samples to pass over.
    // Setting it to what it was takes back the take() in between.
    std::size_t position() const { return d_skip; }
    void set_position(std::size_t position) { d_skip = position; }

    // Where the next frame starts from the next sample of input.
    std::ptrdiff_t next_start(std::size_t hop) const
    {
        const std::size_t start = d_collecting && d_held == d_n ? hop : d_skip;
        return static_cast<std::ptrdiff_t>(start) - static_cast<std::ptrdiff_t>(d_held);
    }

    std::size_t n() const { return d_n; } // samples of a frame

    // Samples of input with which take() gets on.
    std::size_t wanted() const { return d_collecting ? 1 : d_n; }

    // The next frames, max_frames at most, and what they use of the input. They are valid
    // until the next call or until the input is gone.
    run take(const void* input,
             std::size_t available,
             std::size_t hop,
             std::size_t max_frames);

private:
    void drop_collected(std::size_t hop);
    void
    take_in_place(run& next, const char* input, std::size_t available, std::size_t max);
    void collect(run& next, const char* input, std::size_t available);

    const std::size_t d_n;
    const std::size_t d_bytes; // of a sample
    std::size_t d_skip = 0; // samples to pass over before the next frame's (next) samples
    bool d_collecting = false;
    std::vector<char> d_frame; // the frame being collected
    std::size_t d_held = 0;    // samples in it
};

} // namespace gpufft
} // namespace gr

#endif
