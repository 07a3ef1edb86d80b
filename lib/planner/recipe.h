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
#include <variant>
#include <vector>

namespace gr {
namespace gpufft {

// Padding of one exchange through shared memory: element i of a vector lives at
// i + (i / every) * by. every == 0 is no padding.
struct padding {
    int every = 0;
    int by = 0;
};

// How a block transforms vectors in shared memory: the sizes that all kernels have.
struct block_shape {
    int n = 1;                // points of a vector
    std::vector<int> radices; // one for each pass or axis; their product is n
    int threads = 1;          // threads that share one vector
    int transforms = 1;       // vectors in one block
    int blocks = 0;           // blocks that fit a multiprocessor's registers; 0: no bound
    bool is_double = false;

    int point_bytes() const { return is_double ? 16 : 8; }
    int block_threads() const { return threads * transforms; }
};

// Everything that fixes one instance of a Stockham kernel. With several columns all
// threads of a block share a tile, and `transforms` is 1.
struct stockham_shape : block_shape {
    int columns = 1;           // transforms of a tile, side by side in memory
    std::vector<int> lengths;  // "tensor": lengths of a tile's axes, slowest first
    std::vector<int> along;    // "tensor": the axis of each pass
    bool load_by_rows = false; // the tile's columns are contiguous where it is read
    bool staged_load = false;  // read the block's vectors linearly, then reorder
    bool staged_store = false; // reorder, then write the block's vectors linearly
    bool pipelined = false;    // exchanges by halves, see kernels/stockham/pipelined.cuh
    bool tiled = false; // the block's vectors move as one tile, see frame_tiles.cuh
    // The copy engine moves the tile, or reads the next vector (pipelined).
    bool copied_by_card = false;
    bool mirrored = false;         // "real": see kernels/real/real_mirrored.cuh
    bool sums_powers = false;      // a thread also holds the sums of its results' powers
    std::vector<padding> paddings; // padding of each exchange, from pass p to p + 1
    padding load_padding;          // padding of the staged load
    padding store_padding;         // padding of the staged store
    // Elements of shared memory from one transform to the next: complex numbers, or
    // real ones if `pipelined`.
    int stride = 0;
    double conflicts = 1; // conflict_ratio(), set with the paddings

    stockham_shape() = default;
    explicit stockham_shape(const block_shape& shape) : block_shape(shape) {}

    // The axis of a pass: `length` points that lie `inner` elements of the tile apart.
    // `span` is the product of the radices of its earlier passes.
    struct pass_axis {
        int length, inner, span;
    };
    pass_axis axis_of(std::size_t pass) const;

    int elements() const { return n * columns; }
    // Lanes that one cycle of shared memory serves.
    int lanes_together() const { return 128 / point_bytes(); }
    // Points from one vector of a tile to the next, see kernels/tile_layout.cuh.
    int tile_distance() const
    {
        const bool is_spaced =
            !copied_by_card && transforms > 1 && n * point_bytes() % 32 == 0;
        return n + (is_spaced ? 16 / point_bytes() : 0);
    }
    int points() const;  // complex values that a thread holds at once
    int results() const; // bins that a thread ends with
    int samples() const; // samples that a thread starts with
    std::size_t shared_bytes() const;
};

struct recipe;

// The fields of recipes in single blocks. A polyphase bank may have clusters of
// `cluster` blocks that share samples.
struct block_fields {
    int cluster = 1;
};

// The fields of transforms over a thread block cluster: see
// kernels/cluster/cluster.cuh.
struct cluster_fields {
    int cluster = 1;         // blocks
    bool two_areas = false;  // points arrive in an area of their own
    bool prefetched = false; // reads the next vector while it computes
    bool by_messages = true; // exchanges by messages; else by stores
    bool persistent = false; // transforms frame after frame
};

// The fields of convolutions, in a block or through memory. The last shape of a recipe
// is a convolution's (make_convolution()); the shapes before it are column levels.
struct convolution_fields {
    int cluster = 1;         // see block_fields
    bool prefetched = false; // a block reads its next vectors while it computes
    int frames_at_once = 0;  // frames in one launch through memory; 0: no limit
};

// The fields of recipes made of others: see row_column.h.
struct parts_fields {
    std::vector<recipe> parts;
    int frames_at_once = 0; // frames in one launch; 0: no limit
};

// The fields of a real transform: the recipe of its complex transform, alone in a list.
struct real_fields {
    std::vector<recipe> inside;
};

typedef std::
    variant<block_fields, cluster_fields, convolution_fields, parts_fields, real_fields>
        recipe_fields;

struct recipe {
    std::string algorithm = "";              // one of algorithm_names(), or "fftw"
    std::size_t n = 1;                       // length; "real": the length of inside()
    std::vector<stockham_shape> shapes = {}; // in the order in which they run
    recipe_fields fields = {};               // fields of the algorithm's family
    std::vector<std::size_t> lengths = {};   // lengths of the axes, if there are several

    // The algorithm of a "row-column" part that transposes frames of lengths[0] x
    // lengths[1] items. With one row the part only copies the frame, to apply the
    // window to first lines that need no transposition.
    static constexpr const char* TRANSPOSITION = "transpose";

    // The fields of one family; the defaults if the recipe belongs to another.
    template <class Fields>
    const Fields& of() const
    {
        static const Fields defaults{};
        return std::holds_alternative<Fields>(fields) ? std::get<Fields>(fields)
                                                      : defaults;
    }
    template <class Fields>
    Fields& set() // makes the recipe one of this family
    {
        return std::holds_alternative<Fields>(fields) ? std::get<Fields>(fields)
                                                      : fields.emplace<Fields>();
    }

    // Fields that several families have.
    int cluster() const // blocks of a thread block cluster
    {
        return of<block_fields>().cluster * of<cluster_fields>().cluster *
               of<convolution_fields>().cluster;
    }
    bool prefetched() const
    {
        return of<cluster_fields>().prefetched || of<convolution_fields>().prefetched;
    }
    int frames_at_once() const
    {
        return of<convolution_fields>().frames_at_once +
               of<parts_fields>().frames_at_once;
    }
    bool is_real() const { return !of<real_fields>().inside.empty(); }
    const recipe& inside() const { return of<real_fields>().inside.front(); }
    // The recipe that has the shapes: inside(), or this one.
    const recipe& core() const { return is_real() ? inside() : *this; }
    const stockham_shape& shape() const { return core().shapes.front(); }
    bool is_double() const;
    bool is_transposition() const { return algorithm == TRANSPOSITION; }

    // e.g. "stockham(4096: 16·16·16)", "hierarchical(1048576: 1024 = 32·32, 1024 =
    // 32·32)"
    std::string to_string() const;

    // The exact text, for wisdom: ALGORITHM N CLUSTER WAYS FRAMES_AT_ONCE [LENGTHS]
    // SHAPE..., with SHAPE = NxCOLUMNS:RADICES/THREADS/TRANSFORMS/BLOCKS/FLAGS (the bits
    // of WAYS and FLAGS: recipe_text.cc), e.g. "stockham 1024 1 0 0 1024x1:4.16.16/...".
    // from_text() throws std::invalid_argument for any other text.
    std::string to_text() const;
    static recipe from_text(const std::string& text);
};

// "stockham(4096: 16·16·16)"; `before_last` is written before the last shape.
std::string text_of_levels(const recipe& how, const std::string& before_last = "");

// The recipes with the lowest costs, lowest first, at most `limit`; equal costs keep
// their order.
std::vector<recipe> best_recipes(std::vector<std::pair<double, recipe>> found,
                                 std::size_t limit = -1);

// Sorts pairs of cost and choice by rising cost, and drops all but the first `limit`.
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
