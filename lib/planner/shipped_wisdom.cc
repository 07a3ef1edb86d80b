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
NVIDIA H200 | n65536 full | cluster 65536 8 12 0 256x32:32.8/256/1/2/0 256x32:32.8/256/1/2/0
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
NVIDIA H200 | n1009 full | rader 1009 1 0 0 1008x1:16.9.7/63/2/8/0
NVIDIA H200 | n2039 full | bluestein 2039 1 0 0 4096x1:16.16.16/256/1/4/0
NVIDIA H200 | n4093 full | rader 4093 1 0 0 4092x1:11.31.12/186/1/2/0
NVIDIA H200 | n8191 full | rader 8191 1 0 0 8190x1:26.21.15/315/1/2/0
NVIDIA H200 | n10007 full | bluestein 10007 1 0 0 20480x1:20.32.32/512/1/1/0
NVIDIA H200 | n65537 full | rader 65537 1 0 0 64x32:8.8/256/1/6/0 1024x1:32.32/32/1/16/0
NVIDIA H200 | n1048573 full | bluestein 1048573 1 0 0 512x16:16.32/256/1/2/0 4096x1:16.16.16/256/1/4/0
NVIDIA H200 | n512 b1 | stockham 512 1 0 0 512x1:8.8.8/128/1/1/0
NVIDIA H200 | n2048 b1 | stockham 2048 1 0 0 2048x1:4.8.8.8/256/1/1/0
NVIDIA H200 | n4096 b1 | cluster 4096 8 12 0 64x8:8.8/64/1/1/0 64x8:8.8/64/1/1/0
NVIDIA H200 | n4096 b16 | cluster 4096 4 12 0 256x4:16.16/64/1/1/0 16x64:16/64/1/1/0
NVIDIA H200 | n4096 b64 | stockham 4096 1 0 0 4096x1:16.16.16/256/1/1/0
NVIDIA H200 | n8192 b1 | cluster 8192 8 12 0 64x16:8.8/128/1/1/0 128x8:8.16/128/1/1/0
NVIDIA H200 | n16384 b1 | cluster 16384 8 12 0 128x16:8.16/128/1/1/0 128x16:8.16/128/1/1/0
NVIDIA H200 | n16384 b16 | cluster 16384 16 12 0 128x8:8.16/64/1/1/0 128x8:8.16/64/1/1/0
NVIDIA H200 | n16384 b64 | stockham 16384 1 0 0 16384x1:32.16.32/512/1/1/0
NVIDIA H200 | n32768 b1 | cluster 32768 16 12 0 128x16:16.8/128/1/1/0 256x8:16.16/128/1/1/0
NVIDIA H200 | n65536 b1 | hierarchical 65536 1 0 0 256x8:16.16/128/1/1/0 256x4:16.16/64/1/1/4
NVIDIA H200 | n65536 b16 | hierarchical 65536 1 0 0 256x8:16.16/128/1/5/0 256x8:16.16/128/1/5/4
NVIDIA H200 | n131072 b1 | hierarchical 131072 1 0 0 256x16:16.16/256/1/1/0 512x4:8.8.8/256/1/1/4
NVIDIA H200 | n262144 b1 | hierarchical 262144 1 0 0 512x8:32.16/128/1/1/0 512x4:8.8.8/256/1/1/4
NVIDIA H200 | n524288 b1 | hierarchical 524288 1 0 0 512x8:32.16/128/1/1/0 1024x4:16.4.16/256/1/1/4
NVIDIA H200 | n1048576 b1 | hierarchical 1048576 1 0 0 1024x8:16.4.16/512/1/1/0 1024x4:32.32/128/1/1/4
NVIDIA H200 | n1009 b1 | rader 1009 1 0 0 1008x1:8.14.9/126/1/1/0
NVIDIA H200 | n1009 b16 | rader 1009 1 0 0 1008x1:8.14.9/126/1/1/0
NVIDIA H200 | n1009 b64 | rader 1009 1 0 0 1008x1:7.9.16/144/1/1/0
NVIDIA H200 | c2c_forward_n16x16 full | tensor 256 1 0 0 [16x16] 16*16x1:16a.4b.4b/16/8/9/0
NVIDIA H200 | c2c_forward_n32x32 full | tensor 1024 1 0 0 [32x32] 32*32x1:32a.16b.2b/32/4/5/0
NVIDIA H200 | c2c_forward_n64x64 full | tensor 4096 1 0 0 [64x64] 64*64x1:2a.32b.2b.32a/128/1/5/0
NVIDIA H200 | c2c_forward_n128x128 full | tensor 16384 1 0 0 [128x128] 128*128x1:32a.32b.4b.4a/512/1/1/48
NVIDIA H200 | c2c_forward_n256x256 full | tensor 65536 8 12 0 [256x256] 256x32:32.8/256/1/2/4 256x32:32.8/256/1/2/0
NVIDIA H200 | c2c_forward_n512x512 full | tensor 262144 1 0 0 [512x512] 2*512x1:2a.8b.8b.8b/128/1/12/0 256x32:16a.16a/512/1/2/0
NVIDIA H200 | c2c_forward_n1024x1024 full | tensor 1048576 1 0 0 [1024x1024] 4*1024x1:4a.32b.32b/128/1/5/0 256x32:16a.16a/512/1/2/0
NVIDIA H200 | c2c_forward_n2048x2048 full | tensor 4194304 1 0 0 [2048x2048] 4*2048x1:4a.16b.16b.8b/512/1/2/0 512x32:16a.32a/512/1/1/0
NVIDIA H200 | c2c_forward_n4096x4096 full | tensor 16777216 1 0 0 [4096x4096] 4*4096x1:16b.16b.4a.16b/1024/1/1/0 1024x16:32a.32a/512/1/1/0
NVIDIA H200 | c2c_forward_n8192x8192 full | tensor 67108864 1 0 0 [8192x8192] 2*8192x1:2a.32b.8b.32b/512/1/1/0 4096x4:16a.16a.16a/1024/1/1/0
NVIDIA H200 | c2c_forward_n8x8x8 full | tensor 512 1 0 0 [8x8x8] 8*8*8x1:8b.8c.8a/64/1/24/0
NVIDIA H200 | c2c_forward_n16x16x16 full | tensor 4096 1 0 0 [16x16x16] 16*16*16x1:1a.16c.16b.16a/256/1/4/0
NVIDIA H200 | c2c_forward_n32x32x32 full | tensor 32768 2 12 0 [32x32x32] 1024x16:32.32/512/1/1/4 32x512:32/512/1/1/0
NVIDIA H200 | c2c_forward_n64x64x64 full | tensor 262144 1 0 0 [64x64x64] 64*64x1:8a.8b.8a.8b/512/1/3/0 64x32:8a.8a/256/1/6/0
NVIDIA H200 | c2c_forward_n128x128x128 full | tensor 2097152 1 0 0 [128x128x128] 64*128x1:16a.4a.16b.8b/512/1/2/0 128*2x32:16a.2b.8a/512/1/2/0
NVIDIA H200 | c2c_forward_n256x256x256 full | tensor 16777216 1 0 0 [256x256x256] 32*256x1:32b.32a.8b/342/1/2/0 256*8x8:8b.16a.16a/1024/1/1/0
NVIDIA H200 | r2c_n256 full | real:stockham 128 1 0 0 128x1:8.4.4/16/8/8/163
NVIDIA H200 | r2c_n1024 full | real:stockham 512 1 0 0 512x1:4.16.8/32/4/5/162
NVIDIA H200 | r2c_n4096 full | real:stockham 2048 1 0 0 2048x1:16.16.8/128/1/5/162
NVIDIA H200 | r2c_n16384 full | real:stockham 8192 1 0 0 8192x1:16.8.16.4/512/1/2/128
NVIDIA H200 | r2c_n65536 full | real:cluster 32768 8 9 0 128x32:32.4/128/1/3/0 256x16:32.8/128/1/3/0
NVIDIA H200 | r2c_n1048576 full | real:hierarchical 524288 1 0 0 1024x16:32.32/512/1/1/0 512x34:32.16/544/1/1/4
NVIDIA H200 | r2c_n2097152 full | real:hierarchical 1048576 1 0 0 1024x16:32.32/512/1/1/0 1024x18:16.4.16/576/1/1/4
NVIDIA H200 | r2c_n16777216 full | real:hierarchical 8388608 1 0 0 256x64:16.16/512/1/1/0 256x64:16.16/512/1/1/0 128x66:8.16/264/1/2/4
NVIDIA H200 | r2c_n1000 full | real:stockham 500 1 0 0 500x1:5.10.10/25/5/5/162
NVIDIA H200 | r2c_n79 full | real:rader 79 1 0 0 78x1:13.6/6/16/6/0
NVIDIA H200 | r2c_n139 full | real:rader 139 1 0 0 138x1:23.6/6/16/6/0
NVIDIA H200 | r2c_n839 full | real:bluestein 839 1 0 0 1728x1:9.12.16/64/2/7/0
NVIDIA H200 | r2c_n1009 full | real:rader 1009 1 0 0 1008x1:16.9.7/63/2/7/0
NVIDIA H200 | r2c_n2039 full | real:bluestein 2039 1 0 0 4096x1:16.16.16/256/1/4/0
NVIDIA H200 | r2c_n4093 full | real:rader 4093 1 0 0 4092x1:12.31.11/186/1/2/0
NVIDIA H200 | r2c_n8191 full | real:rader 8191 1 0 0 8190x1:26.21.15/315/1/2/0
NVIDIA H200 | c2r_n79 full | real:rader 79 1 2 0 78x1:6.13/7/16/6/0
NVIDIA H200 | c2r_n139 full | real:rader 139 1 0 0 138x1:6.23/8/8/8/0
NVIDIA H200 | c2r_n1009 full | real:rader 1009 1 0 0 1008x1:16.9.7/63/2/7/0
NVIDIA H200 | dct2_n64 full | real:stockham 32 1 0 0 32x1:4.8/2/64/5/131
NVIDIA H200 | dct2_n256 full | real:stockham 128 1 0 0 128x1:8.8.2/8/16/5/131
NVIDIA H200 | dct2_n1024 full | real:stockham 512 1 0 0 512x1:8.8.8/32/4/5/130
NVIDIA H200 | dct2_n4096 full | real:stockham 2048 1 0 0 2048x1:16.16.8/128/1/5/162
NVIDIA H200 | dct2_n16384 full | real:stockham 8192 1 0 0 8192x1:16.8.8.8/512/1/2/162
NVIDIA H200 | dct2_n65536 full | real:cluster 32768 4 12 0 256x32:32.8/256/1/2/0 128x64:32.4/256/1/2/0
NVIDIA H200 | dct2_n1048576 full | real:hierarchical 524288 1 0 0 1024x16:8.16.8/1024/1/1/0 512x34:32.16/544/1/1/4
NVIDIA H200 | dct2_n2097152 full | real:hierarchical 1048576 1 0 0 1024x16:16.4.16/512/1/1/0 1024x18:16.4.16/576/1/1/4
NVIDIA H200 | dct2_n16777216 full | real:hierarchical 8388608 1 0 0 256x64:16.16/512/1/1/0 256x64:16.16/512/1/1/0 128x66:8.16/264/1/2/4
NVIDIA H200 | dct2_n1000 full | real:stockham 500 1 0 0 500x1:10.5.10/50/2/9/3
NVIDIA H200 | r2c_n512 full | real:stockham 256 1 0 0 256x1:8.16.2/16/8/5/163
NVIDIA H200 | r2c_n2048 full | real:stockham 1024 1 0 0 1024x1:8.16.8/64/2/5/162
NVIDIA H200 | r2c_n8192 full | real:stockham 4096 1 0 0 4096x1:32.16.8/128/1/4/162
NVIDIA H200 | dct2_n128 full | real:stockham 64 1 0 0 64x1:8.4.2/8/16/8/131
NVIDIA H200 | dct2_n512 full | real:stockham 256 1 0 0 256x1:8.8.4/32/4/8/162
NVIDIA H200 | dct2_n2048 full | real:stockham 1024 1 0 0 1024x1:8.16.8/64/2/5/162
NVIDIA H200 | dct2_n8192 full | real:stockham 4096 1 0 0 4096x1:16.16.16/128/1/4/162
NVIDIA H200 | dct3_n256 full | real:stockham 128 1 0 0 128x1:8.8.2/8/16/5/131
NVIDIA H200 | dct3_n1024 full | real:stockham 512 1 0 0 512x1:16.16.2/32/4/5/162
NVIDIA H200 | dct3_n4096 full | real:stockham 2048 1 0 0 2048x1:16.16.8/128/1/5/162
NVIDIA H200 | dct4_n256 full | real:stockham 128 1 0 0 128x1:16.8/8/16/5/131
NVIDIA H200 | dct4_n4096 full | real:stockham 2048 1 0 0 2048x1:16.16.8/128/1/5/162
NVIDIA H200 | dct2_n79 full | real:rader 79 1 0 0 78x1:26.3/3/32/6/0
NVIDIA H200 | dct2_n839 full | real:bluestein 839 1 0 0 1792x1:14.8.16/64/2/7/0
NVIDIA H200 | dct2_n1009 full | real:rader 1009 1 0 0 1008x1:16.9.7/63/2/8/0
NVIDIA H200 | dct3_n79 full | real:rader 79 1 0 0 78x1:26.3/3/32/6/0
NVIDIA H200 | dct4_n79 full | real:rader 79 1 0 0 78x1:26.3/3/32/6/0
NVIDIA H200 | dct3_n1009 full | real:rader 1009 1 0 0 1008x1:16.9.7/63/2/8/0
NVIDIA H200 | dct4_n1009 full | real:rader 1009 1 0 0 1008x1:16.9.7/63/2/8/0
NVIDIA H200 | c2r_n65536 full | real:cluster 32768 8 12 0 128x32:16.8/256/1/3/0 256x16:16.16/256/1/3/0
NVIDIA H200 | r2c_n131072 full | real:cluster 65536 8 8 0 256x32:32.8/256/1/2/0 256x32:32.8/256/1/2/0
NVIDIA H200 | c2r_n131072 full | real:cluster 65536 8 12 0 256x32:32.8/256/1/2/0 256x32:32.8/256/1/2/0
NVIDIA H200 | dct2_n131072 full | real:hierarchical 65536 1 0 0 256x64:16.16/512/1/1/0 256x34:16.16/272/1/2/4
NVIDIA H200 | dct4_n65536 full | real:hierarchical 32768 1 0 0 64x64:8.8/256/1/2/0 512x32:32.16/512/1/1/4
NVIDIA H200 | c2c_forward_n128x256 full | tensor 32768 4 12 0 [128x256] 256x32:32.8/256/1/2/4 128x64:32.4/256/1/2/0
NVIDIA H200 | r2c_n262144 full | real:hierarchical 131072 1 0 0 512x16:16.2.16/512/1/2/0 256x34:16.16/272/1/2/4
NVIDIA H200 | dct3_n1048576 full | real:hierarchical 524288 1 0 0 512x32:16.32/512/1/1/0 1024x16:16.16.4/1024/1/1/4
NVIDIA H200 | dct4_n1048576 full | real:hierarchical 524288 1 0 0 512x32:16.32/512/1/1/0 1024x16:16.16.4/1024/1/1/4
NVIDIA H200 | c2r_n1048576 full | real:hierarchical 524288 1 0 0 256x64:16.16/512/1/1/0 2048x8:16.16.8/1024/1/1/4
NVIDIA H200 | c2c_forward_n8_f64 full | stockham 8 1 0 0 8x1:2.4/4/32/12/64
NVIDIA H200 | c2c_forward_n16_f64 full | stockham 16 1 0 0 16x1:16/1/128/0/67
NVIDIA H200 | c2c_forward_n32_f64 full | stockham 32 1 0 0 32x1:4.8/8/16/9/64
NVIDIA H200 | c2c_forward_n64_f64 full | stockham 64 1 0 0 64x1:4.4.4/16/8/12/64
NVIDIA H200 | c2c_forward_n128_f64 full | stockham 128 1 0 0 128x1:8.2.8/16/8/9/64
NVIDIA H200 | c2c_forward_n256_f64 full | stockham 256 1 0 0 256x1:8.4.8/32/4/9/64
NVIDIA H200 | c2c_forward_n512_f64 full | stockham 512 1 0 0 512x1:16.16.2/32/4/5/64
NVIDIA H200 | c2c_forward_n1024_f64 full | stockham 1024 1 0 0 1024x1:16.16.4/64/2/5/64
NVIDIA H200 | c2c_forward_n2048_f64 full | stockham 2048 1 0 0 2048x1:16.16.8/128/1/5/64
NVIDIA H200 | c2c_forward_n4096_f64 full | stockham 4096 1 0 0 4096x1:32.4.32/128/1/3/64
NVIDIA H200 | c2c_forward_n8192_f64 full | stockham 8192 1 0 0 8192x1:16.16.32/256/1/1/112
NVIDIA H200 | c2c_forward_n16384_f64 full | cluster 16384 8 11 0 32x64:32/64/1/3/96 512x4:32.16/64/1/3/64
NVIDIA H200 | c2c_forward_n32768_f64 full | cluster 32768 16 11 0 128x16:16.8/128/1/3/64 256x8:16.16/128/1/3/64
NVIDIA H200 | c2c_forward_n65536_f64 full | cluster 65536 16 11 0 256x16:16.16/256/1/1/64 256x16:16.16/256/1/1/64
NVIDIA H200 | c2c_forward_n131072_f64 full | hierarchical 131072 1 0 0 256x16:16.16/256/1/2/64 512x8:32.16/128/1/3/68
NVIDIA H200 | c2c_forward_n262144_f64 full | hierarchical 262144 1 0 0 512x8:16.32/128/1/3/64 512x8:32.16/128/1/3/68
NVIDIA H200 | c2c_forward_n524288_f64 full | hierarchical 524288 1 0 0 512x8:16.32/128/1/3/64 1024x8:32.32/256/1/1/68
NVIDIA H200 | c2c_forward_n1048576_f64 full | hierarchical 1048576 1 0 0 512x8:32.16/128/1/3/64 2048x4:16.16.8/512/1/1/68
NVIDIA H200 | c2c_forward_n2097152_f64 full | hierarchical 2097152 1 0 0 1024x8:32.32/256/1/1/64 2048x4:16.16.8/512/1/1/68
NVIDIA H200 | c2c_forward_n4194304_f64 full | hierarchical 4194304 1 0 0 1024x8:32.32/256/1/1/64 4096x2:16.16.16/512/1/1/68
NVIDIA H200 | c2c_forward_n8388608_f64 full | hierarchical 8388608 1 0 0 2048x4:16.16.8/512/1/1/64 4096x2:16.16.16/512/1/1/68
NVIDIA H200 | c2c_forward_n16777216_f64 full | hierarchical 16777216 1 0 0 4096x2:16.16.16/512/1/1/64 4096x2:16.16.16/512/1/1/68
NVIDIA H200 | c2c_forward_n33554432_f64 full | hierarchical 33554432 1 0 0 256x16:16.16/256/1/2/64 256x16:16.16/256/1/2/64 512x16:16.32/512/1/1/68
NVIDIA H200 | c2c_forward_n67108864_f64 full | hierarchical 67108864 1 0 0 512x16:32.16/512/1/1/64 256x16:16.16/256/1/2/64 512x16:16.32/512/1/1/68
NVIDIA H200 | c2c_forward_n243_f64 full | stockham 243 1 0 0 243x1:9.3.9/41/3/8/64
NVIDIA H200 | c2c_forward_n729_f64 full | stockham 729 1 0 0 729x1:27.27/27/4/3/64
NVIDIA H200 | c2c_forward_n1000_f64 full | stockham 1000 1 0 0 1000x1:10.10.10/100/2/4/64
NVIDIA H200 | c2c_forward_n1536_f64 full | stockham 1536 1 0 0 1536x1:8.8.8.3/192/1/6/64
NVIDIA H200 | c2c_forward_n2187_f64 full | stockham 2187 1 0 0 2187x1:3.27.27/92/1/5/96
NVIDIA H200 | c2c_forward_n3125_f64 full | stockham 3125 1 0 0 3125x1:5.25.25/125/1/4/96
NVIDIA H200 | c2c_forward_n4000_f64 full | stockham 4000 1 0 0 4000x1:20.20.10/200/1/2/64
NVIDIA H200 | c2c_forward_n6000_f64 full | stockham 6000 1 0 0 6000x1:25.24.10/250/1/2/64
NVIDIA H200 | c2c_forward_n10000_f64 full | cluster 10000 4 8 0 100x25:20.5/125/1/3/64 100x25:20.5/125/1/3/64
NVIDIA H200 | c2c_forward_n15625_f64 full | hierarchical 15625 1 0 0 125x32:25.5/160/1/3/64 125x32:5.25/160/1/3/68
NVIDIA H200 | c2c_forward_n48000_f64 full | hierarchical 48000 1 0 0 250x16:25.10/160/1/3/64 192x32:24.8/256/1/2/68
NVIDIA H200 | c2c_forward_n100000_f64 full | hierarchical 100000 1 0 0 250x16:25.10/160/1/3/64 400x8:20.20/160/1/3/68
NVIDIA H200 | c2c_forward_n1000000_f64 full | hierarchical 1000000 1 0 0 1000x8:10.10.10/800/1/1/64 1000x4:10.10.10/400/1/2/68
NVIDIA H200 | c2c_forward_n79_f64 full | rader 79 1 0 0 78x1:13.6/7/8/6/64
NVIDIA H200 | c2c_forward_n139_f64 full | rader 139 1 2 0 138x1:6.23/8/8/4/64
NVIDIA H200 | c2c_forward_n839_f64 full | bluestein 839 1 0 0 1701x1:9.27.7/63/2/3/64
NVIDIA H200 | c2c_forward_n1009_f64 full | rader 1009 1 0 0 1008x1:16.9.7/63/2/4/64
NVIDIA H200 | c2c_forward_n2039_f64 full | bluestein 2039 1 2 0 4096x1:16.16.16/256/1/2/64
NVIDIA H200 | c2c_forward_n4093_f64 full | rader 4093 1 2 0 4092x1:31.22.6/186/1/1/64
NVIDIA H200 | c2c_forward_n8191_f64 full | rader 8191 1 0 0 8190x1:21.26.15/390/1/1/64
NVIDIA H200 | c2c_forward_n10007_f64 full | bluestein 10007 1 0 0 64x16:8.8/128/1/9/64 320x1:20.16/20/1/16/64
NVIDIA H200 | c2c_forward_n65537_f64 full | rader 65537 1 0 0 64x32:8.8/256/1/4/64 1024x1:32.32/32/1/12/64
NVIDIA H200 | c2c_forward_n1048573_f64 full | bluestein 1048573 1 0 0 1024x8:32.32/256/1/1/64 2048x1:8.16.16/128/1/4/64
NVIDIA H200 | r2c_n8_f64 full | real:stockham 4 1 0 0 4x1:2.2/2/64/7/66
NVIDIA H200 | r2c_n16_f64 full | real:stockham 8 1 0 0 8x1:2.4/4/16/11/66
NVIDIA H200 | r2c_n32_f64 full | real:stockham 16 1 0 0 16x1:4.4/4/16/11/66
NVIDIA H200 | r2c_n64_f64 full | real:stockham 32 1 0 0 32x1:8.4/8/8/11/66
NVIDIA H200 | r2c_n128_f64 full | real:stockham 64 1 0 0 64x1:2.8.4/16/4/11/66
NVIDIA H200 | r2c_n256_f64 full | real:stockham 128 1 0 0 128x1:4.8.4/32/2/11/66
NVIDIA H200 | r2c_n512_f64 full | real:stockham 256 1 0 0 256x1:8.8.4/32/4/4/66
NVIDIA H200 | r2c_n1024_f64 full | real:stockham 512 1 0 0 512x1:16.2.16/32/2/5/66
NVIDIA H200 | r2c_n2048_f64 full | real:stockham 1024 1 0 0 1024x1:16.16.4/64/2/3/66
NVIDIA H200 | r2c_n4096_f64 full | real:stockham 2048 1 0 0 2048x1:16.16.8/128/1/3/66
NVIDIA H200 | r2c_n8192_f64 full | real:stockham 4096 1 0 0 4096x1:32.4.32/128/1/2/66
NVIDIA H200 | r2c_n16384_f64 full | real:stockham 8192 1 0 0 8192x1:32.8.32/256/1/1/66
NVIDIA H200 | r2c_n32768_f64 full | real:cluster 16384 16 8 0 128x8:16.8/64/1/6/64 128x8:16.8/64/1/6/64
NVIDIA H200 | r2c_n65536_f64 full | real:cluster 32768 16 11 0 128x16:16.8/128/1/3/96 256x8:16.16/128/1/3/64
NVIDIA H200 | r2c_n131072_f64 full | real:hierarchical 65536 1 0 0 512x8:16.32/128/1/3/64 128x18:16.8/144/1/2/68
NVIDIA H200 | r2c_n262144_f64 full | real:hierarchical 131072 1 0 0 1024x8:32.32/256/1/1/64 128x18:16.8/144/1/2/68
NVIDIA H200 | r2c_n1048576_f64 full | real:hierarchical 524288 1 0 0 1024x8:32.32/256/1/1/64 512x16:16.16.2/512/1/1/68
NVIDIA H200 | r2c_n8388608_f64 full | real:hierarchical 4194304 1 0 0 256x16:16.16/256/1/2/64 256x16:16.16/256/1/2/64 64x34:8.8/136/1/2/68
NVIDIA H200 | r2c_n16777216_f64 full | real:hierarchical 8388608 1 0 0 256x16:16.16/256/1/2/64 256x16:16.16/256/1/2/64 128x32:16.8/256/1/2/68
NVIDIA H200 | r2c_n243_f64 full | real:stockham 243 1 0 0 243x1:9.3.9/27/3/6/66
NVIDIA H200 | r2c_n729_f64 full | real:stockham 729 1 0 0 729x1:9.9.9/41/3/3/66
NVIDIA H200 | r2c_n1000_f64 full | real:stockham 500 1 0 0 500x1:25.20/25/5/2/66
NVIDIA H200 | r2c_n1536_f64 full | real:stockham 768 1 0 0 768x1:16.3.16/48/2/3/66
NVIDIA H200 | r2c_n2187_f64 full | real:stockham 2187 1 0 0 2187x1:27.27.3/81/1/4/66
NVIDIA H200 | r2c_n3125_f64 full | real:stockham 3125 1 0 0 3125x1:25.5.25/125/1/2/66
NVIDIA H200 | r2c_n4000_f64 full | real:stockham 2000 1 0 0 2000x1:25.8.10/84/1/3/66
NVIDIA H200 | r2c_n6000_f64 full | real:stockham 3000 1 0 0 3000x1:25.12.10/125/1/2/66
NVIDIA H200 | r2c_n10000_f64 full | real:stockham 5000 1 0 0 5000x1:25.10.20/250/2/0/66
NVIDIA H200 | r2c_n15625_f64 full | real:hierarchical 15625 1 0 0 125x32:25.5/160/1/3/64 125x32:5.25/160/1/3/68
NVIDIA H200 | r2c_n100000_f64 full | real:hierarchical 50000 1 0 0 250x8:25.10/80/1/5/64 200x18:20.10/180/1/1/68
NVIDIA H200 | r2c_n79_f64 full | real:rader 79 1 0 0 78x1:13.6/6/16/4/64
NVIDIA H200 | r2c_n139_f64 full | real:rader 139 1 2 0 138x1:6.23/8/8/4/64
NVIDIA H200 | r2c_n839_f64 full | real:bluestein 839 1 0 0 1680x1:5.16.21/80/2/3/64
NVIDIA H200 | r2c_n1009_f64 full | real:rader 1009 1 0 0 1008x1:16.9.7/63/2/4/64
NVIDIA H200 | r2c_n2039_f64 full | real:bluestein 2039 1 2 0 4096x1:16.16.16/256/1/2/64
NVIDIA H200 | r2c_n4093_f64 full | real:rader 4093 1 2 0 4092x1:6.31.22/228/1/1/64
NVIDIA H200 | r2c_n8191_f64 full | real:rader 8191 1 0 0 8190x1:15.26.21/546/1/1/64
NVIDIA H200 | r2c_n524288_f64 full | real:hierarchical 262144 1 0 0 512x8:32.16/128/1/3/64 512x16:16.16.2/512/1/1/68
NVIDIA H200 | r2c_n2097152_f64 full | real:hierarchical 1048576 1 0 0 2048x4:16.8.16/512/1/1/64 512x16:32.16/256/1/1/68
NVIDIA H200 | r2c_n4194304_f64 full | real:hierarchical 2097152 1 0 0 2048x4:16.16.8/512/1/1/64 1024x8:16.16.4/512/1/1/68
NVIDIA H200 | r2c_n33554432_f64 full | real:hierarchical 16777216 1 0 0 256x16:16.16/256/1/2/64 512x8:32.16/128/1/3/64 128x34:16.8/272/1/1/68
NVIDIA H200 | r2c_n67108864_f64 full | real:hierarchical 33554432 1 0 0 512x16:16.32/256/1/1/64 512x8:32.16/128/1/3/64 128x34:16.8/272/1/1/68
NVIDIA H200 | r2c_n48000_f64 full | real:hierarchical 24000 1 0 0 150x16:15.10/160/1/4/64 160x18:20.8/180/1/1/68
NVIDIA H200 | r2c_n1000000_f64 full | real:hierarchical 500000 1 0 0 500x8:25.20/200/1/2/64 1000x8:25.8.5/334/1/1/68
NVIDIA H200 | c2c_forward_n512x512x512 full | tensor 134217728 1 0 0 [512x512x512] 4*512x1:4a.16b.16b.2b/128/1/9/0 2*128x32:16b.2a.8b/512/1/2/0 256x32:16a.16a/512/1/2/0
NVIDIA H200 | filter_n100001_ctaps full | overlap-save 100001 1 0 0 512x16:16.32/256/1/2/0 2048x1:16.8.16/128/1/6/0
NVIDIA H200 | filter_n100001_hop2_ctaps full | overlap-save 100001 1 0 0 512x16:16.32/256/1/2/0 2048x1:16.8.16/128/1/6/0
NVIDIA H200 | filter_n100001_hop10_ctaps full | overlap-save 100001 1 0 0 512x16:16.32/256/1/2/0 2560x1:16.16.10/160/1/5/0
NVIDIA H200 | filter_n1000001_ctaps full | overlap-save 1000001 1 0 0 1024x8:32.32/256/1/2/0 8192x1:16.32.16/256/1/2/0
NVIDIA H100 80GB HBM3 | n8 full | stockham 8 1 0 0 8x1:4.2/4/32/0/0
NVIDIA H100 80GB HBM3 | n16 full | stockham 16 1 0 0 16x1:4.4/4/32/0/0
NVIDIA H100 80GB HBM3 | n32 full | stockham 32 1 0 0 32x1:8.4/8/16/0/3
NVIDIA H100 80GB HBM3 | n64 full | stockham 64 1 0 0 64x1:4.4.4/16/8/12/3
NVIDIA H100 80GB HBM3 | n79 full | rader 79 1 0 0 78x1:13.6/6/16/9/0
NVIDIA H100 80GB HBM3 | n128 full | stockham 128 1 0 0 128x1:4.8.4/32/4/12/0
NVIDIA H100 80GB HBM3 | n139 full | rader 139 1 0 0 138x1:23.6/8/16/5/0
NVIDIA H100 80GB HBM3 | n243 full | stockham 243 1 0 0 243x1:9.3.9/27/7/7/32
NVIDIA H100 80GB HBM3 | n256 full | stockham 256 1 0 0 256x1:8.8.4/64/2/0/0
NVIDIA H100 80GB HBM3 | n512 full | stockham 512 1 0 0 512x1:8.8.8/64/2/12/0
NVIDIA H100 80GB HBM3 | n729 full | stockham 729 1 0 0 729x1:9.9.9/81/3/5/32
NVIDIA H100 80GB HBM3 | n839 full | bluestein 839 1 0 0 1792x1:14.8.16/64/2/7/0
NVIDIA H100 80GB HBM3 | n1000 full | stockham 1000 1 0 0 1000x1:10.10.10/100/2/0/0
NVIDIA H100 80GB HBM3 | n1009 full | rader 1009 1 0 0 1008x1:16.9.7/63/2/7/0
NVIDIA H100 80GB HBM3 | n1024 full | stockham 1024 1 0 0 1024x1:16.8.8/64/2/8/0
NVIDIA H100 80GB HBM3 | n1536 full | stockham 1536 1 0 0 1536x1:8.8.4.6/192/1/0/0
NVIDIA H100 80GB HBM3 | n2039 full | bluestein 2039 1 0 0 4096x1:16.16.16/256/1/4/0
NVIDIA H100 80GB HBM3 | n2048 full | stockham 2048 1 0 0 2048x1:32.32.2/64/2/5/0
NVIDIA H100 80GB HBM3 | n2187 full | stockham 2187 1 0 0 2187x1:9.9.9.3/243/1/6/32
NVIDIA H100 80GB HBM3 | n3125 full | stockham 3125 1 0 0 3125x1:25.5.25/125/1/6/32
NVIDIA H100 80GB HBM3 | n4000 full | stockham 4000 1 0 0 4000x1:10.20.20/200/1/4/0
NVIDIA H100 80GB HBM3 | n4093 full | rader 4093 1 0 0 4092x1:11.31.12/186/1/2/0
NVIDIA H100 80GB HBM3 | n4096 full | stockham 4096 1 0 0 4096x1:16.16.16/256/1/4/0
NVIDIA H100 80GB HBM3 | n6000 full | stockham 6000 1 0 0 6000x1:20.20.15/300/1/3/0
NVIDIA H100 80GB HBM3 | n8191 full | rader 8191 1 0 0 8190x1:26.21.15/315/1/2/0
NVIDIA H100 80GB HBM3 | n8192 full | stockham 8192 1 0 0 8192x1:32.32.8/256/1/2/0
NVIDIA H100 80GB HBM3 | n10000 full | stockham 10000 1 0 0 10000x1:25.20.20/500/1/1/48
NVIDIA H100 80GB HBM3 | n10007 full | bluestein 10007 1 0 0 20160x1:21.30.32/480/1/1/0
NVIDIA H100 80GB HBM3 | n15625 full | stockham 15625 1 0 0 15625x1:25.25.25/625/1/1/16
NVIDIA H100 80GB HBM3 | n16384 full | stockham 16384 1 0 0 16384x1:32.16.32/512/1/1/48
NVIDIA H100 80GB HBM3 | n32768 full | cluster 32768 8 11 0 32x128:32/128/1/2/32 1024x4:32.32/128/1/2/0
NVIDIA H100 80GB HBM3 | n48000 full | hierarchical 48000 1 0 0 250x32:25.10/320/1/2/0 192x32:16.12/384/1/3/4
NVIDIA H100 80GB HBM3 | n65536 full | cluster 65536 8 8 0 256x32:32.8/256/1/2/0 256x32:32.8/256/1/2/0
NVIDIA H100 80GB HBM3 | n65537 full | rader 65537 1 0 0 64x32:8.8/256/1/6/0 1024x1:32.32/32/1/16/0
NVIDIA H100 80GB HBM3 | n100000 full | hierarchical 100000 1 0 0 400x32:25.16/800/1/1/0 250x16:25.10/160/1/5/4
NVIDIA H100 80GB HBM3 | n131072 full | cluster 131072 16 8 0 512x16:32.16/256/1/2/0 256x32:32.8/256/1/2/0
NVIDIA H100 80GB HBM3 | n262144 full | hierarchical 262144 1 0 0 512x32:32.16/512/1/1/0 512x32:32.16/512/1/1/4
NVIDIA H100 80GB HBM3 | n524288 full | hierarchical 524288 1 0 0 512x32:32.16/512/1/1/0 1024x16:32.32/512/1/1/4
NVIDIA H100 80GB HBM3 | n1000000 full | hierarchical 1000000 1 0 0 1000x8:10.10.10/400/1/2/0 1000x8:10.10.10/400/1/2/4
NVIDIA H100 80GB HBM3 | n1048573 full | bluestein 1048573 1 0 0 512x16:16.32/256/1/2/0 4096x1:16.16.16/256/1/4/0
NVIDIA H100 80GB HBM3 | n1048576 full | hierarchical 1048576 1 0 0 1024x16:32.32/512/1/1/0 1024x16:32.32/512/1/1/4
NVIDIA H100 80GB HBM3 | n2097152 full | hierarchical 2097152 1 0 0 1024x16:32.32/512/1/1/0 2048x8:16.8.16/1024/1/1/4
NVIDIA H100 80GB HBM3 | n4194304 full | hierarchical 4194304 1 0 0 2048x8:16.16.8/1024/1/1/0 2048x8:16.8.16/1024/1/1/4
NVIDIA H100 80GB HBM3 | n8388608 full | hierarchical 8388608 1 0 0 2048x8:16.16.8/1024/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H100 80GB HBM3 | n16777216 full | hierarchical 16777216 1 0 0 4096x4:16.16.16/1024/1/1/0 4096x4:16.16.16/1024/1/1/4
NVIDIA H100 80GB HBM3 | n33554432 full | hierarchical 33554432 1 0 0 512x32:32.16/512/1/1/0 256x32:16.16/512/1/2/0 256x32:16.16/512/1/2/4
NVIDIA H100 80GB HBM3 | n67108864 full | hierarchical 67108864 1 0 0 512x32:32.16/512/1/1/0 512x32:32.16/512/1/1/0 256x32:16.16/512/1/2/4
NVIDIA H100 80GB HBM3 | n16 b1 | stockham 16 1 0 0 16x1:4.4/4/32/0/0
NVIDIA H100 80GB HBM3 | n32 b1 | stockham 32 1 0 0 32x1:8.4/8/16/0/3
NVIDIA H100 80GB HBM3 | n64 b1 | stockham 64 1 0 0 64x1:4.4.4/16/8/12/3
NVIDIA H100 80GB HBM3 | n128 b1 | stockham 128 1 0 0 128x1:4.8.4/32/4/12/0
NVIDIA H100 80GB HBM3 | n256 b1 | stockham 256 1 0 0 256x1:8.4.8/32/4/12/0
NVIDIA H100 80GB HBM3 | n512 b1 | stockham 512 1 0 0 512x1:8.8.8/64/2/12/0
NVIDIA H100 80GB HBM3 | n1009 b1 | rader 1009 1 0 0 1008x1:8.14.9/126/1/1/0
NVIDIA H100 80GB HBM3 | n1009 b16 | rader 1009 1 0 0 1008x1:8.14.9/126/1/1/0
NVIDIA H100 80GB HBM3 | n1009 b64 | rader 1009 1 0 0 1008x1:7.9.16/144/1/1/0
NVIDIA H100 80GB HBM3 | n1024 b1 | stockham 1024 1 0 0 1024x1:16.8.8/64/2/8/0
NVIDIA H100 80GB HBM3 | n2048 b1 | stockham 2048 1 0 0 2048x1:4.8.8.8/256/1/1/0
NVIDIA H100 80GB HBM3 | n4096 b1 | stockham 4096 1 0 0 4096x1:16.16.16/256/1/4/0
NVIDIA H100 80GB HBM3 | n4096 b64 | stockham 4096 1 0 0 4096x1:16.16.16/256/1/1/0
NVIDIA H100 80GB HBM3 | n8192 b1 | cluster 8192 8 12 0 64x16:8.8/128/1/1/0 128x8:8.16/128/1/1/0
NVIDIA H100 80GB HBM3 | n16384 b1 | cluster 16384 8 12 0 128x16:8.16/128/1/1/0 128x16:8.16/128/1/1/0
NVIDIA H100 80GB HBM3 | n16384 b16 | cluster 16384 16 12 0 128x8:8.16/64/1/1/0 128x8:8.16/64/1/1/0
NVIDIA H100 80GB HBM3 | n16384 b64 | stockham 16384 1 0 0 16384x1:32.16.32/512/1/1/0
NVIDIA H100 80GB HBM3 | n32768 b1 | cluster 32768 16 12 0 128x16:16.8/128/1/1/0 256x8:16.16/128/1/1/0
NVIDIA H100 80GB HBM3 | n65536 b1 | hierarchical 65536 1 0 0 256x8:16.16/128/1/1/0 256x4:16.16/64/1/1/4
NVIDIA H100 80GB HBM3 | n131072 b1 | hierarchical 131072 1 0 0 256x16:16.16/256/1/1/0 512x4:8.8.8/256/1/1/4
NVIDIA H100 80GB HBM3 | n262144 b1 | hierarchical 262144 1 0 0 512x8:32.16/128/1/1/0 512x4:8.8.8/256/1/1/4
NVIDIA H100 80GB HBM3 | n524288 b1 | hierarchical 524288 1 0 0 512x8:32.16/128/1/1/0 1024x4:16.4.16/256/1/1/4
NVIDIA H100 80GB HBM3 | n1048576 b1 | hierarchical 1048576 1 0 0 1024x8:16.4.16/512/1/1/0 1024x4:32.32/128/1/1/4
NVIDIA H100 80GB HBM3 | n2097152 b1 | hierarchical 2097152 1 0 0 1024x16:32.32/512/1/1/0 2048x8:16.16.8/1024/1/1/4
)");
        return w;
    }();
    return known;
}

std::string measured_relative(const std::string& card)
{
    constexpr std::pair<const char*, const char*> RELATIVES[] = {
        { "NVIDIA H100", "NVIDIA H100 80GB HBM3" },
        { "NVIDIA H800", "NVIDIA H100 80GB HBM3" },
        { "NVIDIA GH200", "NVIDIA H200" },
    };
    for (const auto& [begin, measured] : RELATIVES)
        if (card.compare(0, std::string(begin).size(), begin) == 0)
            return measured;
    return card;
}

} // namespace gpufft
} // namespace gr
