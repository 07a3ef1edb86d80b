// SPDX-License-Identifier: GPL-3.0-or-later
//
// What blocks around a filter's plan share: how their samples, rows and tags travel. An
// output item is a row.

#ifndef INCLUDED_GPUFFT_FILTER_BLOCK_H
#define INCLUDED_GPUFFT_FILTER_BLOCK_H

#include "stream/engine_base.h"
#include "stream/framer.h"
#include <atomic>
#include <gnuradio/gr_complex.h>

namespace gr {
namespace gpufft {

// Real or complex taps as numbers of single precision.
struct tap_numbers {
    const float* numbers;
    std::size_t count;
    bool is_complex;
};

inline tap_numbers numbers_of(const std::vector<float>& taps)
{
    return { taps.data(), taps.size(), false };
}

inline tap_numbers numbers_of(const std::vector<gr_complex>& taps)
{
    return { reinterpret_cast<const float*>(taps.data()), taps.size(), true };
}

// What a plan needs for them, but for its threads and rotations. Throws
// std::invalid_argument for a value out of range.
plan_settings
filter_settings(std::int64_t decimation, const tap_numbers& taps, sample_format format);

/* A row is a frame's: of room() samples up to its own, and of the others of its group of
 * `decimation`, so that a group gives its row when it is there as a whole. GNU Radio puts
 * the zeros that the first ones need before the stream: its history. The plan reads the
 * samples of its own taps only. The position of a row in the stream is that of its
 * group's first sample.
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
    filter_block(const plan_settings& settings, const engine_options& options);

    // Any thread. Other settings with the same sizes of samples and rows. Throws
    // std::invalid_argument for more taps than can take over before the next start.
    void configure(const plan_settings& next);

    // Any thread. Samples that are there for an output: up to so many taps take over at
    // once.
    std::int64_t room() const { return d_room; }

private:
    void follow_plan();
    std::size_t rows_for_now(std::size_t rows) const;
    std::size_t whole_parts(std::size_t samples, std::size_t rows) const;
    void keep_tags(std::size_t samples);
    void forward_tags(std::size_t rows, std::size_t hop);

    const std::size_t d_sample_bytes, d_row_bytes;
    std::atomic<std::size_t> d_room;
    std::atomic<std::size_t> d_most_room; // until the next start
    std::size_t d_tail;                   // samples of a group behind the row's own
    framer d_framer;
    bool d_may_change = false;    // another plan takes over in this call
    bool d_is_placed = false;     // d_history is known
    std::uint64_t d_history = 0;  // samples of zeros before this run's first
    std::vector<tag_t> d_tags;    // of samples whose row is still to come
    std::uint64_t d_passed = 0;   // samples whose row is out
    std::uint64_t d_tags_end = 0; // no tag from this sample on is among them yet
};

} // namespace gpufft
} // namespace gr

#endif
