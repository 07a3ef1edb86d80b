// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes pictures of a stream of power spectra, for a screen.

#ifndef INCLUDED_GPUFFT_SPECTRUM_VIEW_H
#define INCLUDED_GPUFFT_SPECTRUM_VIEW_H

#include <cstdint>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/sync_block.h>
#include <memory>
#include <vector>

namespace gr {
namespace gpufft {

/*!
 * \brief One picture of a spectrum_view: powers in columns, each of which stands for the
 * bins first_bin + [c bins / columns, (c + 1) bins / columns).
 */
struct GPUFFT_API spectrum_picture {
    std::int64_t first_bin = 0;
    std::int64_t bins = 0;    //!< bins in the span
    std::int64_t columns = 0; //!< as set, or one per bin if there are fewer bins
    std::int64_t rows = 0;    //!< rows since the previous picture

    std::vector<float> mean;               //!< over those rows: largest bin of the column
    std::vector<float> peak;               //!< largest power in those rows
    std::vector<float> average_high;       //!< running average: largest bin,
    std::vector<float> average_low;        //!< and smallest
    std::vector<std::int64_t> average_bin; //!< the bin that average_high shows
    std::vector<float> max_hold;
    std::vector<float> min_hold;

    /*! \brief Share of frames and bins at each level, column by column. The members below
     * give its levels, span, columns and range. */
    std::vector<float> density;
    std::int64_t levels = 0;
    std::int64_t density_first_bin = 0;
    std::int64_t density_bins = 0;
    std::int64_t density_columns = 0;
    double density_low = 0, density_high = 0; //!< in dB
};

/*!
 * \brief Takes rows of linear power and makes small pictures of them, for programs that
 * draw: mean, peak, running average, maximum and minimum hold, and the density (how often
 * a column is at which level).
 *
 * Drawing never slows the stream: take() returns what has arrived since the last call,
 * and the stream does not wait for it. Mean, peak, average and holds include every row,
 * except rows with NaN or Inf. Any thread may call any function.
 *
 * Counting plain rows into the density takes at most a third of one core; further rows
 * are not counted, see rows_counted(). Rows of power_spectrum with density_columns
 * already have counts of every frame, which are all used, and the largest and smallest
 * powers of their frames, which peak and holds then use.
 */
class GPUFFT_API spectrum_view : virtual public gr::sync_block
{
public:
    typedef std::shared_ptr<spectrum_view> sptr;

    /*!
     * \param bins    floats in a row, 1 ... 2^28
     * \param columns columns of the pictures, 1 ... 65536
     * \param levels  levels of the density, 1 ... 256
     * \param density_columns columns of the rows' own density, 1 ... 65536, with `levels`
     * levels; 0: plain rows
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(std::int64_t bins,
                     std::int64_t columns = 1024,
                     std::int64_t levels = 128,
                     std::int64_t density_columns = 0);

    /*! \brief Sets the bins and columns to show; restarts the density of plain rows. */
    virtual void
    set_span(std::int64_t first_bin, std::int64_t bins, std::int64_t columns) = 0;

    /*! \brief Sets the density's range for plain rows, in dB of power, and restarts the
     * density. Powers beyond count in the lowest or highest level. Rows with their own
     * density have their own range. */
    virtual void set_level_range(double low, double high) = 0;

    /*! \brief Whether rows are counted into the density; initially true. */
    virtual void set_counting(bool counting) = 0;

    /*! \brief Set the time constants, in seconds, of the running average (0: only the
     * mean since the last picture) and of the density. */
    virtual void set_averaging(double seconds) = 0;
    virtual void set_persistence(double seconds) = 0;

    /*! \brief Restarts average, holds and density. */
    virtual void reset() = 0;

    /*! \brief The current picture, without averages and holds before the first row. */
    virtual spectrum_picture take() = 0;

    /*! \brief Powers of the running average, as of the last picture. */
    virtual std::vector<float> average(std::int64_t first_bin,
                                       std::int64_t bins) const = 0;

    virtual std::int64_t bins() const = 0;

    /*! \brief Numbers of rows since the start: all, those in the density, those with NaN
     * or Inf. */
    virtual std::uint64_t rows() const = 0;
    virtual std::uint64_t rows_counted() const = 0;
    virtual std::uint64_t rows_left_out() const = 0;

    /*! \brief Whether all rows have come: their stream has ended, or the flowgraph has
     * been stopped, and it has not been started again. */
    virtual bool has_ended() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
