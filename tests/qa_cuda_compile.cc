// SPDX-License-Identifier: GPL-3.0-or-later
//
// NVRTC compiles every kernel family for several architectures, on a machine without a
// GPU too, and none of them spills registers to memory.

#ifdef GPUFFT_HAVE_CUDA

#include "engine/cuda/kernel.h"
#include "engine/cuda/nvrtc.h"
#include "kernel_report.h"
#include "kinds.h"
#include "planner/axes/tensor_cluster.h"
#include "planner/planner.h"
#include "planner/stockham/stockham.h"
#include <gtest/gtest.h>
#include <regex>
#include <set>

using namespace gr::gpufft;

namespace {

const std::vector<int> ARCHITECTURES = { 75, 80, 90, 100, 120 };
const std::vector<int> NEWEST_COMMON = { 90 };

// The compiler may put aside two registers of the many that a thread holds.
constexpr int MAX_SPILL_BYTES = 8;

class CudaCompile : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!find_nvrtc().reason.empty())
            GTEST_SKIP() << find_nvrtc().reason;
    }

    // Compiles a kernel; it must keep all its data in registers and shared memory.
    static void expect_clean(const kernel_instance& instance,
                             int architecture,
                             int max_spill_bytes = MAX_SPILL_BYTES)
    {
        const std::vector<int>& known = nvrtc().architectures;
        if (std::find(known.begin(), known.end(), architecture) == known.end())
            return; // this NVRTC is older than the card
        compiler_report report;
        kernel_image image;
        ASSERT_NO_THROW(image = compile_kernel(instance.header,
                                               instance.expression(),
                                               architecture,
                                               { "--ptxas-options=-v" },
                                               &report))
            << instance.expression() << " sm_" << architecture;
        expect_sound(report, instance.expression());
        EXPECT_EQ(image.code.compare(0,
                                     4,
                                     "\x7f"
                                     "ELF"),
                  0);
        EXPECT_FALSE(image.name.empty());
        const std::string where = instance.expression() + " sm_" +
                                  std::to_string(architecture) + ":\n" + report.messages;
        std::smatch spills;
        ASSERT_TRUE(std::regex_search(
            report.messages, spills, std::regex("(\\d+) bytes spill stores")))
            << where;
        EXPECT_LE(std::stoi(spills[1]), max_spill_bytes) << where;
        std::smatch registers;
        ASSERT_TRUE(std::regex_search(
            report.messages, registers, std::regex("Used (\\d+) registers")))
            << where;
        EXPECT_LE(std::stoi(registers[1]) * instance.block_threads, 65536) << where;
    }

    static void expect_clean(const std::string& text,
                             const std::vector<int>& architectures,
                             int max_spill_bytes = MAX_SPILL_BYTES)
    {
        const problem what = problem::from_string(text);
        for (int architecture : architectures) {
            device_traits card;
            card.architecture = architecture; // clusters need 9.0
            const recipe how = make_recipe(what, card);
            for (const launch_step& step : build_program(what, how).steps)
                expect_clean(step.kernel, architecture, max_spill_bytes);
            if (what.average > 1) {
                ASSERT_TRUE(find_algorithm(how.algorithm).sums_powers) << how.to_string();
                if (sums_powers(find_algorithm(how.algorithm), what))
                    expect_clean(power_kernel(what, how), architecture);
                expect_clean(average_kernel(what), architecture);
            }
        }
    }
};

} // namespace

TEST_F(CudaCompile, ComplexOnEveryArchitecture)
{
    for (int n : { 8, 64, 243, 1000, 1024, 2187, 4096, 6000, 8192 })
        for (const char* batch : { "_b1", "_b4194304" }) // other recipes fill the card
            expect_clean("c2c_forward_n" + std::to_string(n) + batch, ARCHITECTURES);
}

// Threads that hold several butterflies of Rader's convolution have their registers.
TEST_F(CudaCompile, LargePrimesBehindAColumnPass)
{
    for (int n : { 767, 815, 1141, 1390, 2946, 5817 })
        expect_clean("c2c_forward_n" + std::to_string(n) + "_b4194304",
                     NEWEST_COMMON,
                     64); // a butterfly of 23 points keeps 56 bytes, at no cost
}

TEST_F(CudaCompile, PowerAndAverageOnEveryArchitecture)
{
    for (int n : { 16, 1000, 4096, 8192 })
        expect_clean("c2c_forward_n" + std::to_string(n) +
                         "_b1_cs16_window_decibel_shiftout_avg100",
                     ARCHITECTURES);
    for (const char* detector : { "max", "min", "kurtosis" })
        expect_clean(std::string("c2c_forward_n4096_b1_power_avg100_") + detector,
                     ARCHITECTURES);
}

TEST_F(CudaCompile, DensityOnEveryArchitecture)
{
    for (const char* detector : { "", "_max", "_min" }) {
        const problem what = problem::from_string(
            std::string("c2c_forward_n64_b1_power_density64x256") + detector);
        for (int architecture : ARCHITECTURES) {
            expect_clean(density_kernel(what), architecture);
            expect_clean(density_rows_kernel(), architecture);
        }
    }
}

TEST_F(CudaCompile, StreamsOnEveryArchitecture)
{
    for (std::size_t item_bytes : { 1, 2, 4, 8 })
        for (int architecture : ARCHITECTURES) {
            expect_clean(vectors_to_streams_kernel(item_bytes), architecture);
            expect_clean(streams_to_vectors_kernel(item_bytes), architecture);
        }
}

TEST_F(CudaCompile, SlabsOnEveryArchitecture)
{
    for (const bool is_double : { false, true })
        for (int architecture : ARCHITECTURES) {
            expect_clean(slab_twiddles_kernel(is_double), architecture);
            expect_clean(slab_pairs_kernel(true, is_double), architecture);
            expect_clean(slab_pairs_kernel(false, is_double), architecture);
        }
}

TEST_F(CudaCompile, EveryLoadAndStoreStep)
{
    for (const char* format : { "", "_real", "_cs16", "_cs8" })
        for (const char* load : { "", "_window", "_shiftin", "_window_shiftin" })
            for (const char* store : { "", "_shiftout", "_power", "_decibel_shiftout" })
                for (const char* start : { "c2c_forward_n60_b1", "c2c_inverse_n63_b1" })
                    if ((std::string(start).find("inverse") != std::string::npos) ==
                        (std::string(load).find("shiftin") != std::string::npos))
                        expect_clean(std::string(start) + format + load + store,
                                     NEWEST_COMMON);
}

// Of blocks whose formats no other test names together.
TEST_F(CudaCompile, FormatsOfTransforms)
{
    for (const char* text : { "zoom_n64_b9_cs12_outs16_bins30_from0.1_to0.3_scale0.1",
                              "c2c_inverse_n8x12_b9_cs12_outs8_scale0.1",
                              "r2c_n63_b9_s16_window_outs8_scale0.1",
                              "c2r_n64_b9_cs8_outs16_scale0.1",
                              "dct1_n48_b9_s8_outs16_scale0.1",
                              "dst3_n48_b9_f16_outs8_scale0.1",
                              "c2c_forward_n64_b9_cs12_window_decibel_outf16" })
        expect_clean(text, NEWEST_COMMON);
}

TEST_F(CudaCompile, ManyLengths)
{
    for (int n : { 1,    2,    3,    4,    5,    6,    7,    9,    10,   11,   12,   13,
                   14,   15,   16,   17,   21,   22,   25,   26,   27,   32,   35,   49,
                   55,   77,   81,   91,   99,   100,  121,  125,  128,  143,  169,  210,
                   256,  343,  360,  429,  480,  500,  512,  605,  625,  729,  1001, 1155,
                   1200, 1331, 1536, 1800, 2048, 2197, 2310, 2401, 2560, 3000, 3003, 3125,
                   3375, 3600, 4000, 4125, 5000, 5005, 5184, 5625, 6250, 6561, 7000, 7168,
                   7203, 7680, 7986, 8000, 8008, 8125, 8190 })
        if (is_stockham_size(n))
            expect_clean("c2c_forward_n" + std::to_string(n) + "_b1", NEWEST_COMMON);
}

TEST_F(CudaCompile, SeveralAxes)
{
    for (const char* text : { "c2c_forward_n16x16_b524288",
                              "c2c_forward_n128x128_b8192",
                              "c2c_forward_n256x256_b2048",
                              "c2c_forward_n1024x1024_b128",
                              "c2c_forward_n4096x4096_b8",
                              "c2c_forward_n100x100_b10000",
                              "c2c_forward_n8x8x8_b262144",
                              "c2c_forward_n16x16x16_b32768",
                              "c2c_forward_n256x256x256_b8",
                              "c2c_inverse_n30x77x128_b1_window_shiftin_shiftout" })
        expect_clean(text, { 80, 90 });
}

// NVRTC took a remainder in front of a division away, and part of the division with it:
// the twiddles of these passes lay between two points. See digit_of() in device.cuh.
TEST_F(CudaCompile, SmallAxesOfAFewRounds)
{
    for (const char* text : { "c2c_inverse_n16x8_b1",
                              "c2c_forward_n16x8_b17",
                              "c2c_forward_n32x8_b1",
                              "c2c_forward_n64x8_b1",
                              "c2c_forward_n16x16_b1_f64",
                              "c2c_forward_n16x8x8_b1" })
        expect_clean(text, { 80, 90 });
}

TEST(PtxAlignment, FollowsTheZerosOfRegisters)
{
    const auto found = [](const std::string& offset) {
        return unaligned_accesses("\tld.param.u64 %rd1, [k_param_0];\n"
                                  "\tmov.u32 %r1, %tid.x;\n" +
                                  offset +
                                  "\tcvt.u64.u32 %rd2, %r2;\n"
                                  "\tadd.s64 %rd3, %rd1, %rd2;\n"
                                  "@%p1 ld.global.nc.v2.f32 {%f1,%f2}, [%rd3+8];\n");
    };
    EXPECT_TRUE(found("\tand.b32 %r2, %r1, 56;\n").empty());
    EXPECT_TRUE(found("\tshl.b32 %r2, %r1, 3;\n").empty());
    EXPECT_TRUE(found("\tmul.lo.s32 %r2, %r1, 24;\n").empty());
    EXPECT_TRUE(found("\tmov.u32 %r2, 0;\n$L:\n\tadd.s32 %r2, %r2, 8;\n").empty());
    for (const char* wrong : { "\tor.b32 %r2, %r1, 16;\n",
                               "\tshl.b32 %r2, %r1, 2;\n",
                               "\tmov.u32 %r2, 0;\n$L:\n\tadd.s32 %r2, %r2, 4;\n" })
        EXPECT_EQ(
            found(wrong),
            std::vector<std::string>{ "@%p1 ld.global.nc.v2.f32 {%f1,%f2}, [%rd3+8]" })
            << wrong;
}

TEST_F(CudaCompile, SeveralAxesInClusters)
{
    for (const char* text : { "c2c_forward_n256x256_b2048",
                              "c2c_inverse_n32x32x32_b4096_window_shiftin_shiftout",
                              "c2c_forward_n64x32x32_b2048_cs16_power" }) {
        const problem what = problem::from_string(text);
        const recipe how = tensor_cluster_candidates(what, device_traits()).front();
        expect_clean(build_program(what, how).steps[0].kernel, 90);
    }
}

TEST_F(CudaCompile, OneAxisAfterTheOther)
{
    for (const char* text : { "c2c_forward_n17x64_b9999",
                              "c2c_inverse_n1009x3_b99_cs16_window_decibel",
                              "r2c_n1024x1024_b16_s16_window_power",
                              "r2c_n15x17_b9999_algorithm=row-column",
                              "c2r_n64x64_b9999_algorithm=row-column",
                              "dct2_n512x512_b64_window",
                              "dst4_n2x5x700_b99",
                              "dct3_n64x65_b99_f64" })
        expect_clean(text, NEWEST_COMMON);
}

TEST_F(CudaCompile, RealFramesOfSeveralAxes)
{
    for (const char* text : { "r2c_n28x32_b149796",
                              "c2r_n28x32_b149796",
                              "r2c_n80x18_b93206_s16_window",
                              "r2c_n125x27_b39768",
                              "r2c_n8x8x8_b262144",
                              "c2r_n15x9_b994205",
                              "c2r_n256x128_b4096",
                              "r2c_n28x32_b149796_f64",
                              "c2r_n15x9_b994205_f64" })
        expect_clean(text, NEWEST_COMMON);
}

TEST_F(CudaCompile, RealRowsByPairs)
{
    const auto check = [](const char* name, const std::string& how) {
        const problem what = problem::from_string(name);
        for (int architecture : { 80, 90 })
            expect_clean(build_program(what, recipe::from_text("real:stockham " + how))
                             .steps.front()
                             .kernel,
                         architecture);
    };
    check("r2c_n256_b9999", "128 1 0 0 128x1:16.8/8/16/4/131");
    check("dct2_n256_b9999", "128 1 0 0 128x1:8.2.8/8/16/8/131");
    check("c2r_n1024_b9999_window", "512 1 0 0 512x1:8.8.8/32/4/6/128");
    check("dct4_n1024_b999_s16", "512 1 0 0 512x1:8.8.8/32/4/6/130");
    check("r2c_n16384_b9999", "8192 1 0 0 8192x1:32.16.16/256/1/2/128");
    check("dct2_n16384_b9999", "8192 1 0 0 8192x1:32.16.16/256/1/2/162");
}

// Rows of a few numbers, in tiles and not.
TEST_F(CudaCompile, ShortestRows)
{
    std::vector<std::string> names = { "r2c_n1_b7_f16", "c2r_n1_b7_cs8" };
    for (const std::string& kind : real_kinds())
        for (const char* length :
             { "_n2_b7", "_n3_b7_alone", "_n4_b7_window", "_n5_b1_f64" })
            names.push_back(kind + length);
    std::set<std::string> known;
    for (const std::string& name : names) {
        const problem what = problem::from_string(name);
        for (const recipe& how : recipe_candidates(what, device_traits(), 3))
            for (const launch_step& step : build_program(what, how).steps)
                if (known.insert(step.kernel.expression()).second)
                    expect_clean(step.kernel, 90);
    }
}

// Whose blocks exchange points by stores.
TEST_F(CudaCompile, SmallCallsInClusters)
{
    for (const char* text :
         { "r2c_n65536_b3", "r2c_n20000_b1_f64", "c2c_forward_n16384_b1" })
        expect_clean(text, NEWEST_COMMON);
}

TEST_F(CudaCompile, RealRowsInClusters)
{
    constexpr int WORTH_A_BLOCK = 16; // bytes, for a third one on a multiprocessor
    for (const char* text :
         { "r2c_n65536_b2048_s16_window", "c2r_n65536_b2048", "r2c_n65536_b1024_f64" })
        expect_clean(text, NEWEST_COMMON);
    for (const char* text : { "r2c_n65536_b2048", "dct2_n65536_b2048" }) {
        const problem what = problem::from_string(text);
        expect_clean(
            build_program(what, make_recipe(what)).steps[0].kernel, 90, WORTH_A_BLOCK);
    }
}

TEST_F(CudaCompile, RealRowsOfPrimeLengths)
{
    for (const char* text : { "r2c_n1009_b133020",
                              "c2r_n1009_b133020_cf16_window",
                              "dct2_n1009_b133020",
                              "dct4_n1009_b133020",
                              "r2c_n1009_b133020_f64",
                              "r2c_n1009_b133020_alone",
                              "dct4_n1009_b133020_alone" })
        expect_clean(text, { 80, 90 });
    for (const char* text : { "r2c_n839_b159974", "dct2_n839_b159974" })
        expect_clean(text, { 90 });
}

TEST_F(CudaCompile, RealRowsInLevels)
{
    for (const char* text : { "r2c_n1048576_b128",
                              "c2r_n1048576_b128",
                              "dct2_n1048576_b128",
                              "dct3_n1048576_b128_ortho",
                              "dct4_n1048576_b128",
                              "dct1_n1048577_b128",
                              "r2c_n16777216_b8",
                              "r2c_n1048576_b64_f64" })
        expect_clean(text, NEWEST_COMMON);
}

#endif // GPUFFT_HAVE_CUDA
