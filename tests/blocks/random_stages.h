// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random stages that fit a stream.

#ifndef INCLUDED_GPUFFT_RANDOM_STAGES_H
#define INCLUDED_GPUFFT_RANDOM_STAGES_H

#include "stages.h"

namespace gr {
namespace gpufft {

enum class samples { complex, real, int16, int8 };

// What a stream's items are.
struct item_kind {
    samples type = samples::complex;
    std::size_t n = 1; // samples in an item

    bool is_integer() const { return type == samples::int16 || type == samples::int8; }
};

struct random_stage {
    stage what;      // without a block where none fits
    item_kind gives; // of each of its output ports
};

// Blocks that cost much, in memory or for their reference, are drawn for short streams
// only. Most lengths come from a short list: on a card each needs kernels of its own.
class stage_lottery
{
public:
    static constexpr std::size_t MOST_SAMPLES = 200000; // of one block, in and out

    // Of several runs of a graph each has other devices.
    stage_lottery(random_source& random, unsigned run) : d_random(random), d_run(run) {}

    random_stage draw(const stream_data& data, const item_kind& items);
    std::size_t pick_size(std::size_t most);

private:
    typedef random_stage (stage_lottery::*drawer)();
    struct ticket {
        int chances;
        drawer draw;
    };

    bool is_workable(const stream_data& data) const;
    stage_options pick_options();
    std::string pick_window(std::size_t n);
    bool flip(int percent) { return chance(d_random, percent); }
    std::size_t rows(std::size_t n) const { return d_samples / n; }

    // Now and then with samples of another format at one end, between complex ports.
    stage in_formats(const stage_maker& make);
    template <class What>
    stage in_formats(stage (*make)(const What&, const stage_options&), const What& what)
    {
        return in_formats([=](const stage_options& how) { return make(what, how); });
    }

    random_stage fft();
    random_stage half_spectrum(); // r2c or c2r
    random_stage matrix();
    random_stage dct();
    random_stage zoom();
    random_stage correlator();
    random_stage burst();
    random_stage spectrum();
    random_stage logpwr();
    random_stage filter();
    random_stage channels();
    random_stage channelizer();
    random_stage synthesizer();
    random_stage synthesizer_streams();
    random_stage function();

    random_source& d_random;
    const unsigned d_run;

    // Of the stream at hand.
    const stream_data* d_data = nullptr;
    item_kind d_items;
    std::size_t d_samples = 0; // all, of vectors, too
    std::size_t d_n = 1;       // an FFT's length: the vectors', or one for the stream
};

} // namespace gpufft
} // namespace gr

#endif
