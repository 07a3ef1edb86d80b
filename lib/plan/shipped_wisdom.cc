// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `gpufft tune` found on known cards. `gpufft tune --print` writes these lines.
// Cards with the same multiprocessors take over what was found on one of them: a recipe
// depends on registers, shared memory and clusters more than on the speed of the memory.

#include "wisdom.h"

namespace gr {
namespace gpufft {

const wisdom& shipped_wisdom()
{
    static const wisdom known = [] {
        wisdom w;
        w.read(R"(gpufft wisdom 1
NVIDIA H200 | n8 full | stockham 8 1 0 0 8x1:4.2/4/32/0/0
NVIDIA H200 | n16 full | stockham 16 1 0 0 16x1:4.4/4/32/0/0
NVIDIA H200 | n32 full | stockham 32 1 0 0 32x1:8.4/8/16/0/3
NVIDIA H200 | n64 full | stockham 64 1 0 0 64x1:4.4.4/16/8/12/3
NVIDIA H200 | n128 full | stockham 128 1 0 0 128x1:4.8.4/32/4/12/0
NVIDIA H200 | n256 full | stockham 256 1 0 0 256x1:4.8.8/64/2/12/0
NVIDIA H200 | n512 full | stockham 512 1 0 0 512x1:8.4.16/32/4/9/0
NVIDIA H200 | n1024 full | stockham 1024 1 0 0 1024x1:16.8.8/64/2/8/0
NVIDIA H200 | n2048 full | stockham 2048 1 0 0 2048x1:32.32.2/64/2/5/0
NVIDIA H200 | n4096 full | stockham 4096 1 0 0 4096x1:32.32.4/128/1/5/0
NVIDIA H200 | n8192 full | stockham 8192 1 0 0 8192x1:32.32.8/256/1/2/0
NVIDIA H200 | n16384 full | stockham 16384 1 0 0 16384x1:32.16.32/512/1/1/48
NVIDIA H200 | n32768 full | cluster 32768 8 11 0 32x128:32/128/1/2/32 1024x4:32.32/128/1/2/0
NVIDIA H200 | n65536 full | cluster 65536 8 8 0 256x32:32.8/256/1/2/0 256x32:32.8/256/1/2/0
NVIDIA H200 | n131072 full | cluster 131072 16 8 0 128x64:32.4/256/1/2/0 1024x8:32.32/256/1/2/0
NVIDIA H200 | n262144 full | hierarchical 262144 1 0 0 512x32:32.16/512/1/1/0 512x32:32.16/512/1/1/4
NVIDIA H200 | n524288 full | hierarchical 524288 1 0 0 512x32:32.16/512/1/1/0 1024x16:32.32/512/1/1/4
NVIDIA H200 | n1048576 full | hierarchical 1048576 1 0 0 1024x16:32.32/512/1/1/0 1024x16:32.32/512/1/1/4
NVIDIA H200 | n2097152 full | hierarchical 2097152 1 0 0 1024x16:32.32/512/1/1/0 2048x8:16.16.8/1024/1/1/4
NVIDIA H200 | n4194304 full | hierarchical 4194304 1 0 0 1024x16:32.32/512/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H200 | n8388608 full | hierarchical 8388608 1 0 0 2048x8:16.16.8/1024/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H200 | n16777216 full | hierarchical 16777216 1 0 0 4096x4:16.16.16/1024/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H200 | n33554432 full | hierarchical 33554432 1 0 0 512x32:32.16/512/1/1/0 256x32:16.16/512/1/2/0 256x32:16.16/512/1/2/4
NVIDIA H200 | n67108864 full | hierarchical 67108864 1 0 0 512x32:32.16/512/1/1/0 512x32:32.16/512/1/1/0 256x32:16.16/512/1/2/4
NVIDIA H200 | n243 full | stockham 243 1 0 0 243x1:9.3.9/27/7/7/32
NVIDIA H200 | n729 full | stockham 729 1 0 0 729x1:9.9.9/81/3/5/32
NVIDIA H200 | n1000 full | stockham 1000 1 0 0 1000x1:10.10.10/100/2/0/0
NVIDIA H200 | n1536 full | stockham 1536 1 0 0 1536x1:8.8.4.6/192/1/0/0
NVIDIA H200 | n2187 full | stockham 2187 1 0 0 2187x1:9.9.9.3/243/1/6/32
NVIDIA H200 | n3125 full | stockham 3125 1 0 0 3125x1:25.5.25/125/1/6/32
NVIDIA H200 | n4000 full | stockham 4000 1 0 0 4000x1:10.20.20/200/1/4/0
NVIDIA H200 | n6000 full | stockham 6000 1 0 0 6000x1:20.20.15/300/1/3/0
NVIDIA H200 | n10000 full | stockham 10000 1 0 0 10000x1:25.20.20/500/1/1/48
NVIDIA H200 | n15625 full | stockham 15625 1 0 0 15625x1:25.25.25/625/1/1/16
NVIDIA H200 | n48000 full | hierarchical 48000 1 0 0 250x32:10.25/320/1/2/0 192x32:16.12/384/1/3/4
NVIDIA H200 | n100000 full | hierarchical 100000 1 0 0 200x16:20.10/160/1/6/0 500x16:25.20/400/1/2/4
NVIDIA H200 | n1000000 full | hierarchical 1000000 1 0 0 1000x8:10.10.10/400/1/2/0 1000x8:10.10.10/400/1/2/4
NVIDIA H200 | n79 full | rader 79 1 0 0 78x1:13.6/6/16/6/0
NVIDIA H200 | n139 full | rader 139 1 0 0 138x1:23.6/6/16/6/0
NVIDIA H200 | n839 full | bluestein 839 1 0 0 1792x1:14.8.16/64/2/7/0
NVIDIA H200 | n1009 full | rader 1009 1 0 0 1008x1:7.9.16/32/2/8/0
NVIDIA H200 | n2039 full | bluestein 2039 1 0 0 4096x1:16.16.16/256/1/4/0
NVIDIA H200 | n4093 full | rader 4093 1 0 0 4092x1:11.31.12/186/1/2/0
NVIDIA H200 | n8191 full | rader 8191 1 0 0 8190x1:26.21.15/315/1/2/0
NVIDIA H200 | n10007 full | bluestein 10007 1 0 0 20480x1:20.32.32/512/1/1/0
NVIDIA H200 | n1048573 full | bluestein 1048573 1 0 0 512x16:16.32/256/1/2/0 4096x1:16.16.16/256/1/4/0
NVIDIA H200 | n8192 b1 | cluster 8192 8 12 0 64x16:8.8/128/1/1/0 128x8:8.16/128/1/1/0
NVIDIA H200 | n16384 b1 | cluster 16384 8 12 0 128x16:8.16/128/1/1/0 128x16:8.16/128/1/1/0
NVIDIA H200 | n16384 b16 | cluster 16384 8 12 0 128x16:8.16/128/1/1/0 128x16:8.16/128/1/1/0
NVIDIA H200 | n16384 b64 | stockham 16384 1 0 0 16384x1:32.16.32/512/1/1/0
NVIDIA H200 | n32768 b1 | cluster 32768 16 12 0 128x16:16.8/128/1/1/0 256x8:16.16/128/1/1/0
NVIDIA H200 | n65536 b1 | hierarchical 65536 1 0 0 256x8:16.16/128/1/1/0 256x4:16.16/64/1/1/4
NVIDIA H200 | n131072 b1 | hierarchical 131072 1 0 0 256x16:16.16/256/1/1/0 512x4:8.8.8/256/1/1/4
NVIDIA H200 | n262144 b1 | hierarchical 262144 1 0 0 512x8:32.16/128/1/1/0 512x4:8.8.8/256/1/1/4
NVIDIA H200 | n524288 b1 | hierarchical 524288 1 0 0 512x8:32.16/128/1/1/0 1024x4:16.4.16/256/1/1/4
NVIDIA H200 | n1048576 b1 | hierarchical 1048576 1 0 0 1024x8:16.4.16/512/1/1/0 1024x4:32.32/128/1/1/4
NVIDIA H200 | n1009 b1 | rader 1009 1 0 0 1008x1:9.16.7/112/1/1/0
NVIDIA H200 | n1009 b64 | rader 1009 1 0 0 1008x1:7.9.16/144/1/1/0
)");
        return w;
    }();
    return known;
}

std::string measured_relative(const std::string& card)
{
    for (const char* hopper : { "NVIDIA H100", "NVIDIA GH200", "NVIDIA H800" })
        if (card.compare(0, std::string(hopper).size(), hopper) == 0)
            return "NVIDIA H200";
    return card;
}

} // namespace gpufft
} // namespace gr
