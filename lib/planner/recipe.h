// SPDX-License-Identifier: GPL-3.0-or-later
//
// A recipe says how a problem is solved: a printable tree of algorithm choices, plain
// data. The planner designs it, the engines build it.

#ifndef INCLUDED_GPUFFT_RECIPE_H
#define INCLUDED_GPUFFT_RECIPE_H

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gr {
namespace gpufft {

// Padding of one exchange through shared memory: element i of a vector lives at
// i + (i / every) * by. every == 0 is no padding.
struct padding {
    int every = 0;
    int by = 0;
};

// Everything that fixes one instance of the single-pass Stockham kernel.
struct stockham_shape {
    int n = 1;
    int columns = 1; // transforms of a tile, side by side in memory; > 1: transforms is 1
    std::vector<int> radices; // one for each pass; their product is n
    std::vector<int> lengths; // "tensor": lengths of a tile's axes, slowest first
    std::vector<int> along;   // "tensor": the axis of each pass
    int threads = 1;          // threads that share one transform, or the tile
    int transforms = 1;       // transforms in one block
    int blocks = 0;           // blocks that fit a multiprocessor's registers; 0: no bound
    bool load_by_rows = false; // the tile's columns are contiguous where it is read
    bool staged_load = false;  // read the block's vectors linearly, then reorder
    bool staged_store = false; // reorder, then write the block's vectors linearly
    bool pipelined = false;    // exchanges by halves, see kernels/stockham/pipelined.cuh
    // The copy engine brings whole vectors to shared memory: one frame (pipelined) or all
    // vectors of the block.
    bool copied_by_card = false;
    bool mirrored = false;         // of "real": see kernels/real/real_mirrored.cuh
    bool is_double = false;        // double precision
    bool sums_powers = false;      // a thread also holds the power sums of its results
    std::vector<padding> paddings; // of exchange p, from pass p to p + 1
    padding load_padding;          // of the staged load
    padding store_padding;         // of the staged store
    // Elements of shared memory from one transform to the next: complex, or real if it is
    // pipelined.
    int stride = 0;
    double conflicts = 1; // conflict_ratio(), set with the paddings

    // The axis of a pass: `length` points, `inner` elements of the tile apart. `span` is
    // the product of the radices of its earlier passes.
    struct pass_axis {
        int length, inner, span;
    };
    pass_axis axis_of(std::size_t pass) const;

    int elements() const { return n * columns; }
    int point_bytes() const { return is_double ? 16 : 8; }
    // Lanes that one cycle of shared memory serves.
    int lanes_together() const { return 128 / point_bytes(); }
    int block_threads() const { return threads * transforms; }
    int points() const;  // complex values that a thread holds at once
    int results() const; // bins that a thread ends with
    int samples() const; // samples that a thread starts with
    std::size_t shared_bytes() const;
};

struct recipe {
    std::string algorithm;              // one of algorithm_names(), or "fftw"
    std::string inside;                 // "real": the algorithm of its complex transform
    std::size_t n = 1;                  // length; "real": that of its complex transform
    std::vector<std::size_t> lengths;   // of the axes, if there are several
    std::vector<stockham_shape> shapes; // in the order in which they run
    std::vector<recipe> parts;          // "row-column": see row_column.h
    int cluster = 1;                    // blocks of a thread block cluster
    bool two_areas = false;  // cluster kernels: see kernels/cluster/cluster.cuh
    bool prefetched = false; // ... reads the next vector while it computes
    bool by_messages = true; // ... exchanges by messages; else by stores
    bool persistent = false; // ... a cluster takes frame after frame
    // Convolutions through memory and "row-column": frames in one launch; 0: no limit.
    int frames_at_once = 0;

    // The algorithm of a "row-column" part that transposes frames of lengths[0] x
    // lengths[1] items. With one row it only copies them; that applies the window if the
    // first lines need no transposition.
    static constexpr const char* TRANSPOSITION = "transpose";

    const stockham_shape& shape() const { return shapes.front(); }
    bool is_double() const;
    bool is_transposition() const { return algorithm == TRANSPOSITION; }

    // e.g. "stockham(4096: 16·16·16)", "hierarchical(1048576: 1024 = 32·32, 1024 =
    // 32·32)"
    std::string to_string() const;

    // Exact, for wisdom: "hierarchical 1048576 1024x8:32.32/256/1/2/0 ...". from_text()
    // throws std::invalid_argument for any other text.
    std::string to_text() const;
    static recipe from_text(const std::string& text);
};

// "stockham(4096: 16·16·16)"; `before_last` is written before the last shape.
std::string text_of_levels(const recipe& how, const std::string& before_last = "");

// The recipes with the lowest costs, lowest first, at most `limit`; equal costs keep
// their order.
std::vector<recipe> best_recipes(std::vector<std::pair<double, recipe>> found,
                                 std::size_t limit = -1);

// Sorts pairs of cost and choice in the same way, and drops all but the first `limit`.
template <class Choice>
void keep_best(std::vector<std::pair<double, Choice>>& found, std::size_t limit)
{
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    if (found.size() > limit)
        found.resize(limit);
}

} // namespace gpufft
} // namespace gr

#endif
