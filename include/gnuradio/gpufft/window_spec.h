// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window given by taps, by name or by gr-fft's type. A name or a type fits transforms
// of any size.

#ifndef INCLUDED_GPUFFT_WINDOW_SPEC_H
#define INCLUDED_GPUFFT_WINDOW_SPEC_H

#include <cstddef>
#include <gnuradio/fft/window.h>
#include <gnuradio/gpufft/api.h>
#include <optional>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*!
 * \brief The window of a transform.
 *
 * Converts from taps, a name such as "hann" or "blackmanharris" (names() lists them;
 * case, '-', '_' and spaces do not matter), or a win_type of gr::fft::window. The taps of
 * a name or type are those of gr::fft::window::build.
 */
class GPUFFT_API window_spec
{
public:
    /*! \brief No window. */
    window_spec() = default;

    /*! \brief These taps; none at all is no window. */
    window_spec(const std::vector<float>& taps);

    /*! \brief A window by gr-fft's type; WIN_NONE is no window.
     * \param type one of gr::fft::window::win_type
     * \throws std::invalid_argument for a number that is no type */
    window_spec(int type);

    /*! \brief A window with a parameter.
     * \param type  WIN_KAISER, WIN_EXPONENTIAL, WIN_GAUSSIAN or WIN_TUKEY
     * \param param beta of kaiser, d of exponential (0 ... 1e300), sigma of gaussian
     * (1e-18 ... 1e18), alpha of tukey (0 ... 1)
     * \throws std::invalid_argument for a window without a parameter, or out of range */
    window_spec(int type, double param);

    /*! \brief A window by name.
     * \throws std::invalid_argument that lists the names */
    window_spec(const std::string& name);

    /*! \brief A window by name, with a parameter. */
    window_spec(const std::string& name, double param);
    window_spec(const char* name) : window_spec(std::string(name)) {}

    /*! \brief True if the taps are all 1: nothing to multiply. */
    bool is_none() const;

    /*! \brief True unless taps were given and there are not exactly n of them. */
    bool fits(std::size_t n) const;

    /*! \brief True if taps were given, not a name or a type. */
    bool has_taps() const { return !d_taps.empty(); }

    /*! \brief Its name, e.g. "hann"; "none" for taps. */
    std::string name() const;

    /*! \brief The n taps; empty if is_none().
     * \param size name of n in the error's text
     * \throws std::invalid_argument if they do not fit, n is not 1 ... MAX_FFT_SIZE, the
     * window needs a parameter, or its parameter leaves no tap above 0 */
    std::vector<float> build(std::size_t n, const char* size = "fft_size") const;

    /*! \brief "none, rectangular, hamming, ..." */
    static std::string names();

private:
    fft::window::win_type d_type = fft::window::WIN_NONE;
    std::optional<double> d_param;
    std::vector<float> d_taps; // used if not empty
};

} // namespace gpufft
} // namespace gr

#endif
