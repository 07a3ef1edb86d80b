// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `gpufft tune` found on known cards. `gpufft tune --print` writes these lines.

#include "wisdom.h"

namespace gr {
namespace gpufft {

const wisdom& shipped_wisdom()
{
    static const wisdom known = [] {
        wisdom w;
        w.read(R"(gpufft wisdom 1
NVIDIA H200 | n79 full | rader 79 1 0 0 78x1:13.6/6/16/6/0
NVIDIA H200 | n139 full | rader 139 1 2 0 138x1:23.6/8/16/3/0
NVIDIA H200 | n839 full | bluestein 839 1 0 0 1680x1:12.14.10/70/4/3/0
NVIDIA H200 | n1009 full | rader 1009 1 0 0 1008x1:7.9.16/32/2/8/0
NVIDIA H200 | n2039 full | bluestein 2039 1 0 0 4096x1:16.16.16/128/2/3/0
NVIDIA H200 | n4093 full | rader 4093 1 0 0 4092x1:11.31.12/186/1/2/0
NVIDIA H200 | n8191 full | rader 8191 1 2 0 8190x1:26.21.15/315/1/1/0
NVIDIA H200 | n10000 full | stockham 10000 1 0 0 10000x1:20.20.25/500/1/1/48
NVIDIA H200 | n10007 full | bluestein 10007 1 0 0 20480x1:20.32.32/342/1/1/0
NVIDIA H200 | n15625 full | stockham 15625 1 0 0 15625x1:25.25.25/625/1/1/16
NVIDIA H200 | n16384 full | stockham 16384 1 0 0 16384x1:32.16.32/512/1/1/48
NVIDIA H200 | n32768 full | cluster 32768 8 8 0 32x128:32/128/1/4/0 1024x4:32.32/128/1/4/0
NVIDIA H200 | n48000 full | hierarchical 48000 1 0 0 240x16:16.15/256/1/4/0 200x16:20.10/160/1/6/4
NVIDIA H200 | n65536 full | cluster 65536 8 8 0 256x32:32.8/256/1/2/0 256x32:32.8/256/1/2/0
NVIDIA H200 | n100000 full | hierarchical 100000 1 0 0 200x16:20.10/160/1/6/0 500x16:25.20/400/1/2/4
NVIDIA H200 | n131072 full | cluster 131072 16 8 0 512x16:32.16/256/1/2/0 256x32:32.8/256/1/2/0
NVIDIA H200 | n262144 full | hierarchical 262144 1 0 0 512x32:32.16/512/1/1/0 512x32:32.16/512/1/1/4
NVIDIA H200 | n524288 full | hierarchical 524288 1 0 0 512x32:32.16/512/1/1/0 1024x16:32.32/512/1/1/4
NVIDIA H200 | n1000000 full | hierarchical 1000000 1 0 0 1000x8:10.10.10/400/1/2/0 1000x8:10.10.10/400/1/2/4
NVIDIA H200 | n1048576 full | hierarchical 1048576 1 0 0 1024x16:32.32/512/1/1/0 1024x16:32.32/512/1/1/4
NVIDIA H200 | n2097152 full | hierarchical 2097152 1 0 0 1024x16:32.32/512/1/1/0 2048x8:8.16.16/1024/1/1/4
NVIDIA H200 | n4194304 full | hierarchical 4194304 1 0 0 1024x16:32.32/512/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H200 | n8388608 full | hierarchical 8388608 1 0 0 2048x8:16.16.8/1024/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H200 | n16777216 full | hierarchical 16777216 1 0 0 4096x4:16.16.16/1024/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H200 | n33554432 full | hierarchical 33554432 1 0 0 512x32:32.16/512/1/1/0 256x32:16.16/512/1/2/0 256x32:16.16/512/1/2/4
NVIDIA H200 | n67108864 full | hierarchical 67108864 1 0 0 512x32:32.16/512/1/1/0 512x32:32.16/512/1/1/0 256x32:16.16/512/1/2/4
)");
        return w;
    }();
    return known;
}

} // namespace gpufft
} // namespace gr
