// SPDX-License-Identifier: GPL-3.0-or-later
//
// What blocks around the plan of a filter, or of a bank of them, share: how their
// samples, rows and tags travel.

#ifndef INCLUDED_GPUFFT_FILTER_BLOCK_H
#define INCLUDED_GPUFFT_FILTER_BLOCK_H

#include "stream/engine_base.h"
#include "stream/framer.h"
#include <atomic>

namespace gr {
namespace gpufft {

/* The plan computes parts of frames_together() rows by one transform, and the place in
 * its part decides how a row rounds. So parts are counted from where the plan took over,
 * and wait until they are there as a whole; only the last one, when the stream has ended,
 * is shorter.
 *
 * A row is a frame's: of room() samples up to its own, and of the others of its group of
 * as many as a filter decimates by, so that a group gives its row when it is there as a
 * whole. GNU Radio puts the zeros that the first ones need before the stream: its
 * history. The plan reads the samples of its own taps only. The position of a row in the
 * stream is that of its group's first sample.
 *
 * A plan of more taps than there is room for takes over once so many samples have come
 * since; until then the one before goes on. */
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
    // Of the ports that the gr::block has. There is room for twice the taps, and for 4096
    // at least.
    filter_block(const plan_settings& settings, const engine_options& options);

    // Any thread. Other settings with the same sizes of samples and rows. Throws
    // std::invalid_argument for more taps than can take over before the next start.
    void configure(const plan_settings& next);

    // Any thread. What runs, for so many taps and the zeros behind them.
    std::string describe_taps(std::size_t taps, std::size_t padded) const;

    // Any thread. Samples that are there for a row: up to so many taps take over at once.
    std::int64_t room() const { return d_room; }

    // The position of the first sample behind so many zeros, less theirs, modulo what the
    // plan counts phases by: 2^64 if by turns.
    virtual std::uint64_t origin(std::uint64_t zeros) const { return 0 - zeros; }

private:
    std::size_t items_of(std::size_t samples) const;
    std::size_t zeros(const problem& what) const;
    void follow_plan();
    std::size_t rows_for_now(std::size_t rows) const;
    std::size_t rows_of_part() const;
    std::size_t rows_at_once() const;
    bool is_all(int ninput_items) const;
    chunked_stream::window window(int noutput_items, int ninput_items);
    int deliver_rest(void* output, std::size_t items);
    void keep_tags(std::size_t items);
    void forward_tags(std::size_t rows, std::size_t hop);

    const std::size_t d_sample_bytes, d_row_bytes;
    const std::size_t d_in_bytes, d_out_bytes; // of items
    std::atomic<std::size_t> d_room;
    std::atomic<std::size_t> d_most_room; // until the next start
    std::size_t d_tail;                   // samples of a group behind the row's own
    framer d_framer;
    std::size_t d_at_once = 0;    // samples that the input buffer shows
    std::size_t d_ahead = 1;      // rows that may have to wait for room
    std::vector<char> d_rest;     // rows that the output buffer had no room for
    std::size_t d_delivered = 0;  // bytes of them that are out
    bool d_may_change = false;    // another plan takes over in this call
    std::size_t d_zeros = 0;      // items before this run's first
    std::size_t d_held = 0;       // samples of zeros before them, which d_framer holds
    std::vector<tag_t> d_tags;    // of items whose row is still to come
    std::uint64_t d_passed = 0;   // items whose row is out
    std::uint64_t d_tags_end = 0; // no tag from this item on is among them yet
};

} // namespace gpufft
} // namespace gr

#endif
