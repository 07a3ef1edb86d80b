// SPDX-License-Identifier: GPL-3.0-or-later
//
// A card without free memory. No other test may use the card meanwhile.

#ifdef GPUFFT_HAVE_CUDA

#include "cuda_checks.h"
#include "engine/cuda/device.h"
#include "engine/cuda/program_runner.h"
#include <gtest/gtest.h>

using namespace gr::gpufft;

TEST(FullCardGpu, OutOfMemoryNamesTheBytes)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    const problem what = problem::from_string("c2c_forward_n8192_b1");
    const plan::uptr plan = plan::make(what, ON_GPU);
    const std::vector<std::uint8_t> input = random_samples(what, 3 * what.n);
    std::vector<float> output(3 * row_floats(what));
    {
        // All memory of the card, in ever smaller pieces.
        std::vector<memory_buffer> hoard;
        for (std::size_t bytes = std::size_t(1) << 34; bytes >= 256; bytes /= 2) {
            try {
                for (;;) {
                    hoard.emplace_back(device_context::get(0), memory_kind::device);
                    hoard.back().reserve(bytes);
                }
            } catch (const cuda_error&) {
            }
        }
        try {
            plan->execute(input.data(), output.data(), 3);
            ADD_FAILURE() << "found memory on a full card";
        } catch (const cuda_error& error) {
            EXPECT_EQ(error.code(), CUDA_ERROR_OUT_OF_MEMORY);
            EXPECT_NE(std::string(error.what()).find("out of memory"), std::string::npos);
            EXPECT_NE(std::string(error.what()).find(" bytes "), std::string::npos);
            std::printf("    %s\n", error.what());
        }
    }
    EXPECT_EQ(compare(what, run(*plan, input, 3, 3), reference_rows(what, input, {}, 3)),
              "")
        << "after memory came back";
}

// Fewer frames at once.
TEST(FullCardGpu, RunsWithWhatIsLeft)
{
    if (!query_cuda().usable)
        GTEST_SKIP() << query_cuda().reason;
    const problem what = problem::from_string("c2c_forward_n1048576_b24");
    const device_context& context = device_context::get(0);
    const plan::uptr plan = plan::make(what, ON_GPU);
    const std::vector<std::uint8_t> input = random_samples(what, what.batch * what.n);
    run(*plan, input, 1, 1); // loads kernels
    const std::size_t frame = what.n * 8;
    std::vector<float> rows;
    {
        memory_buffer dev_data(context, memory_kind::device);
        dev_data.reserve(2 * what.batch * frame);
        const char* const dev_input = dev_data.as<char>();
        upload(context, dev_data, input.data(), input.size());
        memory_buffer hoard(context, memory_kind::device);
        hoard.reserve(memory_of(context).free - 5 * frame); // room for a few frames
        char* const dev_output = dev_data.as<char>() + what.batch * frame;
        const device_context::scope scope(context);
        plan->enqueue(dev_input, dev_output, what.batch, nullptr);
        rows.resize(what.batch * what.n * 2);
        GPUFFT_CUDA(cuMemcpyDtoH(rows.data(),
                                 reinterpret_cast<CUdeviceptr>(dev_output),
                                 rows.size() * sizeof(float)));
        EXPECT_LE(plan->scratch_bytes(), 5 * frame);
    }
    EXPECT_EQ(compare(what, rows, reference_rows(what, input, {}, what.batch)), "");
}

#endif
