// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a stream of samples to averaged power spectra, in one step.

#ifndef INCLUDED_GPUFFT_POWER_SPECTRUM_H
#define INCLUDED_GPUFFT_POWER_SPECTRUM_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/window_spec.h>
#include <gnuradio/gr_complex.h>
#include <memory>
#include <optional>
#include <string>

namespace gr {
namespace gpufft {

/*!
 * \brief Power spectra of a stream of complex samples; T is gr_complex, or std::int16_t
 * or std::int8_t for interleaved I, Q, I, Q, ... (two items a sample; full scale 32768 or
 * 128 reads 1).
 *
 * Frame f has the N samples from f hop on. A row of N floats is
 *
 *     P[k] = c mean |sum_m w[m] x[m] exp(-j 2 pi m k / N)|^2    over `average` frames
 *     P   <- alpha P + (1 - alpha) P of the row before
 *     10 log10 P                                                 if mode is "db"
 *
 * As in a spectrum analyser, the detector determines how a row combines its frames, and
 * the hold how it combines with the rows before it:
 *
 * detector "mean": as above. "max", "min": the largest or smallest of the frames' powers
 * in each bin (positive and negative peak). "kurtosis": spectral kurtosis of the powers,
 *
 *     SK[k] = (M + 1) / (M - 1) (M S2 / S1^2 - 1)
 *
 * with M = average >= 2, S1 the sum of the frames' powers, S2 that of their squares (Nita
 * & Gary, MNRAS 406, L60, 2010). It has no unit and is stored as it is in either mode:
 * Gaussian noise reads 1, with standard deviation 2 M / sqrt((M - 1) (M + 2) (M + 3)),
 * about 2 / sqrt(M), for frames that do not overlap; a steady tone 0, like silence; a
 * tone that is on for a fraction d of the frames 1 / d - 1.
 *
 * hold "max", "min": the largest or smallest of all rows since the start or the last
 * reset; alpha has no effect then. reset_hold(), or any message to the port `reset`,
 * begins a new row and a new hold with the next frame. So does a change of what is held
 * (window, scaling, sample_rate, mode, shift, average, detector, hold). Detectors "max"
 * and "min" and holds ignore NaN. With alpha < 1 a row that is not finite (from a NaN, an
 * infinity, or samples whose power overflows single precision) makes all later rows not
 * finite, until reset_hold(), which also restarts the average.
 *
 * With density_columns, rows also count in how many frames each frequency was at each
 * level. A row then has N floats of the detector, N maxima and N minima of the frames'
 * powers, density_columns x density_levels counts (column by column), first bin, bins,
 * low and high of the counted range (see density_grid), and zeros up to row_floats().
 * spectrum_view reads such rows.
 *
 *     c = 1 / (sum w)^2                    scaling "spectrum": a tone of amplitude A
 *                                          reads A^2
 *     c = 1 / (sample_rate sum w^2)        scaling "density": power per Hz, as
 *                                          scipy.signal.welch with detrend=False,
 *                                          return_onesided=False
 *     c = 1                                scaling "none"
 *
 * A tag moves to the row of the last frame that starts at or before its sample; a tag on
 * a sample that hop > N skips, to the next frame's row. Changing mode, shift, detector,
 * hold, or between a window and none starts a new mean; so do set_average,
 * set_density_span and set_density_range. The size, and the density's columns and levels,
 * determine the port's items and cannot change.
 */
template <class T>
class GPUFFT_API power_spectrum : virtual public gr::block, virtual public engine_block
{
public:
    typedef std::shared_ptr<power_spectrum<T>> sptr;

    /*!
     * \param fft_size    N, 1 ... 2^28
     * \param hop         samples from frame to frame, 1 ... 2^40; default N
     * \param window      N taps, a name, a type, or none
     * \param average     frames in a row, 1 ... 2^40
     * \param mode        "linear" or "db"
     * \param shift       DC in bin floor(N/2), else in bin 0
     * \param scaling     "spectrum", "density" or "none"
     * \param sample_rate in Hz, > 0; used by "density"
     * \param alpha       weight of the new row in the exponential average, 0 < alpha <= 1
     * \param nthreads    threads of the cpu engine, 1 ... 1024; 0 is one for each core
     * \param engine,device,on_error,device_timeout see engine_block
     * \param detector    "mean", "max", "min" or "kurtosis" of a row's frames
     * \param hold        "none", "max" or "min" of the rows so far
     * \param density_columns 1 ... 65536; 0: rows have no density
     * \param density_levels  1 ... 256
     * \param density_low,density_high range of the levels in dB; low < high
     * \param density_first_bin,density_bins what is counted, by places in the row;
     *                    default all from the first bin on, 0 bins is none
     * \throws std::invalid_argument for a value out of range
     */
    static sptr make(std::int64_t fft_size,
                     std::optional<std::int64_t> hop = std::nullopt,
                     const window_spec& window = "hann",
                     std::int64_t average = 1,
                     const std::string& mode = "linear",
                     bool shift = true,
                     const std::string& scaling = "spectrum",
                     double sample_rate = 1.0,
                     double alpha = 1.0,
                     int nthreads = 0,
                     const std::string& engine = "auto",
                     const device_list& device = 0,
                     const std::string& on_error = "stop",
                     const std::string& detector = "mean",
                     const std::string& hold = "none",
                     std::int64_t density_columns = 0,
                     std::int64_t density_levels = 128,
                     double density_low = -140,
                     double density_high = 0,
                     std::int64_t density_first_bin = 0,
                     std::optional<std::int64_t> density_bins = std::nullopt,
                     double device_timeout = 10);

    // Setters, for any time and any thread. One that throws std::invalid_argument has
    // changed nothing.
    virtual void set_hop(std::optional<std::int64_t> hop) = 0;
    virtual void set_window(const window_spec& window) = 0;
    virtual void set_average(std::int64_t average) = 0;
    virtual void set_mode(const std::string& mode) = 0;
    virtual void set_shift(bool shift) = 0;
    virtual void set_scaling(const std::string& scaling) = 0;
    virtual void set_sample_rate(double sample_rate) = 0;
    virtual void set_alpha(double alpha) = 0;
    virtual void set_detector(const std::string& detector) = 0;
    virtual void set_hold(const std::string& hold) = 0;
    virtual void set_nthreads(int n) = 0;

    /*! \brief Range that the density counts: `bins` bins of the row from first_bin on (no
     * value: all of them; 0: none), and levels from low to high in dB. Both begin a new
     * row. */
    virtual void set_density_span(std::int64_t first_bin,
                                  std::optional<std::int64_t> bins) = 0;
    virtual void set_density_range(double low, double high) = 0;

    /*! \brief Begins a new row and a new hold with the next frame. Any thread. */
    virtual void reset_hold() = 0;

    virtual std::int64_t fft_size() const = 0;
    virtual std::int64_t hop() const = 0;
    virtual std::int64_t average() const = 0;
    virtual std::string mode() const = 0;
    virtual bool shift() const = 0;
    virtual std::string scaling() const = 0;
    virtual double sample_rate() const = 0;
    virtual double alpha() const = 0;
    virtual std::string detector() const = 0;
    virtual std::string hold() const = 0;
    virtual int nthreads() const = 0;
    virtual std::int64_t density_columns() const = 0;
    virtual std::int64_t density_levels() const = 0;
    virtual std::int64_t density_first_bin() const = 0;
    virtual std::int64_t density_bins() const = 0;
    virtual double density_low() const = 0;
    virtual double density_high() const = 0;

    /*! \brief Floats in a row; N without density. */
    virtual std::int64_t row_floats() const = 0;
};

typedef power_spectrum<gr_complex> power_spectrum_cf;
typedef power_spectrum<std::int16_t> power_spectrum_sf;
typedef power_spectrum<std::int8_t> power_spectrum_bf;

} // namespace gpufft
} // namespace gr

#endif
