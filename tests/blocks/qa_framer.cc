// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frames of a stream that arrives in random pieces, from long buffers and short ones, and
// frames that grow on the way.

#include "stream/framer.h"
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace gr::gpufft;

namespace {

// Sample i of the stream is i; a buffer shows `at_once` of them at most.
class framed_stream
{
public:
    framed_stream(std::size_t samples, std::size_t at_once)
        : d_samples(samples),
          d_at_once(at_once)
    {
        std::iota(d_samples.begin(), d_samples.end(), 0);
    }

    // Hands the framer a random piece. False once the stream is at its end.
    bool step(framer& frames, std::size_t hop, std::size_t max_frames)
    {
        const std::size_t most =
            std::min(d_samples.size() - d_read, std::max(d_at_once, d_unused));
        const std::size_t piece =
            std::uniform_int_distribution<std::size_t>(d_unused, most)(d_random);
        const auto run = frames.take(d_samples.data() + d_read, piece, hop, max_frames);
        EXPECT_LE(run.consumed, piece);
        EXPECT_LE(run.frames, max_frames);
        for (std::size_t f = 0; f < run.frames; ++f) {
            const int* frame = static_cast<const int*>(run.samples) + f * hop;
            EXPECT_EQ(std::ptrdiff_t(d_read) + run.first + std::ptrdiff_t(f * hop),
                      frame[0]);
            for (std::size_t i = 1; i < run.n; ++i)
                EXPECT_EQ(frame[i], frame[0] + int(i));
            d_last.push_back(frame[run.n - 1]);
        }
        d_read += run.consumed;
        d_unused = piece - run.consumed;
        return d_read + d_unused < d_samples.size() || run.frames > 0;
    }

    // The last sample of each frame so far.
    const std::vector<int>& last() const { return d_last; }

private:
    std::vector<int> d_samples;
    const std::size_t d_at_once;
    std::size_t d_read = 0, d_unused = 0;
    std::vector<int> d_last;
    std::mt19937 d_random{ 7 };
};

void expect_all_frames(const std::vector<int>& last,
                       std::size_t samples,
                       std::size_t n,
                       std::size_t hop)
{
    ASSERT_EQ(last.size(), (samples - n) / hop + 1);
    for (std::size_t f = 0; f < last.size(); ++f)
        ASSERT_EQ(last[f], int(f * hop + n - 1));
}

} // namespace

TEST(Framer, GivesEveryFrameWhateverTheBuffer)
{
    for (std::size_t n : { 1, 7, 40 })
        for (std::size_t hop : { 1, 3, 40, 90 })
            for (std::size_t buffer : { 9, 50, 79, 80, 1000 })
                for (std::size_t max_frames : { 1, 1000 })
                    for (bool is_overlapping : { false, true }) {
                        SCOPED_TRACE(std::to_string(n) + ", hop " + std::to_string(hop) +
                                     ", buffer " + std::to_string(buffer));
                        framer frames(is_overlapping ? 5 : n, sizeof(int));
                        if (is_overlapping)
                            frames.start_overlapping(n, buffer);
                        else
                            frames.start(buffer, 0);
                        EXPECT_EQ(frames.is_collecting(), buffer / 2 < n);
                        framed_stream stream(3000, buffer);
                        while (stream.step(frames, hop, max_frames)) {
                        }
                        expect_all_frames(stream.last(), 3000, n, hop);
                    }
}

TEST(Framer, FramesGrowAtTheirBeginning)
{
    for (std::size_t buffer : { 50, 100, 1000 })
        for (std::size_t more : { 5, 30, 300 }) {
            SCOPED_TRACE(std::to_string(more) + ", buffer " + std::to_string(buffer));
            framer frames(20, sizeof(int));
            frames.start(buffer, 0);
            framed_stream stream(3000, buffer);
            for (int i = 0; i < 20; ++i)
                stream.step(frames, 2, 9);
            frames.grow(more);
            EXPECT_EQ(frames.is_collecting(), buffer / 2 < 20 + more);
            const std::size_t begin = stream.last().size();
            while (!frames.has_grown())
                ASSERT_TRUE(stream.step(frames, 2, 9));
            EXPECT_EQ(frames.n(), 20 + more);
            EXPECT_GE(stream.last().size() - begin, more / 2);
            EXPECT_LE(stream.last().size() - begin, more / 2 + 9);
            frames.set_n(frames.n() + 1); // and then at their end
            while (stream.step(frames, 2, 9)) {
            }
            // none is lost where they grew: those at the end lack a sample
            const std::vector<int>& last = stream.last();
            for (std::size_t f = 1; f < last.size(); ++f)
                EXPECT_LE(last[f] - last[f - 1], 3);
            EXPECT_GE(last.back(), 2998);
        }
}

// Multiples of `together`, and at the end what is left.
TEST(Framer, GivesFramesTogether)
{
    constexpr std::size_t SAMPLES = 3000, N = 20;
    std::vector<int> samples(SAMPLES);
    std::iota(samples.begin(), samples.end(), 0);
    for (std::size_t hop : { 1, 3, 30 })
        for (std::size_t together : { 1, 5, 16 })
            for (std::size_t buffer : { 30, 100, 300, 1200 }) {
                SCOPED_TRACE(testing::Message() << "hop " << hop << ", " << together
                                                << " together, buffer " << buffer);
                framer frames(N, sizeof(int));
                frames.start_overlapping(N, buffer, 0, together, hop);
                EXPECT_EQ(frames.is_collecting(), buffer / 2 < N + (together - 1) * hop);
                std::size_t read = 0, made = 0;
                for (bool at_end = false; !at_end;) {
                    const std::size_t there = std::min(buffer, SAMPLES - read);
                    const auto run =
                        frames.take(samples.data() + read, there, hop, 1000, together);
                    ASSERT_EQ(run.frames % together, 0u);
                    made += run.frames;
                    read += run.consumed;
                    at_end = run.consumed == 0 && run.frames == 0;
                }
                const auto last = frames.take(
                    samples.data() + read, SAMPLES - read, hop, 1000, together, true);
                EXPECT_LT(last.frames, together);
                EXPECT_EQ(made + last.frames, (SAMPLES - N) / hop + 1);
            }
}

TEST(Framer, TakesBack)
{
    std::vector<int> samples(100);
    std::iota(samples.begin(), samples.end(), 0);
    framer frames(10, sizeof(int));
    frames.start(1000, 0);
    frames.grow(4);
    for (int i = 0; i < 3; ++i) {
        const framer::place before = frames.position();
        const auto run = frames.take(samples.data(), 50, 3, 1);
        EXPECT_EQ(run.frames, 1u);
        EXPECT_EQ(static_cast<const int*>(run.samples)[0], 0);
        EXPECT_EQ(run.consumed, 0u); // three samples before the next frame are kept
        frames.set_position(before);
    }
}
