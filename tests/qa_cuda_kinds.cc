// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every kind of transform on a real GPU: real rows, cosine and sine transforms, several
// axes, precisions, formats and layouts. Few frames, so that compute-sanitizer can watch.

#ifdef GPUFFT_HAVE_CUDA

#include "cuda_checks.h"
#include "engine/cuda/cuda_plan.h"
#include "kinds.h"
#include <gtest/gtest.h>

using namespace gr::gpufft;

namespace {

class CudaKindsGpu : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!query_cuda().usable)
            GTEST_SKIP() << query_cuda().reason;
    }

    // Every text behind every name.
    static void expect_exact(const std::vector<std::string>& names,
                             const std::vector<std::string>& texts)
    {
        std::vector<problem> problems;
        for (const std::string& name : names)
            for (const std::string& text : texts)
                problems.push_back(problem::from_string(name + text));
        check_all(problems, 7, 7);
        check_all(problems, 5, 2); // two rows of odd length share a vector, or do not
    }

    const std::vector<std::string> d_kinds = real_kinds();
};

} // namespace

TEST_F(CudaKindsGpu, RealRowsInABlock)
{
    for (const char* precision : { "", "_f64" })
        expect_exact(d_kinds,
                     { std::string("_n2_b7") + precision,
                       std::string("_n15_b7") + precision,
                       std::string("_n64_b7") + precision,
                       std::string("_n100_b9999") + precision,
                       std::string("_n1000_b9999") + precision,
                       std::string("_n2048_b9999") + precision });
}

TEST_F(CudaKindsGpu, RealRowsOfSeveralKernels)
{
    for (const char* precision : { "", "_f64" })
        expect_exact(d_kinds,
                     { std::string("_n1009_b9999") + precision,
                       std::string("_n2018_b9999") + precision,
                       std::string("_n10007_b7") + precision,
                       std::string("_n65536_b99") + precision,
                       std::string("_n65537_b7") + precision });
}

// In one kernel each, by Rader's and by Bluestein's algorithm.
TEST_F(CudaKindsGpu, RealRowsOfPrimeLengths)
{
    for (const char* precision : { "", "_f64" })
        expect_exact({ "r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst4" },
                     { std::string("_n79_b9999") + precision,
                       std::string("_n839_b9999") + precision,
                       std::string("_n4093_b99") + precision });
    expect_exact({ "r2c_n79_b99", "dct2_n1009_b99", "dst4_n79_b99", "dct3_n839_b99" },
                 { "_window_scale0.5", "_s16_hop1100", "_hop1013" });
    expect_exact({ "c2r_n79_b99", "c2r_n1009_b99", "c2r_n839_b99" },
                 { "_cs16_hop600", "_cf16", "_shiftout", "_window" });
}

TEST_F(CudaKindsGpu, RealRowsOfOddLengthAlone)
{
    for (const char* precision : { "_alone", "_f64_alone" })
        expect_exact({ "r2c", "c2r", "dct2", "dct3", "dct4", "dst2" },
                     { std::string("_n3_b7") + precision,
                       std::string("_n675_b99") + precision,
                       std::string("_n839_b99") + precision,
                       std::string("_n2018_b7") + precision,
                       std::string("_n6561_b7") + precision,
                       std::string("_n65537_b3") + precision });
}

TEST_F(CudaKindsGpu, RealStepsOfLoadAndStore)
{
    expect_exact(
        { "r2c_n96_b7", "r2c_n65536_b7", "r2c_n1009_b7" },
        { "_window_shiftin_scale0.5", "_s16_hop50_power", "_s8_window_decibel" });
    expect_exact({ "dct2_n96_b7", "dst3_n35_b7", "dct1_n65_b7" },
                 { "_ortho_window", "_s16_hop100" });
    expect_exact({ "c2r_n96_b7", "c2r_n95_b7" },
                 { "_cs16_hop60", "_shiftout", "_window" });
}

TEST_F(CudaKindsGpu, SeveralAxes)
{
    expect_exact({ "c2c_forward", "c2c_inverse" },
                 { "_n16x16_b7",
                   "_n128x128_b3",
                   "_n48x20_b7",
                   "_n8x8x8_b99",
                   "_n256x256_b3",
                   "_n32x32x32_b2",
                   "_n2x3x5x7_b7",
                   "_n64x1x9_b3",
                   "_n16x16_b7_f64",
                   "_n100x36_b3_f64" });
    expect_exact({ "c2c_forward_n30x20_b7" },
                 { "_window_shiftin_shiftout", "_cs16_power", "_cs8_decibel" });
}

TEST_F(CudaKindsGpu, OneAxisAfterTheOther)
{
    for (const char* precision : { "", "_f64" })
        expect_exact(d_kinds,
                     { std::string("_n17x8_b7") + precision,
                       std::string("_n64x64_b99") + precision,
                       std::string("_n3x5x7_b7") + precision,
                       std::string("_n2x1009_b7") + precision,
                       std::string("_n130x100_b7") + precision });
    expect_exact({ "c2c_forward", "c2c_inverse" },
                 { "_n17x8_b7", "_n1009x33_b3", "_n4x10007_b2", "_n17x19_b7_f64" });
    expect_exact({ "c2c_forward_n17x40_b7" },
                 { "_cs16_hop300_window_shiftin_shiftout", "_power", "_window_decibel" });
    expect_exact({ "r2c_n40x18_b7", "r2c_n7x15_b7" },
                 { "_hop50_scale0.5", "_s16_window_shiftin", "_s8_hop400_power" });
    expect_exact({ "c2r_n40x18_b7", "c2r_n7x15_b7" },
                 { "_cs16_hop50_scale0.5", "_shiftout" });
    expect_exact({ "dct2_n40x18_b7", "dst3_n7x15_b7" },
                 { "_s16_window", "_ortho_scale0.5" });
}

TEST_F(CudaKindsGpu, Zooms)
{
    for (const char* precision : { "", "_f64" })
        expect_exact(
            { "zoom" },
            { std::string("_n1_b7") + precision,
              std::string("_n1_b7") + precision + "_bins9_from0.1_to0.3",
              std::string("_n64_b9999") + precision,
              std::string("_n31_b9999") + precision + "_bins200_from100.1_to100.2",
              std::string("_n1000_b99") + precision + "_bins77_from0.3_to-0.3",
              std::string("_n5000_b7") + precision + "_bins999_from0.1_to0.2" });
    expect_exact({ "zoom_n64_b999" },
                 { "_hop16_window_bins10_from0.1_to0.2_scale0.5",
                   "_cs16_bins30_from0.4_to0.6_power_avg2",
                   "_cs8_decibel_bins50_from0.1_to0.3" });
}

// Frames of a block, or of a cluster, that share samples, and frames that do not.
TEST_F(CudaKindsGpu, FilterBanks)
{
    expect_exact({ "c2c_forward", "c2c_inverse" },
                 { "_n1_b9_hop1_window_taps5",
                   "_n8_b9999_hop8_window_taps33_running",
                   "_n79_b9999_hop79_window_taps16_running",
                   "_n79_b9999_hop40_window_taps16_running",
                   "_n128_b9999_hop128_window_taps16_running",
                   "_n128_b9999_cs16_hop64_window_taps16_running_shiftout",
                   "_n80_b9999_hop50_window_taps5_running",
                   "_n839_b9999_hop839_window_taps16_running",
                   "_n839_b9999_hop420_window_taps16_running",
                   "_n1024_b9999_hop512_window_taps16_running",
                   "_n4096_b9999_hop4096_window_taps16_running",
                   "_n4096_b9999_cs8_hop2048_window_taps3_running",
                   "_n64_b9999_real_hop48_window_taps4_power_avg2" });
}

// By every way a transform goes; then with maps of any order that change between calls.
TEST_F(CudaKindsGpu, SomeChannels)
{
    expect_exact({ "c2c_forward", "c2c_inverse" },
                 { "_n1_b9_hop1_window_taps5_bins1",
                   "_n8_b9999_hop8_window_taps33_running_bins3",
                   "_n79_b9999_hop79_window_taps16_running_bins79",
                   "_n79_b9999_cs16_hop40_window_taps16_running_bins5",
                   "_n128_b9999_hop128_window_taps16_running_bins1",
                   "_n839_b9999_hop420_window_taps16_running_bins30",
                   "_n1024_b9999_hop1024_window_taps16_running_bins16",
                   "_n4096_b9999_hop2048_window_taps16_running_bins40",
                   "_n65536_b9_hop65536_window_taps2_running_bins7",
                   "_n20011_b9_hop20011_running_bins30" });
    for (const char* name : { "c2c_forward_n79_b9999_hop79_window_taps16_running_bins6",
                              "c2c_inverse_n1024_b9999_hop512_window_taps4_running_bins6",
                              "c2c_forward_n839_b9999_hop839_window_taps2_bins6" }) {
        problem what = problem::from_string(name), all = what;
        all.bins = 0;
        const plan::uptr plan = plan::make(what, ON_GPU);
        const std::vector<float> window = random_window(what.window_numbers());
        plan->set_window(window);
        const std::vector<std::uint8_t> input =
            random_samples(what, 8 * what.effective_hop() + what.input_span());
        const std::vector<spectrum> rows = reference_rows(all, input, window, 9);
        for (const std::vector<int>& map : { std::vector<int>{ 5, 0, 5, 78, 5, 1 },
                                             std::vector<int>{ 0, 0, 77, 3, 2, 1 } }) {
            std::vector<spectrum> expected(rows.size());
            for (std::size_t r = 0; r < rows.size(); ++r)
                for (int bin : map)
                    expected[r].push_back(rows[r][bin]);
            plan->set_map(map);
            plan->set_position(0);
            EXPECT_EQ(compare(what, run(*plan, input, 9, 9), expected), "");
        }
    }
}

// Parts of one block and of several kernels; the last part is not full.
TEST_F(CudaKindsGpu, Filters)
{
    std::vector<problem> problems;
    for (const char* name : { "filter_n1_b9999999_ctaps",
                              "filter_n2_b9999999_real",
                              "filter_n33_b9999999_ctaps_scale0.5",
                              "filter_n64_b9999999_hop8",
                              "filter_n100_b9999999_hop100_ctaps",
                              "filter_n501_b9999999_real_hop5",
                              "filter_n501_b9999999_hop10_ctaps",
                              "filter_n600_b9999999_hop33",
                              "filter_n1001_b9999999_hop2_ctaps",
                              "filter_n1001_b9999999_real_hop3",
                              "filter_n1001_b9999999_ctaps",
                              "filter_n1001_b99",
                              "filter_n5001_b9999999_real" })
        problems.push_back(problem::from_string(name));
    check_all(problems, 12345, 12345);
    check_all(problems, 3001, 1000);
    problems.clear();
    for (const char* name : { "filter_n50000_b9999999_ctaps",
                              "filter_n50000_b9999999_real_hop7",
                              "filter_n100001_b9999999_hop3",
                              "filter_n100001_b9999999_hop10_ctaps",
                              "filter_n20000_b9999999_hop50_bins3",
                              "filter_n30000_b9999999_hop100_running_ctaps_bins5" })
        problems.push_back(problem::from_string(name));
    check_all(problems, 301, 301);
    check_all(problems, 201, 150);
}

TEST_F(CudaKindsGpu, Syntheses)
{
    expect_exact({ "synthesis" },
                 { "_n1_b7_taps5",
                   "_n8_b9999_taps3",
                   "_n79_b9999_taps16",
                   "_n80_b9999_taps33_bins40_scale0.5",
                   "_n79_b9999_taps7_bins45",
                   "_n1009_b999_taps4_bins1009",
                   "_n4096_b99_taps5_bins1024",
                   "_n20000_b9_taps3_bins20000" });
    check_all({ problem::from_string("synthesis_n79_b9999_taps16_bins79") }, 500, 133);
}

#endif // GPUFFT_HAVE_CUDA
