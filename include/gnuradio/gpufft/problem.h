// SPDX-License-Identifier: GPL-3.0-or-later
//
// A problem says what to compute: transform, direction, lengths, batch, layout, and the
// steps fused into the load and the store. How to compute it is the recipe's job.

#ifndef INCLUDED_GPUFFT_PROBLEM_H
#define INCLUDED_GPUFFT_PROBLEM_H

#include <cstddef>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/problem_parts.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief Largest numbers of columns and levels of a density. */
constexpr std::size_t MAX_DENSITY_COLUMNS = 65536, MAX_DENSITY_LEVELS = 256;

/*! \brief Largest length of an axis, and largest number of points of one transform:
 * 2^30 in a block, in a filter, a bank or a zoom. */
constexpr std::size_t MAX_FFT_SIZE = std::size_t(1) << 30;

/*! \brief The same of other plans, which transform one array: 2^34. */
constexpr std::size_t MAX_ARRAY_POINTS = std::size_t(1) << 34;

/*! \brief Largest number of frequency shifts of a correlation. */
constexpr std::size_t MAX_SHIFTS = 65536;

/*! \brief Numbers of a peak in a row of a correlation: template, shift, delay, ratio,
 * power. */
constexpr std::size_t PEAK_NUMBERS = 5;

/*! \brief Largest number of axes of one transform. */
constexpr std::size_t MAX_AXES = 32;

/*! \brief What to compute.
 *
 * Frame f reads the samples x[f * hop + m], m = 0 ... n-1, and computes, step by step,
 *
 *     y[m] = x[m] w[m]                          (window)
 *     y[m] = sum_p x[m + p n] w[m + p n]        (window with taps: p = 0 ... taps-1)
 *     y[m] <- y[(m + floor(n/2)) mod n]         (shift_input: ifftshift)
 *     y[m] <- y[(m - position) mod n]           (running: position of the frame)
 *     X[k] = sum_m y[m] exp(-+j 2 pi m k / n)   (transform; others: transform_kind)
 *     X[k] <- X[k] scale                        (output complex and real)
 *     P[k] = scale mean_a |X_a[k]|^2            (output power, over `average` frames;
 *                                                other detectors: detector_kind)
 *     P <- smoothing P + (1 - smoothing) P_old  (exponential average over rows)
 *     P <- max(P, P_old), or min                (hold)
 *     10 log10 max(P[k], FLT_MIN)               (output decibel)
 *     stored at [(k + floor(n/2)) mod n]        (shift_output: fftshift)
 *
 * With several axes, m, k and n stand for one index or length per axis. Frames, rows and
 * windows are in C order (last axis fastest), and shifts act on every axis. shift_input
 * is for c2c and r2c, shift_output for c2c and c2r.
 *
 * A filter computes one output sample per frame: its hop is the decimation, 1 ... n, and
 * 0 means 1. It has no window step; the window holds its n taps. Several filters of
 * complex samples (`bins`) have n taps each, filter after filter, and a row has one value
 * per filter. `running` filters are copies of one filter of n taps, shifted to
 * frequencies s_c (see plan::set_rotations()), whose outputs are shifted back to 0. With
 * t the stream position of the frame's newest sample,
 *
 *     X[c] = exp(-j 2 pi (s_c t + phase_c)) sum_m w[m] exp(j 2 pi s_c m) x[t - m]
 *
 * A synthesis undoes a polyphase bank of n channels with a hop of R = `bins` samples. Its
 * frame holds the bins V_p[k] of `taps` of the bank's rows, the newest (p = 0) last; its
 * row holds the R samples
 *
 *     y[i] = scale sum_p w[i + p R] sum_k V_p[k] exp(+j 2 pi k (i + t) / n)
 *
 * where t = R (position / n + taps - 1) is the number of samples that the bins before V_0
 * give. Its hop is n, and the window has R * taps numbers.
 *
 * A correlation compares a frame of `blocks` blocks of `taps` n samples with the K =
 * `bins` templates t_k of n complex samples in the window, at the frequencies f_d =
 * f_start
 * + d (f_stop - f_start) / shifts, d = 0 ... shifts-1, and at the delays 0 ... delays-1:
 *
 *     y[m] = sum_c x[m + c n] exp(-j 2 pi f_d (m + c n)),  c = 0 ... taps-1
 *     P[k, d, u] = scale sum |sum_i y[(u + i) mod n] conj(t_k[i])|^2   over the blocks
 *
 * A row has PEAK_NUMBERS numbers for each template, or for that with the largest peak:
 * the template k, the d and u of its largest P (of equal ones those with the lowest d,
 * then the lowest u), that P divided by the mean of the template's P (0 if all are 0),
 * and that P. Templates with fewer than n samples end with zeros; then delays up to n -
 * their length do not wrap around. `peaks` grid stores all P instead.
 *
 * A row with a `density` is longer: the detector's values, the maxima and the minima of
 * the frames' powers (times scale, without smoothing and hold), the counts column by
 * column, the counted range (first, bins, low, high), and zeros up to row_items().
 *
 * The row_values are initial values that the plan's setters change at run time.
 */
struct GPUFFT_API problem : transform, memory_layout, row_values {
    /*! \brief The algorithm on the GPU, one of algorithm_names(); empty leaves it to the
     * planner. The cpu engine always takes FFTW. */
    std::string algorithm;

    bool operator==(const problem& other) const
    {
        return transform::operator==(other) && memory_layout::operator==(other) &&
               row_values::operator==(other) && algorithm == other.algorithm;
    }
    bool operator!=(const problem& other) const { return !(*this == other); }
    void set(const row_values& values) { row_values::operator=(values); }

    /*! \brief A plain problem with the input and output formats of its kind in this
     * precision. \throws std::invalid_argument as validate(). */
    static problem make(transform_kind kind,
                        const std::vector<std::size_t>& lengths,
                        std::size_t batch = 1,
                        bool is_double = false);

    /*! \brief The problem's name, e.g. "c2c_forward_n1009_b3", "r2c_n4096_b64",
     * "dct2_n1000_b8_f64", "c2c_inverse_n256x256_b2" or
     * "c2c_forward_n4096_b64_cs16_hop2048_window_decibel_shiftout_avg100".
     *
     * It has these tokens in this order, without defaults: the kind, c2c with
     * forward|inverse, n<N> or n<N>x<M>..., b<batch>,
     * real|cs16|cs12|cs8|cf16|f16|s16|s12|s10|s8, f64, hop<samples>, istrides<S>x<T>...,
     * ostrides<S>x<T>..., odist<bins>, window, taps<count>, running, ctaps
     * (complex_taps), shiftin, power|decibel, outf16|outs16|outs8, shiftout, ortho,
     * alone, bins<bins>, from<f>, to<f>, shifts<count>, delays<count>, blocks<count>,
     * templates|best|grid, load=<expression>, product=<expression>, store=<expression>,
     * max|min|kurtosis, density<columns>x<levels>, first<bin>, span<bins>, low<dB>,
     * high<dB>, avg<frames>, smooth<a>, holdmax|holdmin, scale<s>, algorithm=<name>.
     * "real" is c2c from real samples, or a filter of them. A filter, a synthesis and a
     * correlation always have a window, which is left out.
     */
    std::string to_string() const;

    /*! \brief Reads what to_string() writes, tokens after the direction in any order.
     * \throws std::invalid_argument that names the token and what is allowed. */
    static problem from_string(const std::string& text);

    /*! \brief Throws std::invalid_argument, with the value and the allowed range, unless
     * every field is in range and the sizes in bytes fit std::size_t. */
    void validate() const;

    std::vector<std::size_t> axes() const; //!< the lengths of all axes, one or more
    bool is_double() const;                //!< arithmetic in double precision
    bool is_real_to_real() const { return reads_real(kind) && stores_real(kind); }
    /*! \brief True for a polyphase bank: c2c or r2c with taps > 1, or `running`. */
    bool is_polyphase_bank() const
    {
        return kind != transform_kind::synthesis && !is_correlation() &&
               (taps > 1 || (running && kind != transform_kind::filter));
    }
    /*! \brief Channels of a polyphase bank: n, or those of a real band, n / 2 + 1. */
    std::size_t bank_channels() const
    {
        return kind == transform_kind::r2c ? n / 2 + 1 : n;
    }
    bool is_correlation() const { return kind == transform_kind::correlation; }
    bool is_filter_bank() const { return is_polyphase_bank(); } //!< its earlier name
    /*! \brief True for filters that shift channels at any frequencies to 0 (`running`),
     * or several filters of one input (`bins` > 1). */
    bool is_channel_bank() const
    {
        return kind == transform_kind::filter && (running || bins > 1);
    }
    /*! \brief True for a polyphase bank whose rows have the bins of a map. */
    bool picks_bins() const { return is_polyphase_bank() && bins > 0; }
    bool is_power() const
    {
        return output == output_kind::power || output == output_kind::decibel;
    }

    /*! \brief The names of the parameters in its expressions, sorted. */
    std::vector<std::string> parameter_names() const;
    bool has_expressions() const
    {
        return !(load.empty() && product.empty() && store.empty());
    }

    /*! \brief True if rows hold integers, which saturate. */
    bool stores_integers() const
    {
        return stored == number_format::s16 || stored == number_format::s8;
    }

    /*! \brief True if a row depends on the rows before it. */
    bool keeps_rows() const { return smoothing < 1.0 || hold != hold_kind::none; }
    /*! \brief True if a plan keeps a mean_state from frame to frame. */
    bool has_mean() const
    {
        return is_power() && (average > 1 || keeps_rows() || has_density());
    }
    bool has_density() const { return density.columns > 0; }
    /*! \brief Values per bin in a row: one; with a density three (detector, maximum,
     * minimum). */
    std::size_t row_traces() const { return has_density() ? 3 : 1; }
    /*! \brief Numbers of an unfinished row: joined_values() of the finished groups of
     * frames, the density's cells, then joined_values() of the current group. */
    std::size_t mean_sums() const { return 2 * joined_values() + density.cells(); }
    /*! \brief Numbers in the sum of a group of frames: one per bin, two for the kurtosis,
     * with a density row_traces(). */
    std::size_t joined_values() const
    {
        return row_bins() * (detector == detector_kind::kurtosis ? 2 : row_traces());
    }
    /*! \brief Bins that the density counts. */
    std::size_t counted_bins() const
    {
        return density.bins < row_bins() - density.first ? density.bins
                                                         : row_bins() - density.first;
    }

    std::size_t frame_samples() const; //!< samples (c2r: bins) in a frame: n * taps; c2r:
                                       //!< half
    std::size_t row_bins() const;      //!< bins in a row: n, or see `bins`; r2c: half
    std::size_t row_items() const;     //!< items in a row: its bins, or with a density
                                       //!< all its numbers, a multiple of 1024 (whole
                                       //!< pages)
    std::size_t window_numbers() const; //!< numbers in a window: one per tap, two if it
                                        //!< is complex
    std::size_t input_span() const;     //!< from a frame's first sample to one past its
                                        //!< last
    std::size_t output_span() const;    //!< the same for a row
    std::size_t effective_hop() const
    {
        return hop != 0                            ? hop
               : kind == transform_kind::filter    ? 1
               : kind == transform_kind::synthesis ? n
                                                   : input_span();
    }
    std::size_t effective_output_distance() const
    {
        return output_distance == 0 ? output_span() : output_distance;
    }
    /*! \brief True if rows lie one after the other in C order without gaps. */
    bool has_plain_rows() const;

    std::size_t input_item_bytes() const; //!< bytes of one input item
    /*! \brief Samples of one input item: 1, but of s12 2 and of s10 4, which need r2c or
     * a filter, and a hop of whole items. */
    std::size_t samples_in_item() const
    {
        return input == sample_format::s12 ? 2 : input == sample_format::s10 ? 4 : 1;
    }
    /*! \brief Items that hold so many samples, from the first of an item on. */
    std::size_t input_items(std::size_t samples) const
    {
        return (samples + samples_in_item() - 1) / samples_in_item();
    }
    std::size_t hop_items() const { return input_items(effective_hop()); }
    std::size_t span_items() const { return input_items(input_span()); }
    std::size_t input_bytes(std::size_t samples) const
    {
        return input_items(samples) * input_item_bytes();
    }
    std::size_t output_item_bytes() const; //!< bytes of one output bin
};

/*! \brief The names that problem::algorithm may have, e.g. "stockham", "hierarchical". */
GPUFFT_API std::vector<std::string> algorithm_names();

GPUFFT_API bool is_complex(sample_format format);

/*! \brief The sample format that has the arithmetic's precision. */
GPUFFT_API sample_format working_format(bool is_complex, bool is_double);

GPUFFT_API const char* to_string(direction dir);
GPUFFT_API const char* to_string(sample_format format);
GPUFFT_API const char* to_string(output_kind kind);
GPUFFT_API const char* to_string(number_format format);
GPUFFT_API const char* to_string(detector_kind detector);
GPUFFT_API const char* to_string(peak_rows rows);
GPUFFT_API const char* to_string(hold_kind hold);

} // namespace gpufft
} // namespace gr

#endif
