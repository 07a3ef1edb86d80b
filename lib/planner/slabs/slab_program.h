// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a frame that lies in host memory, because it is larger than a card, or in parts on
// several cards is transformed: in sweeps, each of which sends all points through the
// cards once, one slab after the other. Plain data.

#ifndef INCLUDED_GPUFFT_SLAB_PROGRAM_H
#define INCLUDED_GPUFFT_SLAB_PROGRAM_H

#include "slab_layout.h"
#include <cstddef>
#include <gnuradio/gpufft/problem.h>
#include <optional>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

// The caller's frame and row, in host memory or in parts on cards; host scratch that some
// programs need; and what the cards keep between two sweeps.
enum class slab_memory { input, output, scratch, cards };
constexpr int HOST_MEMORIES = 3;

// `rows` pieces of memory that lie `pitch` bytes apart there and `card_pitch` in the
// slab's buffer.
struct slab_copy {
    slab_memory at = slab_memory::input;
    std::size_t offset = 0, pitch = 0;
    std::size_t card_offset = 0, card_pitch = 0;
    std::size_t row_bytes = 0, rows = 1;
    int card = 0; // whose memory it is, if it is on a card; `offset` counts there

    std::size_t bytes() const { return row_bytes * rows; }
};

// See kernels/slabs/slabs.cuh.
struct slab_twiddles {
    std::size_t rows = 0, row_points = 0, n = 1;
    std::size_t first = 0, inner = 1, outer_step = 1, inner_step = 0;
    bool inverse = false;
};
struct slab_pairs {
    std::size_t rows = 0, pitch = 0, columns = 0;
    std::size_t own = 0, owns = 0, mirrors = 0, mirrored = 0, second = 0;
    bool forward = true;
};

// Work on a slab's two buffers, 0 (where it is uploaded) and 1.
struct slab_step {
    enum class kind { transform, twiddles, pairs } what = kind::transform;
    int from = 0, to = 1;
    std::size_t transform = 0; // index into slab_program::transforms
    std::size_t from_bytes = 0, to_bytes = 0, frames = 0; // where it begins
    slab_twiddles twiddles; // of the buffer `to`, in place, from to_bytes on
    slab_pairs pairs;       // buffer `from` to buffer `to`

    // A transform reads or writes memory of its card in the place of a buffer, and
    // twiddles multiply what lies there.
    std::optional<slab_copy> source, target;
};

struct slab {
    std::vector<slab_copy> uploads;
    std::vector<slab_step> steps;
    int result = 1; // the buffer that is downloaded; KEPT: what the card keeps
    static constexpr int KEPT = -1;
    std::vector<slab_copy> downloads;
    int card = -1; // the card that computes it; -1: any
};

// The slabs of a sweep read and write nothing of one another, or what later slabs read
// lies apart from what earlier ones write. A sweep begins when the one before has ended.
struct sweep {
    std::vector<slab> slabs;
};

struct slab_program {
    std::vector<problem> transforms;
    std::vector<sweep> sweeps;
    std::size_t buffer_bytes = 0;        // of each of a slab's two buffers
    std::size_t scratch_bytes = 0;       // of the host
    std::vector<std::size_t> kept_bytes; // on each card between two sweeps; or empty

    std::size_t slabs() const;
    // Over the link.
    std::size_t uploaded_bytes() const;
    std::size_t downloaded_bytes() const;
};

// Why the problem cannot be computed in slabs on a card that has card_bytes for it;
// empty if it can.
std::string slab_obstacle(const problem& what, std::size_t card_bytes);

// The sweeps for one frame. `in_place`: input and output are the same memory. Throws
// std::invalid_argument with the obstacle if there is one.
slab_program make_slab_program(const problem& what,
                               std::size_t card_bytes,
                               bool in_place,
                               const slab_cuts& cuts = slab_cuts());

} // namespace gpufft
} // namespace gr

#endif
