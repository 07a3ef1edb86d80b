// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list behind the host engine's tests in double precision.

#include "host_double_problems.h"

namespace gr {
namespace gpufft {

std::vector<problem> host_double_problems()
{
    std::vector<problem> problems;
    for (const char* text : {
             "c2c_forward_n1_b1_f64",
             "c2c_forward_n7_b1_f64",
             "c2c_forward_n8_b9999999_f64",
             "c2c_inverse_n15_b9999999_f64",
             "c2c_forward_n64_b9999999_f64",
             "c2c_inverse_n100_b1_real_f64_window_shiftin_shiftout_scale0.1",
             "c2c_forward_n243_b999999_f64",
             "c2c_forward_n1000_b999999_f64",
             "c2c_forward_n1024_b1_f64",
             "c2c_forward_n1155_b999999_f64",
             "c2c_forward_n3125_b99999_f64",
             "c2c_inverse_n4096_b99999_f64_window_shiftin_scale0.5",
             "c2c_forward_n8192_b99999_f64",
             "c2c_forward_n16384_b9999_f64",
             "c2c_inverse_n100_b1_f64_window_algorithm=in-place",
             "c2c_forward_n10000_b9999_f64",
             "c2c_forward_n100_b1_f64_algorithm=hierarchical",
             "c2c_inverse_n4096_b1_f64_window_shiftout_algorithm=hierarchical",
             "c2c_forward_n15625_b9999_f64_algorithm=hierarchical",
             "c2c_forward_n65536_b9999_f64_algorithm=hierarchical",
             "c2c_forward_n1000_b1_f64_algorithm=ladder16",
             "c2c_forward_n512_b1_f64_algorithm=ladder8-table",
             "c2c_forward_n512_b1_f64_algorithm=ladder8-library",
             "c2c_forward_n256_b1_f64_algorithm=cooley-tukey",
             "c2c_forward_n29_b9999999_f64",
             "c2c_inverse_n124_b999999_f64_algorithm=stockham",
             "c2c_forward_n17_b9999999_f64_algorithm=rader",
             "c2c_inverse_n79_b9999999_f64_window_algorithm=rader",
             "c2c_forward_n1009_b99999_f64_algorithm=rader",
             "c2c_forward_n4093_b1_f64_algorithm=rader",
             "c2c_forward_n18433_b1_f64_algorithm=rader",
             "c2c_forward_n2_b1_f64_algorithm=bluestein",
             "c2c_inverse_n47_b9999999_f64_algorithm=bluestein",
             "c2c_forward_n839_b99999_f64_algorithm=bluestein",
             "c2c_forward_n2039_b1_f64_shiftout_algorithm=bluestein",
             "c2c_inverse_n10007_b1_f64_algorithm=bluestein",
             "c2c_forward_n158_b999999_f64_algorithm=mixed",
             "c2c_inverse_n2528_b9999_f64_algorithm=mixed",
             "c2c_forward_n20224_b1_f64_window_algorithm=mixed",
             "r2c_n1_b1_f64",
             "r2c_n15_b9999999_f64",
             "r2c_n100_b999999_f64_window",
             "r2c_n20000_b1_f64",
             "c2r_n100_b1_f64",
             "c2r_n1000_b99999_f64",
             "dct1_n17_b1_f64",
             "dct2_n1000_b99999_f64_scale0.3",
             "dct2_n20000_b1_f64",
             "dct3_n15_b1_f64_ortho",
             "dct4_n64_b999999_f64",
             "dst2_n30_b1_f64",
             "dst3_n139_b1_f64",
             "c2c_forward_n8x16_b999999_f64",
             "c2c_inverse_n10x12x14_b1_f64_shiftin_shiftout",
             "c2c_forward_n32x64_b99999_f64",
             "c2c_forward_n256x256_b999_f64",
         })
        problems.push_back(problem::from_string(text));
    return problems;
}

std::vector<recipe_case> host_double_cases()
{
    std::vector<recipe_case> cases;
    const auto add = [&](const char* what, const char* how) {
        cases.push_back({ problem::from_string(what), recipe::from_text(how) });
    };
    add("c2c_forward_n15_b9_f64", "stockham 15 1 0 0 15x1:5.3/3/16/0/352");
    add("c2c_inverse_n81_b9_f64_window", "stockham 81 1 0 0 81x1:9.9/9/4/0/320");
    add("c2c_forward_n12_b9_f64", "stockham 12 1 0 0 12x1:4.3/1/32/0/67");
    add("c2c_forward_n1000_b9_f64", "stockham 1000 1 0 0 1000x1:10.10.10/50/1/1/112");
    add("c2c_forward_n1024_b9_f64", "stockham 1024 1 0 0 1024x1:8.16.8/64/1/1/80");
    // one and two areas, by threads and by card, by messages and by stores
    add("c2c_forward_n1024_b9_f64",
        "cluster 1024 2 8 0 32x16:8.4/64/1/1/64 32x16:8.4/64/1/1/64");
    add("c2c_inverse_n1024_b9_f64_shiftin",
        "cluster 1024 4 13 0 32x8:8.4/64/1/1/64 32x8:8.4/64/1/1/64");
    add("c2c_forward_n1500_b9_f64",
        "cluster 1500 2 11 0 30x25:6.5/125/1/1/64 50x15:10.5/125/1/1/64");
    add("c2c_forward_n2048_b9_f64",
        "cluster 2048 2 11 0 32x32:8.4/128/1/1/96 64x16:8.8/128/1/1/64");
    return cases;
}

} // namespace gpufft
} // namespace gr
