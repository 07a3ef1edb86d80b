// SPDX-License-Identifier: GPL-3.0-or-later
//
// Averaged power spectra of a stream of samples, in one block.

#ifndef INCLUDED_GPUFFT_POWER_SPECTRUM_H
#define INCLUDED_GPUFFT_POWER_SPECTRUM_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/block_settings.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gpufft/window_spec.h>
#include <gnuradio/gr_complex.h>
#include <memory>
#include <optional>
#include <string>

namespace gr {
namespace gpufft {

/*! \brief Settings of power_spectrum. Only fft_size must be given. */
struct GPUFFT_API power_spectrum_settings {
    std::int64_t fft_size = 0;            //!< N, 1 ... 2^28
    std::optional<std::int64_t> hop = {}; //!< samples from frame to frame, 1 ... 2^40;
                                          //!< default N
    window_spec window = "hann";          //!< N taps, a name, a type, or none
    std::int64_t average = 1;             //!< frames in a row, 1 ... 2^40
    std::string mode = "linear";          //!< "linear" or "db"
    bool shift = true;                    //!< DC in bin floor(N/2), else in bin 0
    std::string scaling = "spectrum";     //!< "spectrum", "density" or "none"
    double samp_rate = 1;                 //!< in Hz, > 0; used by "density"
    double alpha = 1;                     //!< weight of the new row in the exponential
                                          //!< average, 0 < alpha <= 1
    std::string detector = "mean";        //!< "mean", "max", "min" or "kurtosis" of a
                                          //!< row's frames
    std::string hold = "none";            //!< "none", "max" or "min" of the rows so far
    std::int64_t density_columns = 0;     //!< 1 ... 65536; 0: rows have no density
    std::int64_t density_levels = 128;    //!< 1 ... 256
    double density_low = -140;            //!< lower end of the levels in dB
    double density_high = 0;              //!< upper end of the levels in dB, > low
    std::int64_t density_first_bin = 0;   //!< first place in the row that is counted
    std::optional<std::int64_t> density_bins = {}; //!< bins that are counted, 0 is none;
                                                   //!< default all from the first on
    int nthreads = 0; //!< threads of the cpu engine, 1 ... 1024; 0 is one for each core
    std::string input = "";  //!< format of the samples, see item_formats; real samples
                             //!< give the bins 0 ... N/2, without shift
    std::string output = ""; //!< "" or "f32": float; "f16": rows of halves
    std::optional<double> overlap = {}; //!< instead of hop: the share of a frame that the
                                        //!< next one repeats, 0 <= overlap < 1

    /*! \brief Samples from frame to frame, as hop or overlap gives them.
     * \throws std::invalid_argument for a value out of range, or if both are given */
    std::int64_t frame_hop() const;
};

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
 * with M = average >= 2, S1 the sum of the frames' powers, S2 the sum of their squares
 * (Nita & Gary, MNRAS 406, L60, 2010). It has no unit and is stored as it is in either
 * mode. Gaussian noise reads 1, with standard deviation 2 M / sqrt((M - 1) (M + 2) (M +
 * 3)), about 2 / sqrt(M), if frames do not overlap; a steady tone, like silence, reads 0;
 * a tone that is on for a fraction d of the frames reads 1 / d - 1.
 *
 * hold "max", "min": the largest or smallest of all rows since the start or the last
 * reset; alpha has no effect then. reset_hold(), or any message to the port `reset`,
 * begins a new row and a new hold with the next frame. So does a change that affects held
 * values (window, scaling, samp_rate, mode, shift, average, detector, hold). Detectors
 * "max" and "min" and holds ignore NaN. With alpha < 1 a row that is not finite (from a
 * NaN, an infinity, or samples whose power overflows single precision) makes all later
 * rows not finite, until reset_hold(), which also restarts the average.
 *
 * With density_columns, rows also count the frames in which each frequency was at each
 * level. A row then has N floats of the detector, N maxima and N minima of the frames'
 * powers, density_columns x density_levels counts (column by column), first bin, bins,
 * low and high of the counted range (see density_grid), and zeros up to row_floats().
 * spectrum_view reads such rows.
 *
 *     c = 1 / (sum w)^2                    scaling "spectrum": a tone of amplitude A
 *                                          reads A^2
 *     c = 1 / (samp_rate sum w^2)          scaling "density": power per Hz, as
 *                                          scipy.signal.welch with detrend=False,
 *                                          return_onesided=False
 *     c = 1                                scaling "none"
 *
 * A tag moves to the row of the last frame that starts at or before its sample; a tag on
 * a sample that hop > N skips, to the next frame's row. A change of mode, shift, detector
 * or hold, or between a window and none, starts a new mean; so do set_average,
 * set_density_span and set_density_range. The size, and the density's columns and levels,
 * determine the port's items and cannot change.
 */
template <class T>
class GPUFFT_API power_spectrum : virtual public gr::block,
                                  virtual public engine_block,
                                  public block_settings<power_spectrum_settings>
{
public:
    typedef std::shared_ptr<power_spectrum<T>> sptr;

    /*! \throws std::invalid_argument for a value out of range */
    static sptr make(const power_spectrum_settings& settings,
                     const engine_options& options = engine_options());

    /*! \brief The same by position: fields of power_spectrum_settings and
     * engine_options. */
    static sptr
    make(std::int64_t fft_size,
         std::optional<std::int64_t> hop = settings_type().hop,
         const window_spec& window = settings_type().window,
         std::int64_t average = settings_type().average,
         const std::string& mode = settings_type().mode,
         bool shift = settings_type().shift,
         const std::string& scaling = settings_type().scaling,
         double samp_rate = settings_type().samp_rate,
         double alpha = settings_type().alpha,
         int nthreads = settings_type().nthreads,
         const std::string& engine = engine_options().engine,
         const device_list& device = engine_options().device,
         const std::string& on_error = engine_options().on_error,
         const std::string& detector = settings_type().detector,
         const std::string& hold = settings_type().hold,
         std::int64_t density_columns = settings_type().density_columns,
         std::int64_t density_levels = settings_type().density_levels,
         double density_low = settings_type().density_low,
         double density_high = settings_type().density_high,
         std::int64_t density_first_bin = settings_type().density_first_bin,
         std::optional<std::int64_t> density_bins = settings_type().density_bins,
         double device_timeout = engine_options().device_timeout);

    // Setters, for any time and any thread. A setter that throws std::invalid_argument
    // has changed nothing.
    void set_hop(std::optional<std::int64_t> hop)
    {
        change([&](settings_type& next) {
            next.hop = hop;
            next.overlap.reset();
        });
    }
    void set_overlap(std::optional<double> overlap)
    {
        change([&](settings_type& next) {
            next.overlap = overlap;
            next.hop.reset();
        });
    }
    void set_window(const window_spec& window) { set(&settings_type::window, window); }
    void set_average(std::int64_t average) { set(&settings_type::average, average); }
    void set_mode(const std::string& mode) { set(&settings_type::mode, mode); }
    void set_shift(bool shift) { set(&settings_type::shift, shift); }
    void set_scaling(const std::string& scaling)
    {
        set(&settings_type::scaling, scaling);
    }
    void set_samp_rate(double samp_rate) { set(&settings_type::samp_rate, samp_rate); }
    void set_sample_rate(double samp_rate) { set_samp_rate(samp_rate); } //!< older name
    void set_alpha(double alpha) { set(&settings_type::alpha, alpha); }
    void set_detector(const std::string& detector)
    {
        set(&settings_type::detector, detector);
    }
    void set_hold(const std::string& hold) { set(&settings_type::hold, hold); }
    void set_nthreads(int n) { set(&settings_type::nthreads, n); }

    /*! \brief Set the range that the density counts: `bins` bins of the row from
     * first_bin on (no value: all of them; 0: none), and levels from low to high in dB.
     * Both begin a new row. */
    void set_density_span(std::int64_t first_bin, std::optional<std::int64_t> bins)
    {
        change([&](settings_type& next) {
            next.density_first_bin = first_bin;
            next.density_bins = bins;
        });
    }
    void set_density_range(double low, double high)
    {
        change([&](settings_type& next) {
            next.density_low = low;
            next.density_high = high;
        });
    }

    /*! \brief Begins a new row and a new hold with the next frame. Any thread. */
    virtual void reset_hold() = 0;

    std::int64_t fft_size() const { return settings().fft_size; }
    std::int64_t average() const { return settings().average; }
    std::string mode() const { return settings().mode; }
    bool shift() const { return settings().shift; }
    std::string scaling() const { return settings().scaling; }
    double samp_rate() const { return settings().samp_rate; }
    double sample_rate() const { return samp_rate(); } //!< older name
    double alpha() const { return settings().alpha; }
    std::string detector() const { return settings().detector; }
    std::string hold() const { return settings().hold; }
    int nthreads() const { return settings().nthreads; }
    std::int64_t density_columns() const { return settings().density_columns; }
    std::int64_t density_levels() const { return settings().density_levels; }
    std::int64_t density_first_bin() const { return settings().density_first_bin; }
    double density_low() const { return settings().density_low; }
    double density_high() const { return settings().density_high; }

    std::int64_t hop() const { return settings().frame_hop(); }
    std::int64_t density_bins() const
    {
        const settings_type now = settings();
        return now.density_bins.value_or(now.fft_size - now.density_first_bin);
    }

    /*! \brief Numbers in a row; without density N, or N/2 + 1 of real samples. */
    virtual std::int64_t row_floats() const = 0;
};

typedef power_spectrum<gr_complex> power_spectrum_cf;
typedef power_spectrum<std::int16_t> power_spectrum_sf;
typedef power_spectrum<std::int8_t> power_spectrum_bf;

} // namespace gpufft
} // namespace gr

#endif
