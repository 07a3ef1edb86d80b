// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts a stream of samples into frames of n that start every hop samples, however the
// samples arrive. Frames overlap if hop < n; samples are skipped if hop > n.

#ifndef INCLUDED_GPUFFT_FRAMER_H
#define INCLUDED_GPUFFT_FRAMER_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gr {
namespace gpufft {

/* Frames that lie whole in the block's input buffer are handed out where they lie, and
 * what the next frame still needs stays there, unconsumed. A buffer that is too short for
 * that (less than two frames: the writer may need the other half) is emptied into memory
 * of our own, as far as it does not hold whole frames.
 *
 * Frames may become longer at their beginning, while the stream goes on: from grow() on
 * the samples before the next frame are kept, until there are enough of them. */
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

    // The same with frames of n samples that shall be there `together`, `hop` apart. The
    // first one begins with so many zeros that are not in the input: only if frames are
    // collected. Then the memory is for twice as much: it shall not be moved for each
    // frame of many that overlap.
    void start_overlapping(std::size_t n,
                           std::size_t buffer_samples,
                           std::size_t zeros = 0,
                           std::size_t together = 1,
                           std::size_t hop = 1);

    // Samples of a frame.
    std::size_t n() const { return d_n; }

    // From the next take() on frames have so many samples, and begin where they would.
    void set_n(std::size_t n);

    // From now on so many frames, whose starts are `hop` apart, shall be there at once.
    void set_together(std::size_t frames, std::size_t hop);

    // Frames shall begin so many samples earlier: has_grown() from when they do, which is
    // for its caller to ask between takes.
    void grow(std::size_t more);
    bool has_grown();

    // Samples that have to pass before that.
    std::size_t missing() const { return d_keep - std::min(d_kept, d_keep); }

    // Frames are collected in memory of our own.
    bool is_collecting() const { return d_collecting; }

    // Where the next frame starts, for framers that do not collect. Setting it to what it
    // was takes back the take() in between.
    struct place {
        std::size_t skip = 0; // samples to pass over before it
        std::size_t kept = 0; // or samples before it that are kept
    };
    place position() const { return { d_skip, d_kept }; }
    void set_position(const place& position);

    // Where the next frame starts from the next sample of input.
    std::ptrdiff_t next_start() const
    {
        return static_cast<std::ptrdiff_t>(d_skip + d_kept) -
               static_cast<std::ptrdiff_t>(d_held);
    }

    // Samples of input with which take() gets on: with those that shall be there at once,
    // or with a single frame.
    std::size_t wanted(bool single = true) const;

    // The next frames, max_frames at most and a multiple of `together`, and what they use
    // of the input. They are valid until the next call or until the input is gone. If the
    // stream ends with this input, its last frames may be any number.
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
    std::size_t d_more = 0; // samples behind a frame of those that shall be there with it
    const std::size_t d_bytes; // of a sample
    std::size_t d_room = 0;    // samples of the longest frame in the input buffer
    std::size_t d_skip = 0;    // samples to pass over before the next frame's (next) ones
    std::size_t d_kept = 0;    // samples that are there before the next frame
    std::size_t d_keep = 0;    // that shall be there
    bool d_collecting = false;
    std::vector<char> d_memory; // of frames that are collected
    std::size_t d_begin = 0;    // there the kept samples are, then the next frame's,
    std::size_t d_held = 0;     // ...: so many in all
};

} // namespace gpufft
} // namespace gr

#endif
