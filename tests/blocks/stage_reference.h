// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stages expect of the frames of a stream: by the formulas of problem.h in double
// precision (tests/reference_dft.h), and how far off a float may be.
//
// A row of bins X may deviate, as a whole (L2), by error_bound() of what the transform of
// a stream of noise would give; and by what the samples may deviate by, times the most
// that the transform amplifies. Half of that is spread evenly over the row, the other
// half like the bins themselves.

#ifndef INCLUDED_GPUFFT_STAGE_REFERENCE_H
#define INCLUDED_GPUFFT_STAGE_REFERENCE_H

#include "reference_transform.h"
#include "stages.h"

namespace gr {
namespace gpufft {

constexpr double EPSILON = 1.0 / (1 << 24); // of floats: half the last place of 1

// Where the frames of a stream are.
struct frame_grid {
    std::size_t lead = 0; // samples before the first
    std::size_t n, hop;

    std::size_t count(std::size_t samples) const
    {
        return samples < lead + n ? 0 : (samples - lead - n) / hop + 1;
    }
    // The last frame that starts at or before the sample; the next one if none has it.
    std::size_t of_sample(std::size_t sample) const
    {
        if (sample <= lead)
            return 0;
        const std::size_t past = sample - lead;
        return past / hop + (past % hop >= n ? 1 : 0);
    }
};

// What a stream may deviate by between two of its floats, as a whole (L2).
class deviation_sums
{
public:
    explicit deviation_sums(const stream_data& stream);
    double over(std::size_t begin, std::size_t end) const; // floats
    double largest() const { return d_largest; }           // of one

private:
    std::vector<float> d_errors;   // of each float; empty: none deviates
    std::vector<double> d_squares; // their squares' sum up to each float
    double d_largest = 0;
};

// Expected values, one after the other.
class expected_floats
{
public:
    void add(double value, double error);

    // One whose error has its rounding, for it is that of what is compared.
    void add_measured(double value, double error);

    // A row that may deviate by so much as a whole.
    void add_row(const spectrum& row, double error, bool is_real);

    stream_data stream(std::size_t item_bytes, value_kind kind) const;

private:
    std::vector<float> d_values, d_errors;
};

// What each bin of a row may deviate by if the row as a whole may by `error`.
std::vector<double> shares_of_error(const spectrum& row, double error);

// One frame's bins, and what they may deviate by as a whole.
struct frame_bins {
    spectrum bins;
    double error;
};

// The transform of the frame that begins at this sample. Scale, power and what follows
// are left out.
frame_bins transform_frame(const stream_data& input,
                           const deviation_sums& sums,
                           const problem& what,
                           const std::vector<float>& window,
                           std::size_t sample);

// The rows of the stream as items, of which each has a row if items_per_row is 1.
stream_data transform(const stream_data& input,
                      const problem& what,
                      const std::vector<float>& window,
                      const frame_grid& frames,
                      std::size_t items_per_row);

// The rows of power, decibels or kurtosis, with detector, average, smoothing, hold and
// density; with `from_silence` the smoothing begins at 0, else with the first row.
stream_data power_rows(const stream_data& input,
                       const problem& what,
                       const std::vector<float>& window,
                       const frame_grid& frames,
                       std::size_t items_per_sample,
                       bool from_silence);

std::string text_of(const stage_options& how);

// The stage has this block of ours, which, but where a hierarchical one has others at its
// ports, works on a card at both ends.
void set_block(stage& to,
               const gr::basic_block_sptr& block,
               bool reads_card = true,
               bool writes_card = true);

} // namespace gpufft
} // namespace gr

#endif
