// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes slab programs: what the sweeps of several axes and those of a divided axis
// share.

#ifndef INCLUDED_GPUFFT_SLAB_WRITER_H
#define INCLUDED_GPUFFT_SLAB_WRITER_H

#include "slab_layout.h"
#include "slab_program.h"

namespace gr {
namespace gpufft {

class slab_writer
{
public:
    slab_writer(const problem& what, const slab_layout& layout, bool in_place);

    // The sweeps of two groups of axes.
    void write_rows_and_columns();
    void write_columns_and_real_rows();

    // The two sweeps of the divided axis, in every line of the leading axes; then those
    // axes.
    void write_divided_lines();

    slab_program take() { return std::move(d_program); }

private:
    // The columns of a matrix that a slab has: `count` from `first` on, and `mirrored`
    // from `mirrors` on.
    struct column_group {
        std::size_t first, count, mirrors = 0, mirrored = 0;
    };

    // Adds a problem of these axes in the working precision, unscaled.
    std::size_t add_transform(transform_kind kind, const std::vector<std::size_t>& axes);

    // Its lines lie side by side in a matrix of `width` columns, on the card.
    void read_columns(std::size_t transform, std::size_t width, std::size_t batch);
    void store_columns(std::size_t transform, std::size_t width);

    slab_step twiddle_step(int buffer,
                           std::size_t to_bytes,
                           std::size_t rows,
                           std::size_t first) const;
    slab_step pair_step(const column_group& group,
                        std::size_t rows,
                        std::size_t columns,
                        std::size_t width,
                        int from) const;

    // Every column of a matrix in the output is transformed and stored where it was; or
    // of one that is turned, whose rows become columns.
    void add_columns(const std::vector<std::size_t>& axes,
                     std::size_t columns,
                     std::size_t item);

    // At most `height` rows, up to where a part of a card ends.
    std::size_t rows_together(std::size_t first, std::size_t height) const;

    // At most `width` of the columns, so that all cards have as many.
    std::size_t shared_width(std::size_t width, std::size_t columns) const;

    std::size_t last_bins() const; // bins of a row of the last axis
    std::vector<column_group>
    groups_of(std::size_t columns, std::size_t width, bool mirrors) const;
    std::size_t width_for(std::size_t rows,
                          std::size_t columns,
                          std::size_t item,
                          bool mirrors) const;

    void write_first_factor(std::size_t input,
                            slab_memory between,
                            std::size_t output,
                            bool adds);
    void write_second_factor(slab_memory between,
                             std::size_t input,
                             std::size_t output,
                             bool adds);
    void write_outer_digits(std::size_t offset, bool adds);
    void write_inner_digits(std::size_t offset, bool adds);

    const problem& d_what;
    const slab_layout& d_layout;
    const bool d_in_place;
    const std::size_t d_item; // bytes of a complex point
    const bool d_inverse;
    std::size_t d_first = 0, d_second = 0; // transforms of both factors
    slab_program d_program;
};

// Products of lengths, the last one halved.
std::size_t product_of(const std::vector<std::size_t>& lengths);
std::size_t bins_of(const std::vector<std::size_t>& lengths);

// `frames` transforms from one of a slab's buffers to the other.
slab_step transform_step(std::size_t transform,
                         std::size_t frames,
                         int from = 0,
                         std::size_t from_bytes = 0,
                         std::size_t to_bytes = 0);

// Columns first ... first + count - 1 of a matrix of `width` columns on the host.
slab_copy column_copy(slab_memory at,
                      std::size_t offset,
                      std::size_t width,
                      std::size_t rows,
                      std::size_t first,
                      std::size_t count,
                      std::size_t item,
                      std::size_t card_width,
                      std::size_t card_column = 0);

slab_copy run_copy(slab_memory at,
                   std::size_t offset,
                   std::size_t bytes,
                   std::size_t card_offset = 0);

} // namespace gpufft
} // namespace gr

#endif
