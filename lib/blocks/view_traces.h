// SPDX-License-Identifier: GPL-3.0-or-later
//
// The traces that a spectrum_view keeps of all rows so far: running average and holds of
// every bin, and density of the span. Draws the pictures.

#ifndef INCLUDED_GPUFFT_VIEW_TRACES_H
#define INCLUDED_GPUFFT_VIEW_TRACES_H

#include "view_interval.h"
#include <gnuradio/gpufft/spectrum_view.h>

namespace gr {
namespace gpufft {

class view_traces
{
public:
    explicit view_traces(std::size_t bins);

    // Time constants, in seconds.
    void set_averaging(double seconds) { d_averaging = seconds; }
    void set_persistence(double seconds) { d_persistence = seconds; }
    void reset() { d_has_average = d_has_holds = d_has_density = false; }

    // Adds the rows of an interval of `seconds` seconds, and draws. Time without rows is
    // added to the next interval with rows.
    spectrum_picture draw(view_interval& rows, double seconds);

    const std::vector<float>& average() const { return d_average; }

private:
    void merge_average(const view_interval& rows);
    void merge_holds(const view_interval& rows);
    void merge_density(const view_interval& rows);
    void draw_mean(spectrum_picture& picture, const view_interval& rows) const;
    void draw_average(spectrum_picture& picture, const view_span& span) const;
    void draw_holds(spectrum_picture& picture, const view_span& span) const;
    void draw_density(spectrum_picture& picture) const;

    double d_averaging = 0, d_persistence = 1;
    double d_since_rows = 0, d_since_counts = 0; // seconds not yet counted
    bool d_has_average = false, d_has_holds = false, d_has_density = false;
    std::vector<float> d_average, d_max, d_min;
    view_grid d_grid;
    std::vector<float> d_density;
};

} // namespace gpufft
} // namespace gr

#endif
