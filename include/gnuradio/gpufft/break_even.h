// SPDX-License-Identifier: GPL-3.0-or-later
//
// CPU or GPU: what both make of a problem on this machine, measured once and kept.

#ifndef INCLUDED_GPUFFT_BREAK_EVEN_H
#define INCLUDED_GPUFFT_BREAK_EVEN_H

#include <cstddef>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/plan.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief Seconds of one chunk, that is of frames that travel together, from host memory
 * to host memory. 0: not measured. */
struct GPUFFT_API chunk_times {
    std::size_t frames = 0;
    double cpu = 0;        //!< on the CPU
    double cuda = 0;       //!< through the GPU, three at a time: what each one adds
    double cuda_delay = 0; //!< through the GPU, one by itself
};

/*! \brief What CPU and GPU make of chunks of several sizes. */
struct GPUFFT_API break_even {
    problem what;         //!< as it was measured, see find_break_even()
    int threads = 1;      //!< of the CPU
    std::string cpu;      //!< its name
    std::string card;     //!< the GPU's name, "" without one
    std::string obstacle; //!< why the GPU does not compute this; "" if it does

    /*! \brief The smallest chunk first: one frame, 16 KiB, then four times as much up to
     * 16 MiB, of input or output, whichever is more. Less where that would take long;
     * none for frames of more than 16 MiB. */
    std::vector<chunk_times> chunks;

    /*! \brief Bytes of input or output, whichever are more, that a frame adds. */
    std::size_t frame_bytes() const;

    /*! \brief Samples a second of a stream that cpu or cuda sustains in the chunks that
     * blocks send under load: 16 MiB on the GPU, 1 MiB for each thread (at most 4) on the
     * CPU. 0 if that was not measured. */
    double samples_per_second(engine_kind engine) const;

    /*! \brief The engine with the higher rate, which blocks with engine "auto" take. Not
     * measured: the GPU if it can compute it. */
    engine_kind faster() const;

    /*! \brief Why, in a few words: "auto: GPU 6 Gsps, CPU 310 Msps". */
    std::string reason() const;
};

/*!
 * \brief The break-even table of a problem on this machine: read from the file
 * break_even.txt in cache_directory(), or measured, which takes a fraction of a second,
 * and stored there.
 *
 * Measured is the problem as blocks have it: with any batch, scale and smoothing it is
 * the same. Device trouble and lengths that the GPU does not have are the table's
 * obstacle, and are not stored; nor are tables without a GPU. A file that is damaged or
 * cannot be written is no error.
 *
 * \param what     the problem
 * \param options  device, and threads of the CPU; the engine is ignored
 * \param anew     measures even if the file has it, and lets FFTW measure its plans for
 * more than 16384 points, too, which can take seconds; else these are of FFTW's wisdom or
 * estimate
 * \throws std::invalid_argument for a problem, a device or threads out of range
 */
GPUFFT_API break_even find_break_even(const problem& what,
                                      const plan_options& options = plan_options(),
                                      bool anew = false);

} // namespace gpufft
} // namespace gr

#endif
