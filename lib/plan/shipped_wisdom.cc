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
NVIDIA H200 | n79 full | rader 79 1 0 0 78x1:13.6/6/16/9/0
NVIDIA H200 | n139 full | bluestein 139 1 0 0 144x1:12.12/12/8/9/0
NVIDIA H200 | n839 full | bluestein 839 1 0 0 864x1:32.27/32/4/3/0
NVIDIA H200 | n1009 full | rader 1009 1 0 0 1008x1:16.9.7/63/2/7/0
NVIDIA H200 | n2039 full | bluestein 2039 1 0 0 2048x1:8.16.16/128/2/3/0
NVIDIA H200 | n4093 full | rader 4093 1 0 0 4092x1:11.31.12/186/1/2/0
NVIDIA H200 | n8191 full | rader 8191 1 0 0 8190x1:26.21.15/315/2/1/0
NVIDIA H200 | n10000 full | stockham 10000 1 0 0 10000x1:20.5.10.10/500/1/2/0
NVIDIA H200 | n15625 full | stockham 15625 1 0 0 15625x1:25.25.25/625/1/1/0
NVIDIA H200 | n16384 full | stockham 16384 1 0 0 16384x1:32.32.16/512/1/1/0
NVIDIA H200 | n32768 full | cluster 32768 8 9 0 128x32:32.4/128/1/3/0 256x16:32.8/128/1/3/0
NVIDIA H200 | n48000 full | cluster 48000 8 11 0 80x75:16.5/224/1/1/0 600x10:30.5.4/224/1/1/0
NVIDIA H200 | n65536 full | cluster 65536 16 9 0 256x16:32.8/128/1/3/0 256x16:32.8/128/1/3/0
NVIDIA H200 | n100000 full | cluster 100000 16 8 0 250x25:10.5.5/224/1/3/0 400x16:16.5.5/224/1/3/0
NVIDIA H200 | n131072 full | cluster 131072 16 8 0 512x16:32.16/256/1/2/0 256x32:32.8/256/1/2/0
NVIDIA H200 | n262144 full | hierarchical 262144 1 0 0 512x16:16.2.16/512/1/2/0 512x16:16.2.16/512/1/2/4
NVIDIA H200 | n1000000 full | hierarchical 1000000 1 0 0 1000x8:20.5.10/400/1/2/0 1000x8:20.5.10/400/1/2/4
NVIDIA H200 | n1048576 full | hierarchical 1048576 1 0 0 1024x16:32.32/512/1/1/0 1024x16:32.32/512/1/1/4
NVIDIA H200 | n4194304 full | hierarchical 4194304 1 0 0 2048x8:16.8.16/1024/1/1/0 2048x8:16.8.16/1024/1/1/4
NVIDIA H200 | n16777216 full | hierarchical 16777216 1 0 0 4096x4:16.16.16/1024/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H200 | n67108864 full | hierarchical 67108864 1 0 0 512x16:16.2.16/512/1/2/0 512x16:16.2.16/512/1/2/0 256x16:16.16/256/1/4/4
)");
        return w;
    }();
    return known;
}

} // namespace gpufft
} // namespace gr
