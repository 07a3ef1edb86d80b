// SPDX-License-Identifier: GPL-3.0-or-later
//
// A problem says what is to be computed: transform, direction, length, batch, and the
// steps fused into the load and the store. It says nothing about how; that is the
// recipe's job.

#ifndef INCLUDED_GPUFFT_PROBLEM_H
#define INCLUDED_GPUFFT_PROBLEM_H

#include <cstddef>
#include <gnuradio/gpufft/api.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief Sign of the exponent: forward is exp(-j 2 pi n k / N), inverse exp(+j 2 pi n k
 * / N). Neither is scaled. */
enum class direction { forward, inverse };

/*! \brief Format of one input sample.
 *
 * Integer formats are interleaved I/Q and read with full scale 1: int16 / 32768, int8 /
 * 128.
 */
enum class sample_format {
    cf32, //!< complex64: two 32-bit floats
    f32,  //!< one real 32-bit float, the imaginary part is 0
    cs16, //!< two 16-bit signed integers
    cs8   //!< two 8-bit signed integers
};

/*! \brief What is stored for each bin. */
enum class output_kind {
    complex, //!< X[k], complex64
    power,   //!< |X[k]|^2, averaged as problem says, 32-bit float
    decibel  //!< 10 log10 of that power, 32-bit float
};

/*! \brief Longest length: 2^30 points. */
constexpr std::size_t MAX_FFT_SIZE = std::size_t(1) << 30;

/*!
 * \brief What is to be computed.
 *
 * Frame f reads the samples x[f * hop + m], m = 0 ... n-1, and computes, step by step,
 *
 *     y[m] = x[m] w[m]                          (window)
 *     y[m] <- y[(m + floor(n/2)) mod n]         (shift_input: ifftshift)
 *     X[k] = sum_m y[m] exp(-+j 2 pi m k / n)   (transform)
 *     X[k] <- X[k] scale                        (output complex)
 *     P[k] = scale mean_a |X_a[k]|^2            (output power: mean over `average`
 * frames) P <- smoothing P + (1 - smoothing) P_old  (exponential average over those
 * means) 10 log10 max(P[k], FLT_MIN)               (output decibel) stored at [(k +
 * floor(n/2)) mod n]        (shift_output: fftshift)
 *
 * The fields after shift_output are initial values that the plan's setters change at run
 * time.
 */
struct GPUFFT_API problem {
    direction dir = direction::forward;
    std::size_t n = 1;     //!< transform length, 1 ... 2^30
    std::size_t batch = 1; //!< frames in a typical call; any number can be executed
    sample_format input = sample_format::cf32;
    bool window = false;
    bool shift_input = false;
    output_kind output = output_kind::complex;
    bool shift_output = false;

    std::size_t hop = 0;     //!< samples from one frame's start to the next; 0 means n
    std::size_t average = 1; //!< frames in one mean, >= 1 (power and decibel)
    double smoothing = 1.0;  //!< 0 < smoothing <= 1; 1 is off (power and decibel)
    double scale = 1.0;      //!< factor on X or on P

    /*! \brief The algorithm on the GPU, one of algorithm_names(); empty leaves it to the
     * planner. The cpu engine always takes FFTW. */
    std::string algorithm;

    /*! \brief The case's name, e.g. "c2c_forward_n1009_b3" or
     * "c2c_forward_n4096_b64_cs16_hop2048_window_decibel_shiftout_avg100".
     *
     * Tokens in this order, defaults left out: c2c, forward|inverse, n<N>, b<batch>,
     * real|cs16|cs8, hop<samples>, window, shiftin, power|decibel, shiftout, avg<frames>,
     * smooth<a>, scale<s>, algorithm=<name>. The one-float input format f32 is written
     * "real".
     */
    std::string to_string() const;

    /*! \brief Reads what to_string() writes, tokens after the direction in any order.
     * \throws std::invalid_argument naming the token and what is allowed. */
    static problem from_string(const std::string& text);

    /*! \brief Throws std::invalid_argument, naming value and allowed range, unless every
     * field is in range and the sizes in bytes fit std::size_t. */
    void validate() const;

    std::size_t effective_hop() const { return hop == 0 ? n : hop; }
    std::size_t input_item_bytes() const;  //!< bytes of one input sample
    std::size_t output_item_bytes() const; //!< bytes of one output bin: 8 or 4
    bool is_power() const { return output != output_kind::complex; }
};

/*! \brief The names that problem::algorithm may have, e.g. "stockham", "hierarchical". */
GPUFFT_API std::vector<std::string> algorithm_names();

GPUFFT_API const char* to_string(direction dir);
GPUFFT_API const char* to_string(sample_format format);
GPUFFT_API const char* to_string(output_kind kind);

} // namespace gpufft
} // namespace gr

#endif
