// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the cuda engine divides its work, as far as that needs no GPU: frames among units
// of a launch, frames among chunks of a transfer.

#ifdef GPUFFT_HAVE_CUDA

#include "engine/cuda/transfer_pipeline.h"
#include "engine/cuda/unit_split.h"
#include <gtest/gtest.h>

using namespace gr::gpufft;

TEST(CudaChunks, UnitsTakeEveryFrameOnce)
{
    for (std::size_t frames : { 1, 2, 3, 63, 64, 65, 100, 999, 4096 })
        for (std::size_t average : { 1, 2, 3, 7, 64, 100, 101, 5000 })
            for (std::size_t in_row : { std::size_t(0), average / 2, average - 1 })
                for (std::size_t wanted : { 1, 10, 1000 }) {
                    const unit_split split =
                        split_frames(frames, average, in_row, wanted);
                    // As stockham_power_kernel reads it: rows, parts of them, their
                    // frames
                    std::size_t taken = 0;
                    for (std::size_t row = 0; row < split.rows; ++row) {
                        const std::size_t begin = row == 0 ? 0 : row * average - in_row;
                        const std::size_t end =
                            std::min((row + 1) * average - in_row, frames);
                        ASSERT_EQ(taken, begin);
                        ASSERT_LE(end - begin, split.parts * split.group);
                        taken = end;
                    }
                    ASSERT_EQ(taken, frames);
                    ASSERT_LE(split.group, 64u);
                    ASSERT_LE(split.units(), most_units(frames, average, wanted))
                        << frames << " frames, average " << average << ", " << in_row
                        << " in row, wanted " << wanted;
                }
}

TEST(CudaChunks, MostUnitsHoldsForFewerFramesToo)
{
    for (std::size_t average : { 1, 2, 9, 100, 3000 })
        for (std::size_t wanted : { 1, 37, 1000 }) {
            const std::size_t most = most_units(2500, average, wanted);
            for (std::size_t frames = 1; frames <= 2500; ++frames)
                ASSERT_LE(split_frames(frames, average, average - 1, wanted).units(),
                          most)
                    << frames << " frames, average " << average << ", wanted " << wanted;
        }
}

TEST(CudaChunks, UnitsFillTheCard)
{
    const unit_split split = split_frames(10000, 100, 0, 1000);
    EXPECT_GE(split.units(), 1000u);
    EXPECT_LT(split.units(), 2000u);
    EXPECT_EQ(split.parts * split.group, 100u); // no idle rounds
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
