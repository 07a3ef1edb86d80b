// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts the real ends into the kernels of the complex transform inside: as the load and
// store steps of its first and last kernel, or in kernels that replace these.

#include "real_fusion.h"
#include "planner/cluster/cluster.h"
#include "planner/convolution/bluestein.h"
#include "planner/convolution/mixed.h"
#include "planner/convolution/rader.h"
#include "planner/registry.h"

namespace gr {
namespace gpufft {

bool is_cluster(const recipe& inside) { return is_by(inside, cluster_algorithm()); }

bool has_levels(const recipe& inside) { return is_by(inside, hierarchical_algorithm()); }

namespace {

// Whether one block computes a vector, or a row of it, by a convolution.
bool is_convolution_in_block(const recipe& inside)
{
    return inside.shapes.size() == 1 &&
           (is_by(inside, rader_algorithm()) || is_by(inside, bluestein_algorithm()) ||
            is_by(inside, mixed_algorithm()));
}

// Whether a level with `columns` columns may have tiles of columns and their partners,
// see kernels/real/mirrored_tiles.cuh.
bool can_mirror(const stockham_shape& shape, std::size_t columns)
{
    constexpr int LEAST_COLUMNS = 4;
    return shape.n % 2 == 0 && columns % 2 == 0 && shape.columns % 2 == 0 &&
           shape.columns >= LEAST_COLUMNS && shape.radices.size() > 1;
}

// Gives a level's kernel tiles of columns and their partners, with ends of its own.
void use_mirrored_tiles(kernel_instance& kernel,
                        const char* name,
                        const stockham_shape& shape,
                        std::size_t columns)
{
    const std::size_t half = shape.columns / 2;
    kernel.header = "real/real_levels.cuh";
    kernel.name = name;
    kernel.inner = "";
    kernel.load = kernel.store = {};
    kernel.blocks_per_frame = int((columns / 2 + half - 1) / half);
}

bool can_mirror_first(const recipe& inside, const real_ends& ends)
{
    return has_levels(inside) &&
           mirrored_levels_of(ends).first != tile_kind::neighbours &&
           can_mirror(inside.shape(), inside.n / inside.shape().n);
}

bool can_mirror_last(const recipe& inside, const real_ends& ends)
{
    const stockham_shape& last = inside.shapes.back();
    return has_levels(inside) && mirrored_levels_of(ends).last != tile_kind::neighbours &&
           can_mirror(last, inside.n / last.n);
}

// Whether every item of the row needs only one bin.
bool is_pointwise(const real_ends& ends) { return !ends.stages_store; }

// Whether a cluster's tile can hold pairs: each of the `rows` rows has a partner, and a
// thread holds half of each butterfly, whose other half goes through `area` elements of
// shared memory: see kernels/cluster/cluster_pairs.cuh.
bool has_partners(const stockham_shape& tile, int rows, int radix, int area)
{
    return tile.columns % 2 == 0 && rows % 2 == 0 && radix % 2 == 0 &&
           tile.elements() / 2 <= area;
}

bool loads_pairs(const recipe& cluster)
{
    const stockham_shape &columns = cluster.shapes[0], &rows = cluster.shapes[1];
    return has_partners(
        columns, rows.n, columns.radices.front(), areas_of(cluster).first);
}

bool stores_pairs(const recipe& cluster)
{
    const stockham_shape &columns = cluster.shapes[0], &rows = cluster.shapes[1];
    const cluster_areas areas = areas_of(cluster);
    const bool through_second =
        !cluster.of<cluster_fields>().two_areas || cluster.prefetched();
    return has_partners(rows,
                        columns.n,
                        rows.radices.back(),
                        through_second ? areas.incoming : areas.first);
}

// Two rows of bins 0 ... N/2 take N + 1 points, and up to 16 bytes may separate frames.
void make_room_for_half(kernel_instance& kernel, const problem& core)
{
    kernel.shared_bytes +=
        std::size_t(kernel.frames_per_block) * (point_bytes(core) + 16);
}

// The load and store steps that replace those of the complex transform. exchanged: the
// steps exchange real and imaginary parts.
std::string packed_load(const real_ends& ends, const recipe& inside, bool exchanged)
{
    const bool in_cluster = is_cluster(inside);
    if (in_cluster && !ends.row.empty())
        return text_of("load_neighbours", ends.row);
    const bool in_pairs = in_cluster && ends.stages_load && loads_pairs(inside);
    return text_of(in_pairs                                       ? "load_pairs"
                   : !in_cluster && ends.is_odd && ends.has_items ? "load_two"
                                                                  : "load_packed",
                   ends.pack,
                   exchanged);
}

std::string split_store(const real_ends& ends, const recipe& inside, bool exchanged)
{
    if (stores_tiles(inside, ends))
        return text_of("store_two", ends.split, exchanged);
    if (is_pointwise(ends))
        return text_of("store_split", ends.split, exchanged);
    return is_cluster(inside) ? text_of("store_pairs", ends.pair, exchanged)
                              : text_of("store_frames", ends.split, exchanged);
}

void use_mirrored_rows(kernel_instance& kernel,
                       const recipe& inside,
                       const real_ends& ends)
{
    const stockham_shape& shape = inside.shapes.back();
    const std::size_t rows = inside.n / shape.n;
    const bool in_sectors = ends.has_runs && shares_columns(shape);
    use_mirrored_tiles(
        kernel, in_sectors ? "real_sectors_kernel" : "real_rows_kernel", shape, rows);
    // a row level's further arguments are the lengths of the levels before it
    kernel.further = list_of(kernel.further, ends.pair);
    if (!in_sectors) {
        kernel.further = list_of(kernel.further, ends.is_inverse);
        return;
    }
    const std::size_t own = shape.columns / 2 - 1;
    kernel.blocks_per_frame = int((rows / 2 + own - 1) / own + 1);
    kernel.shared_bytes += std::size_t(shape.n) * shape.point_bytes();
}

} // namespace

mirrored_levels mirrored_levels_of(const real_ends& ends)
{
    mirrored_levels levels;
    if (!ends.is_odd && ends.stages_load)
        levels.first = tile_kind::partners;
    if (!ends.is_odd && !ends.pair.empty())
        levels.last = ends.has_runs ? tile_kind::runs : tile_kind::partners;
    return levels;
}

bool can_fuse_load(const recipe& inside, const real_ends& ends)
{
    return !is_cluster(inside) || !inside.prefetched() || !ends.row.empty();
}

bool can_fuse_store(const recipe& inside, const real_ends& ends)
{
    if (is_pointwise(ends))
        return is_cluster(inside) || can_fuse_load(inside, ends);
    if (is_cluster(inside))
        return !ends.pair.empty() && stores_pairs(inside);
    if (has_levels(inside))
        return can_mirror_last(inside, ends);
    return is_convolution_in_block(inside);
}

int kernels_around(const recipe& inside, const real_ends& ends)
{
    return !can_fuse_load(inside, ends) + !can_fuse_store(inside, ends);
}

bool stores_tiles(const recipe& inside, const real_ends& ends)
{
    return ends.fills_tiles && is_by(inside, rader_algorithm()) &&
           inside.shapes.size() == 1 &&
           (!ends.stages_store || inside.shape().radices[0] % 2 == 0);
}

void use_real_kernels(program& made,
                      const problem& core,
                      const recipe& inside,
                      const real_ends& ends)
{
    kernel_instance &first = made.steps.front().kernel, &last = made.steps.back().kernel;
    const char* const header =
        is_cluster(inside) ? "real/real_cluster.cuh" : "real/real_levels.cuh";
    const bool exchanged = core.dir == direction::inverse &&
                           find_algorithm(inside.algorithm).ends == end_use::of_direction;
    if (can_fuse_load(inside, ends)) {
        first.header = header;
        first.load.step = packed_load(ends, inside, exchanged);
        if (can_mirror_first(inside, ends)) {
            use_mirrored_tiles(first,
                               "real_columns_kernel",
                               inside.shape(),
                               inside.n / inside.shape().n);
            first.load = ends.pack;
            first.further = list_of(ends.is_inverse);
        } else if (ends.has_half && inside.shapes.size() == 1) {
            make_room_for_half(first, core);
        }
    }
    if (can_fuse_store(inside, ends)) {
        last.header = header;
        last.store.step = split_store(ends, inside, exchanged);
        if (can_mirror_last(inside, ends))
            use_mirrored_rows(last, inside, ends);
    }
}

} // namespace gpufft
} // namespace gr
