// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kinds of transforms, and a table of their properties.

#ifndef INCLUDED_GPUFFT_TRANSFORM_KIND_H
#define INCLUDED_GPUFFT_TRANSFORM_KIND_H

#include <gnuradio/gpufft/api.h>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief Which transform. The formulas are those of FFTW and of SciPy's norm=None; none
 * of them is scaled. */
enum class transform_kind {
    c2c,  //!< complex to complex
    r2c,  //!< real to complex, forward, the bins 0 ... n/2 of the last axis
    c2r,  //!< the bins 0 ... n/2 to real, inverse; undoes r2c up to the factor n
    zoom, //!< sum_m x[m] exp(-j 2 pi f_k m), f_k = f_start + k (f_stop - f_start) / bins
    filter,    //!< sum_m w_c[m] x[n-1-m], one value per filter c; taps w_c in the window
    synthesis, //!< `taps` rows of n bins to `bins` samples, see problem
    correlation, //!< peaks of the correlations with templates, see problem
    dct1, //!< x[0] + (-1)^k x[n-1] + 2 sum_{0<m<n-1} x[m] cos(pi m k / (n - 1)), n >= 2
    dct2, //!< 2 sum_m x[m] cos(pi (2m + 1) k / (2n))
    dct3, //!< x[0] + 2 sum_{m>0} x[m] cos(pi m (2k + 1) / (2n))
    dct4, //!< 2 sum_m x[m] cos(pi (2m + 1) (2k + 1) / (4n))
    dst1, //!< 2 sum_m x[m] sin(pi (m + 1) (k + 1) / (n + 1))
    dst2, //!< 2 sum_m x[m] sin(pi (2m + 1) (k + 1) / (2n))
    dst3, //!< (-1)^k x[n-1] + 2 sum_{m<n-1} x[m] sin(pi (m + 1) (2k + 1) / (2n))
    dst4, //!< 2 sum_m x[m] sin(pi (2m + 1) (2k + 1) / (4n))
    function //!< a user's function of frames of n bytes, whose rows have `bins` bytes;
             //!< only device_block has it
};

/*! \brief Properties of a kind. Nothing depends on the kinds' order. */
struct kind_properties {
    transform_kind kind;
    const char* name; //!< in a problem's text
    bool reads_real;  //!< real input
    bool stores_real;
    int type;     //!< 1 ... 4 for cosine and sine transforms, else 0
    bool is_sine; //!< dst1 ... dst4
    /*! \brief An axis of n points has the period period * (n + beyond), which is also the
     * factor of a transform followed by its inverse. */
    int period;
    int beyond;

    /*! \brief True for types that SciPy's `orthogonalize` changes; type 4 is orthogonal
     * already. */
    bool has_orthogonal_form() const { return type >= 1 && type <= 3; }
};

/*! \brief One entry for each kind of transform: all but `function`. */
GPUFFT_API const std::vector<kind_properties>& transform_kinds();

GPUFFT_API const kind_properties& properties_of(transform_kind kind);

/*! \brief The cosine or sine transform of this type, 1 ... 4. */
GPUFFT_API transform_kind real_to_real_kind(bool is_sine, int type);

inline bool reads_real(transform_kind kind) { return properties_of(kind).reads_real; }
inline bool stores_real(transform_kind kind) { return properties_of(kind).stores_real; }
//! A transform of real samples or to real samples.
inline bool is_real(transform_kind kind) { return reads_real(kind) || stores_real(kind); }

GPUFFT_API const char* to_string(transform_kind kind);

} // namespace gpufft
} // namespace gr

#endif
