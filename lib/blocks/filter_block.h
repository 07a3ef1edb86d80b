// SPDX-License-Identifier: GPL-3.0-or-later
//
// What blocks around a filter's plan share: how their samples, rows and tags travel. An
// output item is a row.

#ifndef INCLUDED_GPUFFT_FILTER_BLOCK_H
#define INCLUDED_GPUFFT_FILTER_BLOCK_H

#include "stream/engine_base.h"
#include "stream/framer.h"

namespace gr {
namespace gpufft {

// Checks of the decimation and of the number of taps, and the problem for them. Throws
// std::invalid_argument for a value out of range.
problem filter_problem(std::int64_t decimation,
                       std::size_t taps,
                       std::int64_t max_taps,
                       sample_format format);

// Taps that a block with so many has room for: twice as many, and at least 4096.
std::int64_t room_for_taps(std::size_t taps, std::int64_t decimation);

/* A row is a frame's: of max_taps samples before its own, and of the others of its group
 * of `decimation`, so that a group gives its row when it is there as a whole. GNU Radio
 * puts the zeros that the first ones need before the stream: its history. The plan reads
 * the samples of its own taps only. The position of a row in the stream is that of its
 * group's first sample. */
class filter_block : virtual public gr::block, public engine_base
{
public:
    void forecast(int noutput_items, gr_vector_int& ninput_items_required) override;
    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;
    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override;

protected:
    // The decimation may become smaller later, the taps max_taps.
    filter_block(std::int64_t decimation,
                 std::int64_t max_taps,
                 const plan_settings& settings,
                 const engine_options& options);

private:
    std::size_t whole_parts(std::size_t samples, std::size_t rows) const;
    void keep_tags(std::size_t samples);
    void forward_tags(std::size_t rows, std::size_t hop);

    const std::size_t d_sample_bytes, d_row_bytes;
    const std::size_t d_tail;   // samples of a group behind the row's own
    const std::size_t d_before; // samples that a row looks back on
    framer d_framer;
    bool d_is_placed = false;     // d_history is known
    std::uint64_t d_history = 0;  // samples of zeros before this run's first
    std::vector<tag_t> d_tags;    // of samples whose row is still to come
    std::uint64_t d_passed = 0;   // samples whose row is out
    std::uint64_t d_tags_end = 0; // no tag from this sample on is among them yet
};

} // namespace gpufft
} // namespace gr

#endif
