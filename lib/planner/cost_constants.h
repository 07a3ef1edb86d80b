// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every constant of the estimates, by family of algorithms: what it was fitted to, or
// that it was set by hand, without a fit. A cost is a time over that of a copy of the
// data, unless a comment says otherwise. Whoever measures another card compares these
// numbers first; the facts of a card are in card.h.

#ifndef INCLUDED_GPUFFT_COST_CONSTANTS_H
#define INCLUDED_GPUFFT_COST_CONSTANTS_H

#include <cstddef>

namespace gr {
namespace gpufft {
namespace fitted {

// Shared memory of a multiprocessor that estimates of a block's padding leave unused.
constexpr std::size_t SPARE_SHARED_BYTES = 1024;

// Fitted to the times of 451 kernels of 28 lengths on an H200; the shape with the lowest
// estimate reaches 0.97 of the fastest one's speed in the mean of those lengths.
namespace stockham {
constexpr int REGISTERS_BESIDE_POINTS = 24;
constexpr double COST_OPERATION = 0.0041; // one multiplication or addition a point
constexpr double COST_TWIDDLE = 0.046;    // one twiddle a point
constexpr double COST_ODD_SPAN = 0.0198;  // a pass whose span is not a power of two
constexpr double COST_EXCHANGE = 0.0121;  // a point through shared memory, one way
constexpr double COST_SECTOR = 0.928;     // all sectors touched twice
constexpr double COST_ROW = 2.99;         // over the lanes that read side by side
constexpr double COST_BARRIER = 0.257;    // over the blocks on a multiprocessor
constexpr double COST_THREADS = 188;      // over its threads, each with points of 8 bytes
constexpr double LATENCY_PIPELINED = 0.5; // left of it where the next tile is on its way
constexpr double OVERLAP = 4.2; // how sharply the larger of memory and the rest wins
// Set by hand.
constexpr double COST_TILES = 0.02;    // one more way through shared memory and back
constexpr double COST_BANK_PASS = 0.1; // per pass; a bank's reads hide no exchanges
} // namespace stockham

// Microseconds, fitted to the times of 193 recipes in 15 small calls on an H200, most of
// them in tests/small_call_times.h: 10 % off in the mean, and the recipe with the lowest
// estimate is at most 7 % slower than the fastest. The times leave TIME_BLOCK and
// TIME_PASS open: these two are set by hand.
namespace small_calls {
constexpr std::size_t FULL_POINTS = std::size_t(1) << 22; // they fill any current card
constexpr double COPIED_POINTS = 2.6e5; // points that an H200 copies in a microsecond
constexpr int REGISTERS_BESIDE_POINTS = 28;
constexpr double TIME_LAUNCH = 2.4;
constexpr double TIME_BLOCK = 0.03; // for each block of a multiprocessor
constexpr double TIME_PASS = 0.08;
constexpr double TIME_PARTIAL_PASS = 0.064;
constexpr double TIME_THREADS = 0.43e-3;   // for each thread of a block
constexpr double TIME_OPERATION = 0.74e-3; // for each operation of a thread
constexpr double TIME_SPILLED = 0.31;      // for each point
constexpr double TIME_SEGMENT = 0.0117;    // for each point that a thread starts with
constexpr double TIME_GATHERED = 0.035;    // more, for the same
constexpr double TIME_EXCHANGED = 0.09e-3; // for each point of a multiprocessor
constexpr double TIME_CLUSTER = 0.044;     // for each of its blocks
constexpr double TIME_REMOTE = 0.245e-3;   // for each point of a cluster's block
// Share of a full call's memory cost: the L2 cache holds a small call. It rises to 1
// where the card is full.
constexpr double MOVES_SHARE = 0.354;
} // namespace small_calls

// Measured on an H200: tiles hide half of what the single-pass model says; rows of few
// columns waste parts of what memory moves, more so in reading.
namespace levels {
constexpr double TILE_SHARE = 0.5;
constexpr double COST_SECTORS_READ = 0.45, COST_SECTORS_WRITTEN = 0.2;
constexpr double COST_HALF_LINES_READ = 0.1, COST_HALF_LINES_WRITTEN = 0.05;
constexpr double COST_LINES_READ = 0.03, COST_LINES_WRITTEN = 0.02;
// Tiles of columns and their partners: of two lines side by side, of one, of half a line,
// of a sector; and if two blocks store parts of the same sectors.
constexpr double MIRRORED_LINE_PAIRS = 0.05, MIRRORED_LINES = 0.1,
                 MIRRORED_HALF_LINES = 0.2;
constexpr double MIRRORED_SECTORS_OF_ROWS = 1, MIRRORED_SECTORS_OF_COLUMNS = 0.6;
constexpr double MIRRORED_IN_PARTS = 0.3; // times the next two for fewer bytes
constexpr double MIRRORED_PARTS_OF_LINES = 1.3, MIRRORED_PARTS_OF_SECTORS = 2;
// Their threads do two butterflies at once.
constexpr double COST_IDLE = 0.1, COST_SPILLS = 2;
constexpr int LEAST_BESIDE_POINTS = 32; // registers; with fewer a thread spills
constexpr int REGISTERS_BESIDE_POINTS = 56;
} // namespace levels

// From clusters that only move their points, on an H200: 4, 8, 16 blocks of 4096 points
// 1.18, 1.22, 1.35, 16 blocks of 8192 and 16384 points 1.69, 2.13.
namespace cluster {
constexpr double COST_MOVES = 0.9;
constexpr double COST_BLOCK = 0.0125; // for each block of a cluster
constexpr double COST_ALONE = 0.95;   // over the blocks on a multiprocessor
constexpr double COST_SEGMENT = 0.4;  // over the points side by side in global memory
constexpr double COST_ODD = 1.7;      // lengths with factors other than 2
constexpr double COST_ISSUE = 0.2;    // all slots of the schedulers taken
constexpr double SLOTS = 112;         // of a multiprocessor for each point that it copies
constexpr double LEAST_COST = 1.1;
constexpr int REGISTERS_BESIDE_POINTS = 32; // fewer make the compiler spill
constexpr int REGISTERS_FOR_DOUBLE = 16;    // with double precision
constexpr int REGISTERS_FOR_LONG = 16;      // with more than 16 points a thread
constexpr int REGISTERS_FOR_ODD = 8;        // with odd radices
} // namespace cluster

// The sectors of global memory that a step of the tensor algorithm touches. Written ones
// cost what was fitted to the Stockham kernel, read ones were set by hand.
namespace tensor {
constexpr double STORE_SECTORS = 0.928; // cost of all sectors written twice
constexpr double LOAD_SECTORS = 0.3;    // ... or read twice: the L1 cache helps
} // namespace tensor

// From 256x256, 512x256, 512x512, 32x32x32 and 64x32x32 points in clusters of 2 to 16
// blocks on an H200.
namespace tensor_cluster {
constexpr double COST_FRAME = 0.92;
constexpr double COST_PASS = 0.12;
constexpr double COST_RUN = 1.0;       // over the columns of a block, sent side by side
constexpr double COST_DOUBLING = 0.05; // of the blocks
constexpr double COST_LARGEST = 0.25;  // of 16 blocks: not every cluster fits the card
constexpr double COST_ALONE = 0.3;     // a block on its multiprocessor, with four passes
constexpr double COST_LONG = 0.2;      // more than LONG points
constexpr double COST_SHORT = 0.35;    // fewer than 32 points a thread
constexpr double COST_RADIX_2 = 0.4;   // a last pass with that many butterflies spills
constexpr double COST_OTHER_WAY = 0.1; // than stores through one area
constexpr std::size_t LONG = std::size_t(1) << 16;
// Registers beside the points of a thread that does not spill.
constexpr int REGISTERS_BESIDE_POINTS = 96;
constexpr int REGISTERS_BESIDE_OTHERS = 128; // with window, shift, conversion
constexpr int REGISTERS_BESIDE_STORES = 64;  // which take fewer addresses than messages
} // namespace tensor_cluster

// Two axes by lines and transpositions; copies of strided frames and rows. Set by hand.
namespace axes {
constexpr double COST_TRANSPOSE = 1.1;
constexpr double LEAST_COST = 4; // two axes, where the tensor algorithm takes two steps
constexpr double COST_COPY = 1.0;
constexpr double COST_APART = 1.0; // for items that are read without their neighbours
} // namespace axes

// In the time in which memory copies one sample, a multiprocessor of an H200 issues
// INSTRUCTIONS_PER_SAMPLE instructions, and its shared memory moves ELEMENTS_PER_SAMPLE
// elements of 8 bytes.
namespace convolution {
constexpr double INSTRUCTIONS_PER_SAMPLE = 113;
constexpr double ELEMENTS_PER_SAMPLE = 14;
constexpr double COST_THREADS = 120; // over the threads on a multiprocessor
constexpr double COST_BARRIER = 0.1; // over the blocks on a multiprocessor
constexpr double OVERLAP = 2.5; // how sharply the largest of memory, issue, shared wins
constexpr int REGISTERS_BESIDE_POINTS = 40;
constexpr int REGISTERS_BESIDE_PLACES = 24; // where a thread keeps its points' places
constexpr int REGISTERS_OF_NEXT_TILE = 12;
// One pass of the convolution's points one way, over a copy of as many samples.
constexpr double COST_STREAM = 0.25;
// Samples or bins that are moved one by one, in sectors of 32 bytes. Set by hand, as are
// COST_STREAM and the next one.
constexpr double COST_SCATTER = 0.8;
constexpr double LEAST_COST_OF_MIXED = 2.2;
} // namespace convolution

namespace real {
// Set by hand.
constexpr double COST_IDLE = 0.3;           // of all threads at both ends
constexpr double COST_STAGED = 0.04;        // one more trip through shared memory
constexpr double COST_TEAM = 0.1;           // teams of other sizes than warps
constexpr double COST_AROUND = 1.0;         // of each kernel around another transform
constexpr double COST_APART = 0.2;          // of rows that threads make of bins far apart
constexpr int REGISTERS_BESIDE_POINTS = 28; // of a thread that also holds its results
// What real rows at its ends add to a cluster's cost, measured on an H200: rows are made
// and stored pair by pair, and in cosine transforms the four numbers of a pair lie apart.
constexpr double CLUSTER_BOTH = 0.4, CLUSTER_APART = 0.35, CLUSTER_APART_AT_BOTH = 1.3,
                 CLUSTER_LARGEST = 0.25, CLUSTER_FEW_THREADS = 0.4,
                 CLUSTER_MESSAGES_OF_MANY = 0.05, CLUSTER_OF_LONG = 0.4;
constexpr std::size_t LONG = std::size_t(1) << 16;    // points
constexpr int MANY_POINTS = 17, FEWEST_THREADS = 256; // of many points each
constexpr int CLUSTER_BESIDE_POINTS = 48, CLUSTER_BESIDE_OTHERS = 96; // registers
// Registers of a mirrored kernel's thread for a point and beside its points: enough for
// the compiler's own choice, and the fewest without spills.
constexpr int MIRRORED_OF_POINT = 4, MIRRORED_BESIDE_POINTS = 28;
constexpr int MIRRORED_LEAST_OF_POINT = 3, MIRRORED_LEAST_BESIDE_POINTS = 16;
constexpr int MIRRORED_MOST_REGISTERS = 128; // in single precision
} // namespace real

// Costs of each sample that a point's block reads, mostly of its way from the L2 cache;
// of each further block of a cluster; and of each further LEAST_THREADS of a block, whose
// threads read and compute in turns. Fitted to 120 kernels of n = 128 ... 4096 with 16
// taps an arm on an H200 (bench_recipes).
namespace polyphase {
constexpr double COST_READ = 0.11;
constexpr double COST_BLOCK = 0.03;
constexpr double COST_THREADS = 0.2;
constexpr double LEAST_THREADS = 128;
// Registers of a thread that holds the sums and weights of 16 frames without spills; and
// those beside the points that it holds later. On an H200 the resulting bound is the
// fastest for 79, 128, 839, 1024 and 4096 channels (bench_recipes).
constexpr int REGISTERS_OF_SUMS = 80, REGISTERS_BESIDE_POINTS = 32;
} // namespace polyphase

namespace filter {
// Measured by bench_recipes on an H200 with 1001 taps: parts of 4096 points take 0.86 ms
// with five blocks on a multiprocessor, 0.96 ms with six, which leave less cache.
constexpr double COST_OF_TABLES = 0.3;
// Fitted to 40 recipes with decimations 2, 3, 5 and 10 on an H200 (bench_recipes). With
// 501 taps and 10, parts of 5120 points (16.16.20) take 0.52 ms, of 2560 (16.16.10)
// 0.72 ms.
constexpr double COST_OF_ROUNDS = 300;
constexpr double COST_OF_REGISTERS = 0.01; // each that a thread lacks
constexpr int REGISTERS_BESIDE_POINTS = 56;
// Reads and writes of a copy that folding by infinity would save. Set by hand.
constexpr double SAVED_STREAMS = 3 * 0.5;
} // namespace filter

// Bytes that take as long as a point, and as its product with a response. Set by hand.
namespace channels {
constexpr double POINT = 8, PRODUCT = 1.5;
constexpr double SECTOR = 4;       // points
constexpr double LEAST_COST = 0.5; // of a sample read and little written
} // namespace channels

// The weighted sums of a synthesis bank. Set by hand.
namespace synthesis {
constexpr double COST_SUMS = 1.2;
} // namespace synthesis

// Set by hand.
namespace ladder {
constexpr double PASS_COST = 1.2; // a copy, and stores in strides of the radix
} // namespace ladder

// A CPU's filters by FFTW, in points times log2 L. Set by hand but for the last three.
namespace cpu_filter {
constexpr double STEPS = 4;           // copies and product, in units of log2 L
constexpr double OVERHEAD = 400;      // of a part, in points and units of log2 L
constexpr double IN_CACHE = 1 << 11;  // points, of a core's nearest cache
constexpr double BEYOND_CACHE = 0.15; // of its time more for each doubling
// FFTW's planner measures transforms up to MEASURED points; longer ones take ESTIMATED
// times as long (AMD EPYC, 2 cores).
constexpr double MEASURED = 1 << 18;
constexpr double ESTIMATED = 2.5;    // beyond that
constexpr double OTHER_PRIMES = 1.1; // FFTW's best code is for powers of two
} // namespace cpu_filter

// A CPU's banks of filters, in the same units. Set by hand.
namespace cpu_channels {
constexpr double PRODUCT = 3;         // of a point with a response, in units of log2 L
constexpr double STORE = 4;           // of a point of an inverse
constexpr double IN_CACHE = 1 << 15;  // points, 256 KiB
constexpr double BEYOND_CACHE = 0.25; // of the time more for each doubling
} // namespace cpu_channels

} // namespace fitted
} // namespace gpufft
} // namespace gr

#endif
