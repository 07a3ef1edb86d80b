// SPDX-License-Identifier: GPL-3.0-or-later
//
// The three parts of a problem: which transform, how samples and rows lie in memory, and
// the values that a plan's setters change.

#ifndef INCLUDED_GPUFFT_PROBLEM_PARTS_H
#define INCLUDED_GPUFFT_PROBLEM_PARTS_H

#include <cstddef>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/transform_kind.h>
#include <string>
#include <tuple>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief Sign of the exponent: forward is exp(-j 2 pi n k / N), inverse exp(+j 2 pi n k
 * / N). Neither is scaled. */
enum class direction { forward, inverse };

/*! \brief Format of one input sample.
 *
 * Complex samples are interleaved I/Q. Integers are read with full scale 1: int16 /
 * 32768, 12 bits / 2048, 10 bits / 512, int8 / 128. The arithmetic is single precision,
 * and double for cf64 and f64.
 */
enum class sample_format {
    cf32, //!< complex64: two 32-bit floats
    f32,  //!< one real 32-bit float
    cs16, //!< two 16-bit signed integers
    cs8,  //!< two 8-bit signed integers
    cf16, //!< two 16-bit floats (IEEE 754 half)
    f16,  //!< one real 16-bit float
    s16,  //!< one real 16-bit signed integer
    s8,   //!< one real 8-bit signed integer
    cf64, //!< complex128: two 64-bit floats
    f64,  //!< one real 64-bit float
    cs12, //!< two 12-bit signed integers in 3 bytes, the highest bits first: I 11-4; I
          //!< 3-0, Q 11-8; Q 7-0
    s12,  //!< real 12-bit signed integers, two in 3 bytes, packed as those of cs12
    s10   //!< real 10-bit signed integers, four (a, b, c, d) in 5 bytes, the highest bits
          //!< first: a 9-2; a 1-0, b 9-4; b 3-0, c 9-6; c 5-0, d 9-8; d 7-0
};

/*! \brief What is stored for each bin. */
enum class output_kind {
    complex, //!< X[k]
    power,   //!< |X[k]|^2, averaged as problem says
    decibel, //!< 10 log10 of that power
    real     //!< X[k] of the kinds that store real numbers
};

/*! \brief Number format of outputs: powers and decibels have the first two.
 *
 * Integers are rounded to the nearest and saturate, full scale 1: int16 = 32768 X, int8 =
 * 128 X.
 */
enum class number_format {
    working, //!< the arithmetic's own: 32-bit float, or 64-bit for cf64 and f64 input
    f16,     //!< 16-bit float
    s16,     //!< 16-bit signed integer
    s8       //!< 8-bit signed integer
};

/*! \brief How a row combines the powers |X|^2 of its `average` frames. NaN counts for the
 * mean and the kurtosis; max and min ignore it if any frame has a number. */
enum class detector_kind {
    mean,    //!< their mean
    max,     //!< the largest: what a spectrum analyser calls positive peak
    min,     //!< the smallest: negative peak
    kurtosis //!< spectral kurtosis (M + 1) / (M - 1) (M S2 / S1^2 - 1) with M = average,
             //!< S1 the sum of the powers, S2 the sum of their squares (Nita & Gary,
             //!< MNRAS 406, L60, 2010): 1 +- 2 / sqrt(M) for Gaussian noise, 0 for a
             //!< steady tone and silence, above 1 for rare bursts. It is not scaled.
};

/*! \brief What a row of a correlation holds, see problem. */
enum class peak_rows {
    templates, //!< the peak of each template
    best,      //!< the largest of these peaks
    grid       //!< all powers: templates x shifts x delays
};

/*! \brief How a row combines with the rows before it, bin by bin. */
enum class hold_kind {
    none, //!< only `smoothing` acts
    max,  //!< the largest so far; `smoothing` does not act
    min   //!< the smallest so far; `smoothing` does not act
};

/*!
 * \brief Counts of how often each frequency was at each level, which rows may have.
 *
 * Level l of `levels` counts powers (times `scale`) with 10 log10 in low + [l, l + 1)
 * (high - low) / levels; powers beyond count in the lowest or highest level. Column c of
 * min(columns, bins) has the bins first + [c bins / columns, (c + 1) bins / columns), by
 * their places in the row; further columns stay 0. Every bin of a column is counted in
 * every frame, except NaN.
 */
struct GPUFFT_API density_grid {
    std::size_t columns = 0; //!< 1 ... 65536; 0: rows have no density
    std::size_t levels = 0;  //!< 1 ... 256

    static constexpr std::size_t TO_THE_END = ~std::size_t(0);
    std::size_t first = 0;         //!< first bin counted
    std::size_t bins = TO_THE_END; //!< bins counted, from `first` on; 0: none
    double low = -140, high = 0;   //!< in dB, low < high

    std::size_t cells() const { return columns * levels; }
    auto fields() const { return std::tie(columns, levels, first, bins, low, high); }
    bool operator==(const density_grid& other) const
    {
        return fields() == other.fields();
    }
    bool operator!=(const density_grid& other) const { return !(*this == other); }
};

/*! \brief Which transform, with the steps before and after it. */
struct GPUFFT_API transform {
    transform_kind kind = transform_kind::c2c;
    direction dir = direction::forward; //!< direction of c2c; r2c is forward, c2r inverse
    std::size_t n = 1; //!< points of one transform: its length, 1 ... 2^34, or the
                       //!< product of `lengths`
    std::vector<std::size_t> lengths; //!< lengths of the axes, if there are several
    bool window = false;
    bool shift_input = false;
    output_kind output = output_kind::complex;
    bool shift_output = false;

    /*! \brief Samples that each point sums, weighted by the window: taps > 1 is a
     * polyphase bank of n channels (r2c: the n / 2 + 1 of a real band) with frames of n *
     * taps samples. Only for c2c and r2c of one axis in single precision, with a window,
     * without shift_input and strides.
     * Synthesis: rows of the bank in each frame. */
    std::size_t taps = 1;

    /*! \brief The taps of a filter of complex samples are complex: the window has n pairs
     * of real and imaginary part. */
    bool complex_taps = false;

    /*! \brief Phases count from one sample of the stream, not from each frame's first:
     * frame f begins at position + f * hop, see plan::set_position(). It makes c2c and
     * r2c a polyphase bank, with the limits of `taps`, complex output and no gaps between
     * frames; filters of complex samples may have it, too. */
    bool running = false;

    /*! \brief Makes the matrix of a dct or dst of type 1, 2 or 3 orthogonal up to a
     * factor: SciPy's `orthogonalize`. */
    bool orthogonal = false;

    /*! \brief On a GPU each real frame of odd length has its own transform, so that its
     * result does not depend, bit for bit, on other frames; this takes up to twice the
     * time. Otherwise two frames share a transform. Blocks set it. */
    bool alone = false;

    /*! \brief A number whose meaning depends on the kind:
     *  - zoom: number of bins, n + bins <= 2^30; 0 means n;
     *  - filter: number of filters, n * bins <= 2^30; 0 means 1;
     *  - synthesis: samples in a row, at most n; 0 means n;
     *  - correlation: number of templates, 0 means 1;
     *  - polyphase bank with complex output, without shift_output: bins in a row, at
     *    most n (r2c: n / 2 + 1), where place i holds bin map[i] (see plan::set_map()); 0
     * means all. */
    std::size_t bins = 0;
    double f_start = 0.0, f_stop = 1.0; //!< band of zoom, or of the shifts of a
                                        //!< correlation, in cycles per sample, f_stop
                                        //!< excluded, at most 1 apart

    /*! \brief Of a correlation, see problem: frequency shifts, 1 ... 65536; delays, 1
     * ... n, 0 means n; blocks whose powers are summed. Its `taps` periods of n samples
     * in a block are summed before the transform. */
    std::size_t shifts = 1, delays = 0, blocks = 1;
    peak_rows peaks = peak_rows::templates;

    /*! \brief Expressions of a user, of which the last sees what the others made, in the
     * grammar of Python: `load` of the sample x (c2c, zoom, correlation), `product` of a
     * bin x of the block's spectrum and the bin h of the template's conjugate spectrum
     * (correlation; x * h if it is empty), `store` of the scaled bin x (c2c; with output
     * power it gives the real number that is stored). Other names than x, h, pi and the
     * functions' are parameters, see plan::set_parameter(). No names have `_`. Only in
     * single precision, without strides and averages. */
    std::string load, product, store;

    /*! \brief Kurtosis only with output power and average >= 2. */
    detector_kind detector = detector_kind::mean;

    auto fields() const
    {
        return std::tie(kind,
                        dir,
                        n,
                        lengths,
                        window,
                        shift_input,
                        output,
                        shift_output,
                        taps,
                        complex_taps,
                        running,
                        orthogonal,
                        alone,
                        bins,
                        f_start,
                        f_stop,
                        shifts,
                        delays,
                        blocks,
                        peaks,
                        load,
                        product,
                        store,
                        detector);
    }
    bool operator==(const transform& other) const { return fields() == other.fields(); }
};

/*! \brief How samples and rows lie in memory, and in which formats. */
struct GPUFFT_API memory_layout {
    std::size_t batch = 1; //!< frames in a typical call; any number can be executed
    sample_format input = sample_format::cf32;
    number_format stored = number_format::working;

    /*! \brief Samples from one point to the next along each axis; empty is C order
     * without gaps. No two points of a row may lie at the same place. */
    std::vector<std::size_t> input_strides, output_strides;
    std::size_t output_distance = 0; //!< bins from row to row; 0: without gaps

    auto fields() const
    {
        return std::tie(
            batch, input, stored, input_strides, output_strides, output_distance);
    }
    bool operator==(const memory_layout& other) const
    {
        return fields() == other.fields();
    }
};

/*! \brief The values that plan::set() changes, except the density's columns and
 * levels. */
struct GPUFFT_API row_values {
    /*! \brief Only for power and decibel, and not with the kurtosis. */
    density_grid density;

    std::size_t hop = 0; //!< samples from frame to frame; 0: see effective_hop(). Fixed
                         //!< for the plan of a filter
    std::size_t average = 1; //!< frames in one mean, >= 1 (power and decibel)
    double smoothing = 1.0;  //!< 0 < smoothing <= 1; 1 is off (power and decibel)
    hold_kind hold = hold_kind::none; //!< (power and decibel)
    double scale = 1.0;               //!< factor on X or on P

    auto fields() const
    {
        return std::tie(density, hop, average, smoothing, hold, scale);
    }
    bool operator==(const row_values& other) const { return fields() == other.fields(); }
};

} // namespace gpufft
} // namespace gr

#endif
