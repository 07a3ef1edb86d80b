// SPDX-License-Identifier: GPL-3.0-or-later
//
// Base of the blocks around a filter's or a polyphase bank's plan: moves samples, rows
// and tags.

#ifndef INCLUDED_GPUFFT_FILTER_BLOCK_H
#define INCLUDED_GPUFFT_FILTER_BLOCK_H

#include "radio_tags.h"
#include "stream/engine_base.h"
#include "stream/framer.h"
#include "stream/row_streams.h"
#include <atomic>
#include <gnuradio/gpufft/radio_tags.h>

namespace gr {
namespace gpufft {

/* The plan computes parts of frames_together() rows with one transform, and a row's place
 * in its part determines its rounding. So parts count from where the plan took over, and
 * are computed only when complete; only the last one, at the end of the stream, is
 * shorter.
 *
 * Each row has a group of as many samples as the filter decimates by. Its frame has
 * room() samples up to the row's own, then the rest of the group, so that a group gives
 * its row when it is complete. GNU Radio's history provides the zeros before the stream.
 * The plan reads only the samples of its own taps. The position of a row in the stream is
 * that of its group's first sample.
 *
 * A plan with more taps than room() takes over once as many samples have arrived since;
 * until then the previous plan continues. */
class filter_block : virtual public gr::block,
                     public engine_base,
                     virtual public radio_tags_block
{
public:
    // Any thread. For a block with an output for each item of a row, or an input for each
    // sample of a vector: stream i has item map[i]; streams past the map's end keep their
    // item. An item without an input is 0; of several inputs for one the last counts.
    // Throws std::invalid_argument for an item out of range.
    void set_output_map(const std::vector<int>& map) { d_outputs.map.set(map); }
    std::vector<int> output_map() const { return d_outputs.map.get(); }
    void set_input_map(const std::vector<int>& map) { d_inputs.map.set(map); }
    std::vector<int> input_map() const { return d_inputs.map.get(); }

    void set_radio_tags(bool follow) override { d_radio.set(follow); }
    bool radio_tags() const override { return d_radio.get(); }

    void forecast(int noutput_items, gr_vector_int& ninput_items_required) override;
    bool check_topology(int ninputs, int noutputs) override;
    bool start() override;
    bool stop() override;
    int general_work(int noutput_items,
                     gr_vector_int& ninput_items,
                     gr_vector_const_void_star& input_items,
                     gr_vector_void_star& output_items) override;

protected:
    // The gr::block's ports must exist already; several outputs are a stream for each
    // item of a row, several inputs one for each sample of a vector. room() is twice the
    // number of taps, and at least 4096.
    filter_block(const plan_settings& settings, const engine_options& options);

    // Any thread. Changes the settings, but not the sizes of samples and rows. Throws
    // std::invalid_argument for more taps than can take over before the next start.
    void configure(const plan_settings& next);

    // Any thread. Describes what runs, with `taps` taps padded to `padded`.
    std::string describe_taps(std::size_t taps, std::size_t padded) const;

    // Any thread. Number of samples kept for a row: up to room() taps take over at once.
    std::int64_t room() const { return d_room * d_samples_in_item; }

    // The same of a filter: of an item of several samples it uses the first as its
    // newest.
    std::int64_t most_taps() const
    {
        return room() - (d_samples_in_item > 1 ? d_samples_in_item : 0);
    }
    std::size_t samples_in_item() const { return d_samples_in_item; }

    // Position of the first of `zeros` zeros before the stream, modulo the period of the
    // plan's phases (2^64 for rotations).
    virtual std::uint64_t origin(std::uint64_t zeros) const { return 0 - zeros; }

    // Hz from the input's centre to that of a row's item, at this sample rate of the
    // input; NaN if it is not known. Of vectors, 0.
    virtual double center_of(std::size_t /*item*/, double /*rate*/) const { return 0; }

    // For a block with ports of several sizes, which overrides forecast() and
    // general_work(). Items that a row takes from an input, here `samples` samples, and
    // adds to an output.
    virtual const port_sizes* sizes() const { return nullptr; }
    virtual std::size_t taken(int /*input*/, std::size_t samples) const
    {
        return items_of(samples);
    }
    virtual std::size_t given(int /*output*/) const { return d_row_items; }

    // Only the first input's items are given.
    chunked_stream::work_buffers buffers_of_call(int noutput_items,
                                                 const gr_vector_int& ninput_items);
    chunked_stream::result step(const chunked_stream::work_buffers& now)
    {
        return d_stream.step(now, d_framer);
    }
    void keep_tags(const gr_vector_int& items); // at each input
    void forward_tags(std::size_t rows, std::size_t hop);

private:
    struct kept_tag {
        tag_t tag;
        int port;
    };

    std::size_t items_of(std::size_t samples) const;
    std::size_t zeros(const problem& what) const;
    void follow_plan();
    std::size_t rows_for_now(std::size_t rows) const;
    std::size_t rows_of_part() const;
    std::size_t rows_at_once() const;
    bool is_done() const;
    int input_items_at_once() const;
    bool is_all(const gr_vector_int& ninput_items) const;
    int deliver_rest(const gr_vector_void_star& outputs, std::size_t items);
    bool is_of_another(const tag_t& tag, int port, int item) const;
    void forward_tag(const kept_tag& kept, std::size_t hop);

    // What is called a sample here is an item of problem::samples_in_item() samples.
    const std::size_t d_samples_in_item, d_sample_bytes, d_row_bytes;
    const std::size_t d_out_bytes; // of an item
    row_streams d_inputs, d_outputs;
    const std::size_t d_in_bytes;  // of an item of all inputs
    const std::size_t d_row_items; // items of a row at each output
    std::atomic<std::size_t> d_room;
    std::atomic<std::size_t> d_most_room; // until the next start
    std::size_t d_tail;                   // samples of a group after the row's own
    framer d_framer;
    std::size_t d_at_once = 0;    // samples that the input buffer shows
    std::size_t d_ahead = 1;      // rows that may be computed without room in the output
    std::vector<char> d_rest;     // rows for which the output buffer had no room
    std::size_t d_delivered = 0;  // bytes of d_rest already written
    bool d_may_change = false;    // another plan may take over in this call
    std::size_t d_zeros = 0;      // items of zeros before the run's first item
    std::size_t d_held = 0;       // zero samples before d_zeros, held by d_framer
    std::vector<kept_tag> d_tags; // tags of items whose row is not out yet
    gpufft::radio_tags d_radio;
    // Of each input: items whose row is out; d_tags has the tags of all before
    // d_tags_end.
    std::vector<std::uint64_t> d_passed, d_tags_end;
};

} // namespace gpufft
} // namespace gr

#endif
