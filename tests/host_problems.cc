// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the host engine's tests.

#include "host_problems.h"
#include "planner/number_theory.h"
#include "planner/planner.h"
#include "planner/stockham/stockham.h"

namespace gr {
namespace gpufft {

std::vector<std::size_t> host_lengths()
{
    std::vector<std::size_t> lengths;
    constexpr int LARGEST = 13; // larger primes take long to compile: a few lengths
    for (std::size_t n = 1; n <= 512; ++n)
        if (is_smooth_to(n, LARGEST))
            lengths.push_back(n);
    for (std::size_t n : { 17,  19,  23,  29,  31,   34,   37,   41,   43,   47,   53,
                           59,  61,  62,  68,  69,   87,   111,  122,  221,  289,  368,
                           437, 564, 713, 820, 1156, 1891, 2580, 3481, 3721, 5824, 7808 })
        lengths.push_back(n);
    for (std::size_t n :
         { 528,  625,  637,  715,  720,  729,  845,  1000, 1001, 1024, 1210,
           1331, 1536, 1920, 2048, 2187, 2197, 2401, 3000, 3125, 4000, 4096,
           4800, 5005, 6000, 6561, 7680, 8000, 8064, 8190, 8192 })
        lengths.push_back(n);
    return lengths;
}

std::vector<problem> host_algorithm_problems()
{
    std::vector<problem> problems;
    for (const char* text : {
             "c2c_forward_n64_b1_algorithm=hierarchical",
             "c2c_inverse_n100_b1_algorithm=hierarchical",
             "c2c_forward_n1000_b1_algorithm=hierarchical",
             "c2c_forward_n4096_b1_algorithm=hierarchical",
             "c2c_forward_n15625_b1_algorithm=hierarchical",
             "c2c_inverse_n65536_b1_algorithm=hierarchical",
             "c2c_forward_n1739_b1_algorithm=hierarchical",
             "c2c_inverse_n34816_b1_window_shiftout_algorithm=hierarchical",
             "c2c_forward_n1155_b1_cs16_window_power_shiftout_avg3_algorithm="
             "hierarchical",
             "c2c_inverse_n1001_b1_window_shiftin_scale0.5_algorithm=hierarchical",
             "c2c_forward_n64_b1_algorithm=in-place",
             "c2c_inverse_n1001_b1_window_shiftin_scale0.5_algorithm=in-place",
             "c2c_forward_n8190_b1_cs16_window_power_shiftout_algorithm=in-place",
             "c2c_forward_n7000_b1_cs8_decibel_algorithm=in-place",
             "c2c_forward_n16940_b1_algorithm=in-place",
             "c2c_inverse_n20449_b1_algorithm=in-place",
             "c2c_forward_n28672_b1_algorithm=in-place",
             "c2c_forward_n64_b1_algorithm=ladder2",
             "c2c_forward_n512_b1_algorithm=ladder4",
             "c2c_inverse_n1000_b1_algorithm=ladder8",
             "c2c_forward_n1024_b1_window_decibel_shiftout_algorithm=ladder16",
             "c2c_forward_n4096_b1_algorithm=ladder32",
         })
        problems.push_back(problem::from_string(text));
    return problems;
}

std::vector<problem> host_prime_problems()
{
    std::vector<problem> problems;
    for (const char* start : { "c2c_forward_n3_b1",
                               "c2c_forward_n5_b9999",
                               "c2c_forward_n17_b9999",
                               "c2c_inverse_n31_b9999",
                               "c2c_forward_n79_b1",
                               "c2c_inverse_n79_b9999_window_shiftin_scale0.5",
                               "c2c_forward_n139_b9999",
                               "c2c_forward_n257_b9999_cs16_window_power_shiftout_avg3",
                               "c2c_forward_n1009_b9999",
                               "c2c_forward_n4093_b1",
                               "c2c_inverse_n8191_b1" })
        problems.push_back(problem::from_string(start + std::string("_algorithm=rader")));
    for (const char* start : { "c2c_forward_n2_b1",
                               "c2c_forward_n17_b9999",
                               "c2c_inverse_n34_b9999_window_shiftin_scale0.5",
                               "c2c_forward_n47_b9999_cs8_decibel_shiftout",
                               "c2c_forward_n100_b9999_real_power_avg2",
                               "c2c_forward_n839_b9999",
                               "c2c_inverse_n1019_b1",
                               "c2c_forward_n1024_b9999",
                               "c2c_forward_n2039_b1",
                               "c2c_forward_n10007_b1",
                               "c2c_inverse_n16411_b1_window_scale0.5",
                               "c2c_forward_n20011_b1_cs16_power_shiftout_avg2",
                               "c2c_forward_n65537_b1" })
        problems.push_back(
            problem::from_string(start + std::string("_algorithm=bluestein")));
    for (const char* start : { "c2c_forward_n158_b9999",
                               "c2c_inverse_n316_b1",
                               "c2c_forward_n632_b1_window_shiftout",
                               "c2c_inverse_n1264_b1000_window_shiftin_scale0.5",
                               "c2c_forward_n2528_b1_cs16_window_power_shiftout_avg3",
                               "c2c_forward_n5056_b1_cs8_decibel",
                               "c2c_inverse_n10112_b1_shiftout",
                               "c2c_forward_n20224_b1000",
                               "c2c_forward_n18500_b7255",
                               "c2c_inverse_n18500_b1_real_power",
                               "c2c_forward_n8186_b1",
                               "c2c_inverse_n8186_b9999_hop100",
                               "c2c_forward_n2517_b9999",
                               "c2c_inverse_n2517_b1_cs16_window_shiftin",
                               "c2c_forward_n64576_b1",
                               "c2c_forward_n6068_b1" })
        problems.push_back(problem::from_string(start + std::string("_algorithm=mixed")));
    for (const char* algorithm : { "bluestein-inexact", "bluestein" })
        problems.push_back(problem::from_string(
            std::string("c2c_forward_n1009_b1_algorithm=") + algorithm));
    return problems;
}

problem three_level_problem()
{
    return problem::from_string("c2c_forward_n10007_b2_algorithm=bluestein");
}

recipe three_level_recipe()
{
    recipe how = { "bluestein", three_level_problem().n };
    for (int n : { 12, 14 })
        how.shapes.push_back(tile_candidates(n, 8, false, 1, device_traits()).front());
    stockham_shape row; // 12 14 120 = 20160 points
    row.n = 120;
    row.radices = { 10, 12 };
    row.threads = 12;
    how.shapes.push_back(row);
    return how;
}

std::vector<std::pair<problem, recipe>> host_prime_cases()
{
    std::vector<std::pair<problem, recipe>> cases;
    const auto add = [&](const char* what, const char* how) {
        cases.emplace_back(problem::from_string(what), recipe::from_text(how));
    };
    add("c2c_forward_n17_b9", "rader 17 1 2 0 16x1:16/1/3/0/0");
    add("c2c_forward_n79_b9", "rader 79 1 0 0 78x1:13.6/5/2/0/0");
    add("c2c_forward_n79_b9", "rader 79 1 2 0 78x1:6.13/13/1/0/0");
    add("c2c_inverse_n79_b9_window_shiftin_shiftout", "rader 79 1 2 0 78x1:6.13/7/2/0/0");
    add("c2c_forward_n139_b9", "rader 139 1 2 0 138x1:23.6/6/4/0/0");
    add("c2c_forward_n97_b9_cs16_power", "rader 97 1 2 0 96x1:4.4.6/8/3/0/0");
    add("c2c_forward_n257_b9", "rader 257 1 0 0 16x8:4.4/32/1/0/0 16x1:4.4/4/1/0/0");
    add("c2c_inverse_n1009_b9_window_shiftin_shiftout_scale0.5",
        "rader 1009 1 0 2 28x8:7.4/56/1/0/0 36x1:6.6/6/1/0/0");
    add("c2c_forward_n97_b9_cs8_power",
        "rader 97 1 0 0 4x16:4/16/1/0/0 24x1:2.3.4/6/1/0/0");
    add("c2c_forward_n47_b9", "bluestein 47 1 0 0 50x1:10.5/5/2/0/0");
    add("c2c_forward_n47_b9", "bluestein 47 1 0 0 96x1:12.8/8/3/0/0");
    add("c2c_inverse_n47_b9_window_shiftin", "bluestein 47 1 2 0 96x1:8.12/8/3/0/0");
    add("c2c_forward_n83_b9_cs8_decibel_shiftout",
        "bluestein 83 1 2 0 168x1:4.6.7/14/1/0/0");
    add("c2c_forward_n83_b9", "bluestein 83 1 0 0 90x1:3.5.6/10/1/0/0");
    add("c2c_forward_n1009_b2", // rows of axes without a common factor
        "bluestein 1009 1 0 0 16x8:16/8/1/1/0 140x1:4.5.7/20/1/1/0");
    // two column levels; whole tiles; rows by halves of a convolution, and read ahead
    add("c2c_forward_n1422_b3",
        "mixed 1422 1 0 0 3x8:3/8/1/1/0 6x8:6/8/1/1/0 78x1:6.13/13/2/0/0");
    add("c2c_inverse_n1422_b3_window_power_shiftout",
        "mixed 1422 1 2 0 6x64:6/64/1/1/0 3x79:3/79/1/1/0 78x1:6.13/13/4/0/0");
    add("c2c_inverse_n5494_b2", // a prime above 31 in the columns
        "mixed 5494 1 0 0 82x8:41.2/16/1/1/0 66x1:6.11/11/2/0/0");
    // one kernel: two frames of a tile, read ahead; formats that threads convert
    add("c2c_forward_n158_b9", "mixed 158 1 2 0 78x2:13.6/6/4/0/0");
    add("c2c_inverse_n1264_b5_window_shiftin_shiftout_scale0.5",
        "mixed 1264 1 2 0 78x16:6.13/13/16/0/0");
    add("c2c_forward_n1264_b3_cs16_power", "mixed 1264 1 0 0 78x16:6.13/7/16/0/0");
    add("c2c_forward_n1454_b3", "mixed 1454 1 0 0 726x2:6.11.11/61/4/0/0");
    add("c2c_inverse_n1943_b2_hop100", "mixed 1943 1 0 0 66x29:6.11/11/29/0/0");
    add("c2c_forward_n136_b3", "mixed 136 1 0 0 4x16:4/16/1/1/0 36x1:6.6/6/8/1/0");
    add("c2c_inverse_n136_b3", "mixed 136 1 2 0 4x34:4/34/1/1/0 72x1:8.9/9/3/1/0");
    // threads that read and store their own points, see qa_host_engine
    add("c2c_forward_n64_b1", "stockham 64 1 0 0 64x1:8.8/8/1/0/0");
    return cases;
}

std::vector<problem> host_step_problems()
{
    std::vector<problem> problems;
    for (std::size_t n : { 1, 7, 8, 15, 64, 100, 243, 1000, 1024 }) {
        const std::string length = "_n" + std::to_string(n) + "_b1";
        for (const char* text : { "c2c_inverse@",
                                  "c2c_forward@_window_shiftout_scale0.25",
                                  "c2c_inverse@_window_shiftin",
                                  "c2c_forward@_real_window",
                                  "c2c_forward@_cs16_window_power_shiftout",
                                  "c2c_forward@_cs8_decibel",
                                  "c2c_inverse@_real_shiftin_power",
                                  "c2c_forward@_window_power_shiftout_avg7",
                                  "c2c_forward@_cs16_decibel_avg2_smooth0.3" }) {
            std::string name = text;
            name.replace(name.find('@'), 1, length);
            problems.push_back(problem::from_string(name));
        }
    }
    return problems;
}

} // namespace gpufft
} // namespace gr
