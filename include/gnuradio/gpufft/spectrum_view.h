// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a screen shows of a stream of power spectra.

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
    std::int64_t bins = 0;    //!< of the span
    std::int64_t columns = 0; //!< as asked, or one for each bin if those are fewer
    std::int64_t rows = 0;    //!< between this picture and the one before

    std::vector<float> mean;               //!< of those rows: largest bin of the column
    std::vector<float> peak;               //!< largest of those rows
    std::vector<float> average_high;       //!< of the running average: largest bin,
    std::vector<float> average_low;        //!< and smallest
    std::vector<std::int64_t> average_bin; //!< which bin average_high is
    std::vector<float> max_hold;
    std::vector<float> min_hold;

    /*! \brief Share of frames and bins at each level, levels of one column after another.
     * Its span, columns and range of levels are those that it was counted with. */
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
 * Drawing never slows the stream: take() gets what has come since the last call, and
 * however late it is called, the rows go on. Every row is in the mean, peak, average and
 * holds. Rows with NaN or Inf are left out of everything. All functions are for any
 * thread.
 *
 * Plain rows are counted into the density within a share of time (a third of one core),
 * and beyond it some are left out: see rows_counted(). Rows of power_spectrum with
 * density_columns have counts of every frame already, which are all taken, and the
 * largest and smallest power of their frames, of which peak and holds are then.
 */
class GPUFFT_API spectrum_view : virtual public gr::sync_block
{
public:
    typedef std::shared_ptr<spectrum_view> sptr;

    /*!
     * \param bins    floats in a row, 1 ... 2^28
     * \param columns of the pictures, 1 ... 65536
     * \param levels  of the density, 1 ... 256
     * \param density_columns of rows that have a density of so many columns and of
     *                `levels` levels, 1 ... 65536; 0: plain rows
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(std::int64_t bins,
                     std::int64_t columns = 1024,
                     std::int64_t levels = 128,
                     std::int64_t density_columns = 0);

    /*! \brief The bins and columns to show; a density of plain rows begins anew. */
    virtual void
    set_span(std::int64_t first_bin, std::int64_t bins, std::int64_t columns) = 0;

    /*! \brief Range of the density of plain rows in dB of power; beyond it is its lowest
     * or highest level. Begins anew. Rows with a density say theirs. */
    virtual void set_level_range(double low, double high) = 0;

    /*! \brief Whether rows are counted into the density; they are at the start. */
    virtual void set_counting(bool counting) = 0;

    /*! \brief Time constants in seconds: of the running average (0: just the mean since
     * the last picture) and of the density. */
    virtual void set_averaging(double seconds) = 0;
    virtual void set_persistence(double seconds) = 0;

    /*! \brief Begins average, holds and density anew. */
    virtual void reset() = 0;

    /*! \brief The picture now; what it holds begins with the first row. */
    virtual spectrum_picture take() = 0;

    /*! \brief Powers of the running average, as of the last picture. */
    virtual std::vector<float> average(std::int64_t first_bin,
                                       std::int64_t bins) const = 0;

    virtual std::int64_t bins() const = 0;

    /*! \brief Rows since the start: all, those in the density, those with NaN or Inf. */
    virtual std::uint64_t rows() const = 0;
    virtual std::uint64_t rows_counted() const = 0;
    virtual std::uint64_t rows_left_out() const = 0;
};

} // namespace gpufft
} // namespace gr

#endif
