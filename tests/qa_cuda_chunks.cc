// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the cuda engine divides its work, as far as that needs no GPU: frames among units
// of a launch, frames among chunks of a transfer.

#ifdef GPUFFT_HAVE_CUDA

#include "engine/chunked_execution.h"
#include "engine/cuda/unit_split.h"
#include "frame_units.cuh"
#include <gtest/gtest.h>

using namespace gr::gpufft;

// The frames of a unit, as a kernel reads them.
static kernels::frame_range range_of(std::size_t frames,
                                     std::size_t average,
                                     std::size_t in_row,
                                     std::size_t group,
                                     const unit_split& split,
                                     std::size_t unit)
{
    kernels::density_arguments arguments = {};
    arguments.frames = frames;
    arguments.average = average;
    arguments.frames_in_row = in_row;
    arguments.units = { unsigned(group), unsigned(split.parts) };
    return kernels::frames_of_unit(arguments, unit);
}

TEST(CudaChunks, UnitsAreTheGroupsOfRows)
{
    for (std::size_t frames : { 1, 2, 3, 63, 64, 65, 100, 999, 4096 })
        for (std::size_t average : { 1, 2, 3, 7, 64, 100, 101, 5000 })
            for (std::size_t in_row : { std::size_t(0), average / 2, average - 1 })
                for (std::size_t group : { 1, 3, 50, 64 }) {
                    SCOPED_TRACE(testing::Message()
                                 << frames << " frames, average " << average << ", "
                                 << in_row << " in row, group " << group);
                    const unit_split split = split_frames(frames, average, in_row, group);
                    std::size_t taken = 0;
                    for (std::size_t unit = 0; unit < split.units(); ++unit) {
                        const kernels::frame_range range =
                            range_of(frames, average, in_row, group, split, unit);
                        ASSERT_TRUE(range.is_stored);
                        if (range.begin >= range.end)
                            continue;
                        ASSERT_EQ(range.begin, taken);
                        const std::size_t first = (in_row + range.begin) % average;
                        ASSERT_EQ(range.goes_on, first % group != 0);
                        ASSERT_TRUE(range.begin == 0 || !range.goes_on);
                        const std::size_t last = (in_row + range.end) % average;
                        ASSERT_TRUE(last % group == 0 || range.end == frames);
                        ASSERT_EQ(first / group,
                                  (in_row + range.end - 1) % average / group);
                        taken = range.end;
                    }
                    ASSERT_EQ(taken, frames);
                    ASSERT_LE(split.units(), most_units(frames, average, group));
                }
}

TEST(CudaChunks, MostUnitsHoldsForFewerFramesToo)
{
    for (std::size_t average : { 1, 2, 9, 100, 3000 })
        for (std::size_t group : { 1, 37, 64 }) {
            const std::size_t most = most_units(2500, average, group);
            for (std::size_t frames = 1; frames <= 2500; ++frames)
                ASSERT_LE(split_frames(frames, average, average - 1, group).units(), most)
                    << frames << " frames, average " << average << ", group " << group;
        }
}

TEST(CudaChunks, GroupsFillTheCard)
{
    EXPECT_EQ(group_of(10000, 100, 1000), 10u);
    EXPECT_EQ(group_of(10001, 100, 1000), 10u); // no idle rounds
    EXPECT_EQ(group_of(100, 100, 1000), 1u);
    EXPECT_EQ(group_of(1000000, 100, 1000), 50u);
    EXPECT_EQ(group_of(1000000, 1000000, 1), 64u);
}

TEST(CudaChunks, AreSizedByBytes)
{
    frame_layout layout;
    layout.n = layout.bins = 1024;
    layout.hop = 1024;
    EXPECT_EQ(choose_chunk(layout, 1), 64u);         // 512 KiB at least
    EXPECT_EQ(choose_chunk(layout, 1000), 250u);     // a quarter
    EXPECT_EQ(choose_chunk(layout, 1000000), 1024u); // 8 MiB at most
    layout.hop = 1;                                  // then rows count
    EXPECT_EQ(choose_chunk(layout, 1000000), 1024u);
    layout.hop = 1 << 20; // gaps are not uploaded
    EXPECT_EQ(choose_chunk(layout, 1000000), 1024u);
    EXPECT_EQ(layout.input_bytes(3), 3 * 8192u);
    layout.n = layout.bins = std::size_t(1) << 30;
    EXPECT_EQ(choose_chunk(layout, 5), 1u);
}

TEST(CudaChunks, LayoutCountsOverlapAndRows)
{
    frame_layout layout;
    layout.n = layout.bins = 100;
    layout.hop = 25;
    layout.sample_bytes = 2;
    layout.bin_bytes = 4;
    layout.average = 3;
    EXPECT_EQ(layout.input_bytes(1), 200u);
    EXPECT_EQ(layout.input_bytes(5), (4 * 25 + 100) * 2u);
    EXPECT_EQ(layout.most_output_bytes(3), 400u);
    EXPECT_EQ(layout.most_output_bytes(4), 800u); // if the row lacked one
}

#endif // GPUFFT_HAVE_CUDA
