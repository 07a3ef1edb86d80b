// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searches a stream for many templates at many frequency shifts and all delays.

#ifndef INCLUDED_GPUFFT_CORRELATOR_BANK_H
#define INCLUDED_GPUFFT_CORRELATOR_BANK_H

#include <cstdint>
#include <gnuradio/block.h>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/block_settings.h>
#include <gnuradio/gpufft/device_list.h>
#include <gnuradio/gpufft/engine_block.h>
#include <gnuradio/gr_complex.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief Settings of correlator_bank. Only templates must be given. */
struct GPUFFT_API correlator_bank_settings {
    std::vector<std::vector<gr_complex>> templates; //!< K of them, of L samples each
    std::vector<double> shifts = { 0 }; //!< D frequencies in Hz, evenly spaced; their
                                        //!< spacing times D is at most samp_rate
    double samp_rate = 1;               //!< in Hz, > 0
    std::optional<std::int64_t> fft_size = {}; //!< N, L or more; default L, or with
                                               //!< delays the next fast one
    std::optional<std::int64_t> delays = {};   //!< delays that are searched: up to N if N
                                               //!< is L, else up to N - L + 1, which is
                                               //!< the default
    std::optional<std::int64_t> hop = {};      //!< samples from frame to frame; default a
                                          //!< frame's, or its delays if N > L and a frame
                                          //!< is one period
    std::int64_t coherent = 1;       //!< periods of N samples that are added
    std::int64_t noncoherent = 1;    //!< blocks of them whose powers are added
    std::string peaks = "templates"; //!< "templates", "best" or "grid"
    std::string load = "";           //!< expression of each sample x before all else, and
    std::string product = ""; //!< of a bin x of a block's spectrum and the bin h of the
                              //!< conjugate spectrum of a template, in the place of x *
                              //!< h: see problem_parts.h
    std::map<std::string, float> parameters = {}; //!< of these expressions, by name;
                                                  //!< those not given are 1
    int nthreads = 0;       //!< threads of the cpu engine, 1 ... 1024; 0 is one for each
                            //!< core
    std::string input = ""; //!< "" or "cf32": complex64; or cs16, cs12, cs8, cf16, see
                            //!< item_formats
};

/*!
 * \brief Correlates frames of a stream with K templates at D frequency shifts and U
 * delays, and gives the peaks.
 *
 * Frame f has the samples from f hop on: `noncoherent` blocks of `coherent` periods of N
 * samples. With t_k the template, ended with zeros if L < N, and f_d the shift,
 *
 *     y[m] = sum_c x[m + c N] exp(-j 2 pi f_d (m + c N) / samp_rate), c < coherent
 *     P[k, d, u] = sum |sum_i y[(u + i) mod N] conj(t_k[i])|^2        over the blocks
 *
 * A row of the output has five floats for each template, or with peaks "best" for the
 * template of the largest peak alone:
 *
 *     template k, number d of the shift, delay u, ratio, power P[k, d, u]
 *
 * of the largest P of the template, where ratio is P over the mean of the template's D U
 * powers (0 in silence). With peaks "grid" the row has all K D U powers, the delay
 * fastest.
 *
 * With N = L the correlation is circular: the template repeats in the stream (codes of
 * navigation satellites), or a frame begins within a cyclic prefix (PRACH). With N > L it
 * is a search for a single template that begins at sample f hop + u; with the default
 * hop every sample of the stream is a delay of one frame.
 *
 * In white noise alone each of a template's D U powers exceeds r times their mean with
 * the probability exp(-M r) sum_{i<M} (M r)^i / i!, where M is noncoherent.
 *
 * A tag moves to the row of the last frame that starts at or before its sample. Numbers
 * of templates, shifts and delays, N and the blocks determine the ports and cannot
 * change. A GPU takes N up to 16384 with prime factors up to 61, and any other with
 * N + delays up to 16385, except with product=.
 */
class GPUFFT_API correlator_bank : virtual public gr::block,
                                   virtual public engine_block,
                                   public block_settings<correlator_bank_settings>
{
public:
    typedef std::shared_ptr<correlator_bank> sptr;

    /*! \throws std::invalid_argument for a value out of range */
    static sptr make(const correlator_bank_settings& settings,
                     const engine_options& options = engine_options());

    // Setters, for any time and any thread. A setter that throws std::invalid_argument
    // has changed nothing.
    void set_templates(const std::vector<std::vector<gr_complex>>& templates)
    {
        set(&settings_type::templates, templates);
    }
    void set_shifts(const std::vector<double>& shifts)
    {
        set(&settings_type::shifts, shifts);
    }
    void set_samp_rate(double samp_rate) { set(&settings_type::samp_rate, samp_rate); }
    void set_hop(std::optional<std::int64_t> hop) { set(&settings_type::hop, hop); }
    void set_nthreads(int n) { set(&settings_type::nthreads, n); }
    void set_parameter(const std::string& name, float value)
    {
        change([&](settings_type& next) { next.parameters[name] = value; });
    }
    void set_parameters(const std::map<std::string, float>& parameters)
    {
        set(&settings_type::parameters, parameters);
    }

    std::vector<double> shifts() const { return settings().shifts; }
    double samp_rate() const { return settings().samp_rate; }
    std::string peaks() const { return settings().peaks; }
    int nthreads() const { return settings().nthreads; }

    virtual std::int64_t fft_size() const = 0;   //!< N
    virtual std::int64_t delays() const = 0;     //!< U
    virtual std::int64_t hop() const = 0;        //!< samples from frame to frame
    virtual std::int64_t row_floats() const = 0; //!< floats in a row
};

} // namespace gpufft
} // namespace gr

#endif
