// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef INCLUDED_GPUFFT_SPECTRUM_VIEW_IMPL_H
#define INCLUDED_GPUFFT_SPECTRUM_VIEW_IMPL_H

#include "time_share.h"
#include "view_traces.h"
#include <atomic>
#include <gnuradio/gpufft/problem.h>
#include <gnuradio/gpufft/spectrum_view.h>
#include <memory>
#include <mutex>

namespace gr {
namespace gpufft {

class spectrum_view_impl : public spectrum_view
{
public:
    spectrum_view_impl(std::int64_t bins,
                       std::int64_t columns,
                       std::int64_t levels,
                       const problem& density);

    void
    set_span(std::int64_t first_bin, std::int64_t bins, std::int64_t columns) override;
    void set_level_range(double low, double high) override;
    void set_counting(bool counting) override { d_counting = counting; }
    void set_averaging(double seconds) override;
    void set_persistence(double seconds) override;
    void reset() override;

    spectrum_picture take() override;
    std::vector<float> average(std::int64_t first_bin, std::int64_t bins) const override;

    std::int64_t bins() const override { return d_bins; }
    std::uint64_t rows() const override { return d_rows; }
    std::uint64_t rows_counted() const override { return d_rows_counted; }
    std::uint64_t rows_left_out() const override { return d_rows_left_out; }
    bool has_ended() const override { return d_has_ended; }

    bool start() override;
    bool stop() override;

    int work(int noutput_items,
             gr_vector_const_void_star& input_items,
             gr_vector_void_star& output_items) override;

private:
    std::size_t rows_at_once() const;
    void add(const float* rows, std::size_t count);
    void count_plain();
    void count_density();
    bool is_good(const float* row) const; // finite, and in power_spectrum's layout
    view_row parts_of(const float* row) const;

    const std::size_t d_bins;
    const problem d_density;     // a problem with such rows
    const std::size_t d_row;     // floats
    const std::size_t d_checked; // floats of a row that must be finite
    std::atomic<bool> d_counting{ true };
    std::atomic<bool> d_has_ended{ false };
    std::atomic<std::uint64_t> d_rows{ 0 }, d_rows_counted{ 0 }, d_rows_left_out{ 0 };

    // Guards what only take() and the setters use. Locked before d_rows_mutex.
    mutable std::mutex d_drawing_mutex;
    view_traces d_traces;
    std::unique_ptr<view_interval> d_spare;
    std::chrono::steady_clock::time_point d_taken = std::chrono::steady_clock::now();

    std::mutex d_rows_mutex; // guards the incoming rows; held briefly
    std::unique_ptr<view_interval> d_interval;
    std::shared_ptr<const level_table> d_table; // levels of plain rows
    time_share d_counting_time;
    std::vector<const float*> d_finite; // finite rows; for work() only
};

} // namespace gpufft
} // namespace gr

#endif
