// SPDX-License-Identifier: GPL-3.0-or-later
//
// Blocks whose rows have another length than their frames: what lies between them on the
// card, on several cards, and behind a card that fails.

#include "device_test.h"
#include "stages.h"
#include "test_blocks.h"

namespace gr {
namespace gpufft {

namespace {

constexpr std::size_t N = 60, BINS = N / 2 + 1;
constexpr std::size_t FRAMES = 3000;

problem of_kind(transform_kind kind, const std::vector<std::size_t>& lengths = { N })
{
    return problem::make(kind, lengths);
}

} // namespace

class TransformEdges : public DeviceTest
{
protected:
    // source -> stages -> sink, whose buffers hold at most `buffer` items.
    void run(const std::vector<stage>& stages, std::size_t floats_in_item, int buffer)
    {
        random_source random(3);
        stream_data data =
            random_floats(random, FRAMES * N / floats_in_item, floats_in_item);
        add_random_tags(random, data, 20);
        const auto sink = std::make_shared<recording_sink>(stages.back().out_bytes);
        const top_block_sptr flowgraph = make_top_block("transforms");
        const stream_data expected =
            connect_chain(flowgraph,
                          std::make_shared<scripted_source>(data),
                          data,
                          stages,
                          { buffer },
                          sink);
        ASSERT_TRUE(runs(flowgraph));
        EXPECT_EQ(difference(expected, sink->received(), true), "");
        EXPECT_GT(sink->count(), 0u);
    }

    static stream_statistics statistics(const stage& of)
    {
        return of.ours[0]->statistics();
    }

    static constexpr std::size_t FLOAT_BYTES = FRAMES * N * sizeof(float);
    static constexpr std::size_t BIN_BYTES = FRAMES * BINS * sizeof(gr_complex);
};

TEST_F(TransformEdges, HalfSpectraStayOnTheCard)
{
    const std::vector<stage> stages = { make_transform(of_kind(transform_kind::r2c)),
                                        make_transform(of_kind(transform_kind::c2r)),
                                        make_transform(of_kind(transform_kind::dct2)) };
    run(stages, N, 300);
    EXPECT_EQ(statistics(stages[0]).bytes_up, FLOAT_BYTES);
    EXPECT_EQ(statistics(stages[0]).bytes_down, 0u);
    EXPECT_EQ(statistics(stages[1]).bytes_up, 0u);
    EXPECT_EQ(statistics(stages[1]).frames, FRAMES);
    EXPECT_EQ(statistics(stages[2]).bytes_up, 0u);
    EXPECT_EQ(statistics(stages[2]).bytes_down, FLOAT_BYTES);
}

TEST_F(TransformEdges, SoDoStreamsOfThem)
{
    const std::vector<stage> stages = {
        make_transform(of_kind(transform_kind::r2c), true),
        make_fft({ BINS, false, true, false, true }),
        make_transform(of_kind(transform_kind::c2r), true),
    };
    run(stages, 1, 9000);
    EXPECT_EQ(statistics(stages[1]).bytes_up, 0u);
    EXPECT_EQ(statistics(stages[2]).bytes_up, 0u);
    EXPECT_EQ(statistics(stages[0]).output_edge.find("device: "), 0u);
}

TEST_F(TransformEdges, OthersReadTheirVectors)
{
    const std::vector<stage> stages = {
        make_transform(of_kind(transform_kind::dst3)),
        make_transform(of_kind(transform_kind::r2c)),
        make_fft({ BINS }),
    };
    run(stages, N, 200);
    EXPECT_EQ(statistics(stages[2]).bytes_up, 0u);
    EXPECT_EQ(statistics(stages[2]).bytes_down, BIN_BYTES);
}

TEST_F(TransformEdges, Matrices)
{
    problem inverse = of_kind(transform_kind::c2c, { 5, 6 });
    inverse.dir = direction::inverse;
    const std::vector<stage> stages = {
        make_transform(of_kind(transform_kind::c2c, { 5, 6 })), make_transform(inverse)
    };
    run(stages, N, 200); // 30 complex points
    EXPECT_EQ(statistics(stages[1]).bytes_up, 0u);
}

// The buffer before them must not be as long as many of their rows.
TEST_F(TransformEdges, FewBinsOfLongFrames)
{
    zoom_parameters what{ 30000, 2 };
    run({ make_stream_to_vector(sizeof(gr_complex), what.n), make_zoom(what) }, 2, -1);
    what.stream = true;
    run({ make_zoom(what) }, 2, -1);
}

// Rows of a stream that GNU Radio's buffer has no room for.
TEST_F(TransformEdges, RowsAheadOfTheBuffer)
{
    const std::vector<stage> stages = {
        make_transform(of_kind(transform_kind::r2c, { 3000 }), true),
        make_transform(of_kind(transform_kind::c2r, { 14 }), true),
    };
    test_devices::set_speed({ 1e-4, 0, 2 });
    run(stages, 1, 9000);
    EXPECT_EQ(statistics(stages[1]).bytes_up, 0u);
}

TEST_F(TransformEdges, SeveralCardsKeepTheOrder)
{
    const stage_options first{ { 0, 1, 2 }, "stop" }, second{ { 1, 0 }, "cpu" };
    test_devices::set_speed({ 1e-4, 0, 3 });
    run({ make_transform(of_kind(transform_kind::r2c), false, first),
          make_transform(of_kind(transform_kind::c2r), false, second) },
        N,
        150);
}

TEST_F(TransformEdges, TheCpuGoesOnWhereACardFails)
{
    const stage_options how{ { 0 }, "cpu" };
    for (bool is_stream : { false, true }) {
        const std::vector<stage> stages = {
            make_transform(of_kind(transform_kind::r2c), is_stream, how),
            make_transform(of_kind(transform_kind::c2r), is_stream, how)
        };
        test_devices::fail(test_devices::fault::lost, 30);
        run(stages, is_stream ? 1 : N, is_stream ? 9000 : 150);
        EXPECT_TRUE(test_devices::struck());
        test_devices::reset();
    }
}

} // namespace gpufft
} // namespace gr
