// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every constant of the estimates, by family of algorithms. The comments say what a
// constant was fitted to, or that it was set by hand. A cost is a time relative to a copy
// of the data, unless a comment says otherwise. After measuring another card, compare
// these numbers first; the facts of a card are in card.h.
//
// What is said to be fitted on an H200 was fitted once more, all at once and from there,
// to 262 problems on an H100, most of them drawn at random, with up to 24 measured
// recipes each; then the constants of tiles, of real rows at their ends and of
// convolutions to 436 problems. The recipe with the lowest estimate takes 1.04 of the
// fastest one's time on average, as it did in 97 problems before the fit had seen them.
// The fit also keeps the estimates near the times, because algorithms are compared with
// each other. Not so small calls.
//
// Those of real rows in a block were fitted again to 4700 recipes of 110 problems on an
// H200 and an H100 (gpufft tune --candidates 28), with the same numbers for both cards,
// see relative_time_of_instructions(). There the recipe with the lowest estimate takes
// 1.026 of the fastest one's time on average, and 1.03 in 46 problems that a fit to the
// others had not seen; 1.064 before. In 114 problems with teams of 3, 5, 6 or 7 threads
// among their recipes it takes 1.053, on an H200.

#ifndef INCLUDED_GPUFFT_COST_CONSTANTS_H
#define INCLUDED_GPUFFT_COST_CONSTANTS_H

#include <cstddef>

namespace gr {
namespace gpufft {
namespace fitted {

// Shared memory of a multiprocessor that estimates keep in reserve for padding.
constexpr std::size_t SPARE_SHARED_BYTES = 1024;

// Of grids that leave the L1 cache no room: by Rader 3260 points take 1.42 on an H100,
// 1.22 with a block less; in place 13230 take 1.20 with two blocks, 1.14 with one.
constexpr double COST_NO_CACHE = 0.1;

// What a block does besides its share of the copy.
struct work_costs {
    double operation;       // one multiplication or addition for each point
    double twiddle;         // one twiddle for each point
    double odd_span;        // a pass whose span is not a power of two
    double exchange;        // every point through shared memory, one way
    double sector;          // all sectors touched twice
    double row;             // divided by the lanes that read side by side
    double barrier;         // divided by the blocks on a multiprocessor
    double barrier_in_warp; // the same of a team within a warp
    double threads;         // divided by its threads; for points of 8 bytes
    double tile_thread;     // a thread's share in moving a tile
    // A thread reads a whole row, which its cache keeps: DCT-I of 8, 16 and 24 numbers
    // take 1.00, 1.19 and 1.13 on an H100, in tiles 1.08, 1.41 and 1.20.
    double whole_row;
    double overlap; // exponent of the norm that joins memory and the rest
};

// Fitted to the times of 451 kernels of 28 lengths on an H200. On average over these
// lengths, the shape with the lowest estimate reaches 0.97 of the fastest one's speed.
namespace stockham {
constexpr int REGISTERS_BESIDE_POINTS = 24;
// 4.15 and 15.8 points spill with 56 registers in tiles, not with 64.
constexpr int REGISTERS_OF_RADIX_15 = 8;
constexpr work_costs COSTS = { 0.0053, 0.048, 0.019, 0.015, 0.69, 3.6,
                               0.25,   0.25,  160,   0.446, 0.4,  3 };
constexpr double LATENCY_PIPELINED = 0.5; // share of latency left in pipelined kernels
constexpr double COST_PIPELINED = 0.07;   // from nine lengths on an H100
// Set by hand.
constexpr double COST_TILES = 0.0134; // moved by threads
// ... and that are a whole block's, for each block of a multiprocessor that is missing to
// hide the moves
constexpr double COST_LONG_TILES = 0.047;
constexpr int BLOCKS_FOR_LONG_TILES = 6;
// ... by so few blocks on a multiprocessor that moves and butterflies wait for each
// other: 29, 31, 58 and 87 points of double precision take 1.10, 1.06, 1.15 and 1.37 on
// an H100, and 1.03 ... 1.06 if the copy engine moves the same tiles
constexpr double COST_FEW_BLOCKS = 0.1;
constexpr int BLOCKS_FOR_TILES = 3;
// ... and whose larger prime comes last, in double precision: 7.13, 3.23 and 7.11 points
// take 1.15, 1.15 and 1.05, 13.7, 23.3 and 11.7 points 1.01
constexpr double COST_PRIME_LAST = 0.02;
constexpr int LEAST_PRIME = 11;
// Moved by the copy engine: an H100 takes 4 % longer if all tiles begin on sectors. 25 to
// 75 points take 1.04 ... 1.06 on an H200 so, 1.02 and less if threads move them.
constexpr double COST_TILES_BY_CARD = -0.065, COST_TILES_ON_SECTORS = 0.09;
constexpr double LEAST_BY_CARD = 1.06;
// Bytes that are read and written while the card starts a block: on an H200 2 points take
// 1.26 in blocks of 4096 bytes, on an H100 real rows of 10 and 8 numbers 1.28 and 1.77 in
// blocks of 2816 and 2048. Set to an H200's.
constexpr double BYTES_OF_START = 5000;
// Vectors of few points that threads read and reorder: 15 and 50 points reach 0.66 and
// 0.55 of the copy rate on an H200, 0.97 in tiles.
constexpr double COST_STAGED = 0.4;
constexpr double COST_BANK_PASS = 0.1; // per pass; a bank's reads hide no exchanges
} // namespace stockham

// Microseconds, fitted to the times of 193 recipes in 15 small calls on an H200, most of
// them in tests/small_call_times.h: the mean error is 10 %, and the recipe with the
// lowest estimate is at most 7 % slower than the fastest. The times do not determine
// TIME_BLOCK and TIME_PASS, which are set by hand.
namespace small_calls {
constexpr std::size_t FULL_POINTS = std::size_t(1) << 22; // enough for any current card
constexpr std::size_t FULL_POINTS_OF_SHORT = std::size_t(1) << 20;
constexpr std::size_t SHORT = 1024;     // points: such vectors have many blocks
constexpr double COPIED_POINTS = 2.6e5; // points that an H200 copies in a microsecond
constexpr int REGISTERS_BESIDE_POINTS = 28;
constexpr double TIME_LAUNCH = 2.4;
constexpr double TIME_BLOCK = 0.03; // for each block of a multiprocessor
constexpr double TIME_PASS = 0.08;
constexpr double TIME_PARTIAL_PASS = 0.064;
constexpr double PASSES_OF_TILE = 4;       // passes that take as long as a tile's moves
constexpr double TIME_THREADS = 0.43e-3;   // for each thread of a block
constexpr double TIME_OPERATION = 0.74e-3; // for each operation of a thread
constexpr double TIME_SPILLED = 0.31;      // for each point
constexpr double TIME_SEGMENT = 0.0117;    // for each point that a thread reads first
constexpr double TIME_GATHERED = 0.035;    // in addition, for each such point
constexpr double TIME_EXCHANGED = 0.07e-3; // for each point of a multiprocessor
// For each sector of a multiprocessor that is stored in parts. With TIME_EXCHANGED from
// 363 recipes of 17 more small calls on an H100: 4.4 us for 77 points as 11.7 x 8800
// calls, 5.0 as 7.11, 3.7 and 4.5 us for 297 points as 9.3.11 and 11.27.
constexpr double TIME_STORED_APART = 0.44e-3;
constexpr double TIME_CLUSTER = 0.044;   // for each block of a cluster
constexpr double TIME_REMOTE = 0.245e-3; // for each point of a cluster's block
// Share of a full call's memory cost in a small one, whose data the L2 cache holds. It
// rises to 1 as the call fills the card.
constexpr double MOVES_SHARE = 0.354;
} // namespace small_calls

// Measured on an H200. Memory accesses hide half of the time that the single-pass model
// gives a tile. Tiles of few columns waste memory bandwidth, reads more than writes.
namespace levels {
constexpr double TILE_SHARE = 0.42;
constexpr double COST_SECTORS_READ = 0.45, COST_SECTORS_WRITTEN = 0.2;
constexpr double COST_HALF_LINES_READ = 0.093, COST_HALF_LINES_WRITTEN = 0.05;
constexpr double COST_LINES_READ = 0.03, COST_LINES_WRITTEN = 0.02;
// Rows of columns that do not begin on sectors, times the share of sectors that they
// touch in part: read and written, or only written.
constexpr double COST_OFF_SECTORS = 1.9, COST_WRITTEN_OFF_SECTORS = 2.6;
// Tiles of columns and their partners, by what lies side by side: two lines, a line, half
// of one, a sector; then if two blocks store parts of the same sectors.
constexpr double MIRRORED_LINE_PAIRS = 0.05, MIRRORED_LINES = 0.1,
                 MIRRORED_HALF_LINES = 0.2;
constexpr double MIRRORED_SECTORS_OF_ROWS = 1, MIRRORED_SECTORS_OF_COLUMNS = 0.6;
constexpr double MIRRORED_IN_PARTS = 0.3; // times the next two for fewer bytes
constexpr double MIRRORED_PARTS_OF_LINES = 1.3, MIRRORED_PARTS_OF_SECTORS = 2;
// Threads of these tiles do two butterflies at once.
constexpr double COST_IDLE = 0.1, COST_SPILLS = 2;
constexpr int LEAST_BESIDE_POINTS = 32; // registers; with fewer a thread spills
constexpr int REGISTERS_BESIDE_POINTS = 56;
} // namespace levels

// From clusters that only move their points, on an H200: 4, 8 and 16 blocks of 4096
// points cost 1.18, 1.22 and 1.35, 16 blocks of 8192 and 16384 points 1.69 and 2.13.
namespace cluster {
constexpr double COST_MOVES = 0.9;
constexpr double COST_BLOCK = 0.0125; // for each block of a cluster
constexpr double COST_ALONE = 0.95;   // divided by the blocks on a multiprocessor
constexpr double COST_SEGMENT = 0.4;  // divided by points side by side in memory
constexpr double COST_ODD = 1.7;      // lengths with factors other than 2
constexpr double COST_ISSUE = 0.2;    // the schedulers have no free slot
constexpr double SLOTS = 112; // a multiprocessor's, in the time of copying one point
constexpr double LEAST_COST = 1.1;
constexpr int REGISTERS_BESIDE_POINTS = 32; // fewer make the compiler spill
constexpr int REGISTERS_FOR_DOUBLE = 16;    // with double precision
constexpr int REGISTERS_FOR_LONG = 16;      // with more than 16 points in a thread
constexpr int REGISTERS_FOR_ODD = 8;        // with odd radices
} // namespace cluster

// The sectors of global memory that a step of the tensor algorithm touches. The cost of
// writing was fitted to the Stockham kernel, that of reading was set by hand.
namespace tensor {
constexpr double STORE_SECTORS = 0.928; // cost of all sectors written twice
constexpr double LOAD_SECTORS = 0.3; // cost of all sectors read twice: the L1 cache helps
} // namespace tensor

// Fitted to 256x256, 512x256, 512x512, 32x32x32 and 64x32x32 points in clusters of 2 to
// 16 blocks on an H200.
namespace tensor_cluster {
constexpr double COST_FRAME = 0.92;
constexpr double COST_PASS = 0.12;
constexpr double COST_RUN = 1.0; // divided by the columns of a block, sent side by side
constexpr double COST_DOUBLING = 0.05; // for each doubling of the blocks
constexpr double COST_LARGEST = 0.25;  // 16 blocks: not every cluster fits the card
constexpr double COST_ALONE = 0.3;     // a block on its multiprocessor, with four passes
constexpr double COST_LONG = 0.2;      // more than LONG points
constexpr double COST_SHORT = 0.35;    // fewer than 32 points in a thread
constexpr double COST_RADIX_2 = 0.4; // a last pass of radix 2: its many butterflies spill
constexpr double COST_OTHER_WAY = 0.1; // other exchanges than stores through one area
constexpr std::size_t LONG = std::size_t(1) << 16;
// Registers that a thread needs besides its points so as not to spill.
constexpr int REGISTERS_BESIDE_POINTS = 96;
constexpr int REGISTERS_BESIDE_OTHERS = 128; // with window, shift, conversion
constexpr int REGISTERS_BESIDE_STORES = 64;  // stores need fewer addresses than messages
} // namespace tensor_cluster

// Axes by lines and transpositions; copies of strided frames and rows. Set by hand.
namespace axes {
constexpr double COST_TRANSPOSE = 1.1;
constexpr double LEAST_COST = 4; // two axes, where the tensor algorithm takes two steps
constexpr double COST_COPY = 1.0;
constexpr double COST_APART = 1.0; // for items that are read without their neighbours
} // namespace axes

// In the time in which memory copies one sample, a multiprocessor of an H200 issues
// INSTRUCTIONS_PER_SAMPLE instructions, and its shared memory moves ELEMENTS_PER_SAMPLE
// elements of 8 bytes. Barriers, teams and spills were fitted to 2172 further recipes on
// an H200; COST_HELD, COST_NO_CACHE, REGISTERS_OF_ROUND to them and to 1350 on an H100.
namespace convolution {
constexpr double INSTRUCTIONS_PER_SAMPLE = 120;
constexpr double ELEMENTS_PER_SAMPLE = 25.2;
constexpr double COST_THREADS = 67;   // divided by the threads on a multiprocessor
constexpr double COST_BARRIER = 0.16; // divided by the blocks on a multiprocessor
constexpr double COST_TEAM = 0.18;    // teams that split warps
constexpr double COST_HELD = 0.04;    // each further butterfly that a thread holds
// A round of axis 0 that waits for its samples, divided by the samples on a
// multiprocessor.
constexpr double COST_ROUND = 600;
// For the square of the share of registers that are missing: 61 points spill 3 KB in 128.
constexpr double COST_SPILLS = 1.2;
constexpr int REGISTERS_WITH_PLACES = 16; // where a thread holds places: the compiler's
// If the next tile is read ahead: the share of waits that is left, and the time of more
// blocks on a multiprocessor, which hide each other's waits without it.
constexpr double WAITS_AHEAD = 0.636, AHEAD_OF_MANY = 1.285;
constexpr int BLOCKS_AHEAD = 2;
constexpr double OVERLAP = 3.7; // exponent of the norm of memory, issue and shared memory
constexpr int REGISTERS_BESIDE_POINTS = 40;
constexpr int REGISTERS_BESIDE_PLACES = 24; // in threads that also hold points' places
constexpr int REGISTERS_OF_NEXT_TILE = 12;
// Of each further butterfly that a thread holds: 162 points as 6.27 spill 236 bytes with
// 80 registers and 7 threads, 68 with 14, 16 with 27.
constexpr int REGISTERS_OF_ROUND = 12;
// Moving the convolution's points once, one way, relative to a copy of as many samples.
constexpr double COST_STREAM = 0.22;
// Moving samples or bins one by one, in sectors of 32 bytes. Set by hand, as are
// COST_STREAM and LEAST_COST_OF_MIXED.
constexpr double COST_SCATTER = 1.1;
// Reading and writing every point in the order of a root's powers: 90289 and 279553
// points take 8.5 and 9.1 times as long as a copy on an H100, without it they would
// take 4.
constexpr double COST_ORDER = 5.3;
constexpr double LEAST_COST_OF_MIXED = 2.2;
} // namespace convolution

// A block's memory accesses hide some of its passes; with
// several blocks on a multiprocessor others hide more.
namespace in_place {
constexpr double COST_MOVES = 0.85;
constexpr double COST_AXIS = 0.24; // a pass without idle threads
constexpr double HIDDEN_AXES = 3.2;
constexpr double COST_THREADS = 96; // divided by threads; for points of 8 bytes
constexpr double COST_ALONE = 0.05; // set by hand: no other block hides its barriers
// Of a block alone: for the share of its first pass' slots that is idle, and for each
// further round of it. Fitted to 138 orders of axes of 20 lengths on an H100
// (bench_recipes): 16000 points take 1.02 as 25.32.20, 1.17 as 20.25.32 with 640 threads.
constexpr double COST_FIRST_IDLE = 0.18, COST_FIRST_ROUND = 0.01;
constexpr int REGISTERS_BESIDE_POINTS = 36, MOST_ROUNDS = 6;
// On an H100, 8820, 9450 and 9216 points take 1.03, 1.04 and 1.01 with two blocks, but
// 1.15, 1.15 and 1.03 with three, which leave the L1 cache no room and threads fewer
// registers.
constexpr int MOST_BLOCKS = 2;
constexpr std::size_t LONGEST_OF_STOCKHAM = 64 * 1024; // bytes; it is faster up to this
} // namespace in_place

namespace real {
constexpr work_costs COSTS = {
    0.001, 0.17, 0, 0.037, 0.17, 0, 0.4, 0, 260, 0.6, 0.9, 3.8
};
constexpr double COST_IDLE = 0.14; // if half of the threads are idle at one end
// Threads that make or store pairs, divided by the row's points: of type I, where 36
// numbers take 1.26 with two threads and 1.40 with four on an H100, and of type IV (not
// in mirrored kernels).
constexpr double COST_THREADS_OF_I = 2.5, COST_THREADS_OF_IV = 0.3;
// Of rows that move as tiles, divided by the blocks on a multiprocessor.
constexpr double COST_TILE_PHASES = 0.8;
// ... for each further cycle of shared memory in which lanes store: DCT-I of 8 and 16
// numbers, whose stores take 8 and 16 cycles, take 1.08 and 1.18 of the time without
// tiles on an H100.
constexpr double COST_TILE_STORES = 0.012;
// ... and whose teams are longer than a warp, in single precision: DCT-II of 1870 and
// 2002 numbers take 1.26 and 1.22 times as long as a copy on an H100
// (bench_recipes), 1.11 and 1.09 without tiles.
constexpr double COST_TILE_TEAM = 0.09;
// Of mirrored kernels, but not of a single pass whose rows a block moves together:
// DCT-III of 12, 20 and 36 numbers take 1.00, 1.00 and 1.01 on an H100, 1.08, 1.05
// and 1.17 in tiles.
constexpr double COST_ROWS_OFF_SECTORS = 0.25;
// Threads that store numbers which are no neighbours: of transforms of type III, and of
// two rows of odd length.
constexpr double COST_STORED_APART = 1.35, COST_ROWS_STORED = 0.38;
constexpr double COST_LOADED_ALONE = 0.03; // threads load points without their partners
// All points go through shared memory before the first pass: DCT-II of 2244 and 3740
// numbers take 1.20 and 1.16 with an even radix first, 1.41 and 1.51 with an odd one,
// DCT-IV of 2244 1.28 and 1.88 (as above).
constexpr double COST_PAIRS_APART = 0.43;
constexpr double COST_TEAM = 0.06;  // teams that split warps
constexpr double COST_AROUND = 1.0; // each kernel before or after the transform inside
constexpr double COST_APART = 0.22; // rows that threads make of bins far apart
// Of convolutions, fitted to 110 problems on an H200 and an H100. In one block: divided
// by the threads on a multiprocessor, and what each doubling of a block's frames saves.
// In several kernels: two rows of odd length, and type III, are stored by themselves.
constexpr double COST_THREADS_OF_CONVOLUTION = 300, SAVED_BY_FRAMES = 0.08;
constexpr double COST_STORED_BY_LEVELS = 3;
constexpr int REGISTERS_BESIDE_POINTS = 28; // in threads that also hold their results
// What real rows at its ends add to a cluster's cost, measured on an H200: rows are made
// and stored pair by pair, and in cosine transforms the four numbers of a pair lie apart.
constexpr double CLUSTER_BOTH = 0.4, CLUSTER_APART = 0.35, CLUSTER_APART_AT_BOTH = 1.3,
                 CLUSTER_LARGEST = 0.25, CLUSTER_FEW_THREADS = 0.4,
                 CLUSTER_MESSAGES_OF_MANY = 0.05, CLUSTER_OF_LONG = 0.4;
constexpr std::size_t LONG = std::size_t(1) << 16;    // points
constexpr int MANY_POINTS = 17, FEWEST_THREADS = 256; // limits of CLUSTER_FEW_THREADS
constexpr int CLUSTER_BESIDE_POINTS = 48, CLUSTER_BESIDE_OTHERS = 96; // registers
// Registers of a mirrored kernel's thread, for each point and besides the points: as
// many as the compiler would choose itself, and the fewest without spills.
constexpr int MIRRORED_OF_POINT = 4, MIRRORED_BESIDE_POINTS = 28;
constexpr int MIRRORED_LEAST_OF_POINT = 3, MIRRORED_LEAST_BESIDE_POINTS = 16;
constexpr int MIRRORED_MOST_REGISTERS = 128; // in single precision
} // namespace real

// Set by hand.
namespace real_tensor {
// Bins that go through shared memory before they are stored, or that two threads read.
constexpr double COST_BINS = 0.04;
} // namespace real_tensor

// Costs of each sample that a block reads for a point, mostly from the L2 cache; of each
// further block of a cluster; and of each further LEAST_THREADS threads of a block, which
// read and compute in turns. Fitted to 120 kernels of n = 128 ... 4096 with 16 taps an
// arm on an H200 (bench_recipes).
namespace polyphase {
constexpr double COST_READ = 0.11;
constexpr double COST_BLOCK = 0.03;
constexpr double COST_THREADS = 0.2;
constexpr double LEAST_THREADS = 128;
// Registers of a thread that holds the sums and weights of 16 frames without spills,
// and registers besides the points that it holds later. On an H200 the resulting bound
// is the fastest for 79, 128, 839, 1024 and 4096 channels (bench_recipes).
constexpr int REGISTERS_OF_SUMS = 80, REGISTERS_BESIDE_POINTS = 32;
} // namespace polyphase

namespace filter {
// Measured by bench_recipes on an H200 with 1001 taps: parts of 4096 points take 0.86 ms
// with five blocks on a multiprocessor, 0.96 ms with six, which leave less cache.
constexpr double COST_OF_TABLES = 0.3;
// Fitted to 40 recipes with decimations 2, 3, 5 and 10 on an H200 (bench_recipes). With
// 501 taps and decimation 10, parts of 5120 points (16.16.20) take 0.52 ms, and parts
// of 2560 points (16.16.10) take 0.72 ms.
constexpr double COST_OF_ROUNDS = 300;
constexpr double COST_OF_REGISTERS = 0.01; // for each register that a thread lacks
constexpr int REGISTERS_BESIDE_POINTS = 56;
// Reads or writes of the data that an infinite fold would save. Set by hand.
constexpr double SAVED_STREAMS = 3 * 0.5;
} // namespace filter

// A point and its product with a response, in bytes that take as long. Set by hand.
namespace channels {
constexpr double POINT = 8, PRODUCT = 1.5;
constexpr double SECTOR = 4;       // points
constexpr double LEAST_COST = 0.5; // every sample is read, and little is written
} // namespace channels

// The weighted sums of a synthesis bank. Set by hand.
namespace synthesis {
constexpr double COST_SUMS = 1.2;
} // namespace synthesis

// Set by hand.
namespace ladder {
constexpr double PASS_COST = 1.2; // a copy whose stores lie a stride apart
// A pass whose threads each read whole vectors: the share of sectors that the L1 cache
// does not keep, and the accesses that it takes one after the other, in those of shared
// memory. An H100 takes 21 us for 60625 vectors of 16 points, 14 us for 121250 of 8.
constexpr double COST_APART = 1.5;
constexpr double ACCESSES_APART = 32;
} // namespace ladder

// A CPU's filters by FFTW, in points times log2 L. Only the last three were measured.
namespace cpu_filter {
constexpr double STEPS = 4;           // copies and product, in units of log2 L
constexpr double OVERHEAD = 400;      // of each transform, in points times log2 L
constexpr double IN_CACHE = 1 << 11;  // points that a core's nearest cache holds
constexpr double BEYOND_CACHE = 0.15; // share of time added by each doubling beyond it
// FFTW's planner measures transforms up to MEASURED points; longer ones take ESTIMATED
// times as long (AMD EPYC, 2 cores).
constexpr double MEASURED = 1 << 18;
constexpr double ESTIMATED = 2.5;    // factor of time beyond MEASURED
constexpr double OTHER_PRIMES = 1.1; // factor of time if no power of two
} // namespace cpu_filter

// A CPU's banks of filters, in points times log2 L, too. Set by hand.
namespace cpu_channels {
constexpr double PRODUCT = 3;         // a point times a response, in units of log2 L
constexpr double STORE = 4;           // storing a point of an inverse
constexpr double IN_CACHE = 1 << 15;  // points, 256 KiB
constexpr double BEYOND_CACHE = 0.25; // share of time added by each doubling beyond it
} // namespace cpu_channels

} // namespace fitted
} // namespace gpufft
} // namespace gr

#endif
