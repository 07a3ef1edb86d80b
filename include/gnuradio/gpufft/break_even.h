// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast CPU and GPU compute a problem on this machine, measured once and stored.

#ifndef INCLUDED_GPUFFT_BREAK_EVEN_H
#define INCLUDED_GPUFFT_BREAK_EVEN_H

#include <cstddef>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/plan.h>
#include <string>
#include <vector>

namespace gr {
namespace gpufft {

/*! \brief Seconds that one chunk (frames transferred together) takes from host memory to
 * host memory. 0: not measured. */
struct GPUFFT_API chunk_times {
    std::size_t frames = 0;
    double cpu = 0;  //!< on the CPU
    double cuda = 0; //!< on the GPU with three chunks in flight: the time that each adds
    double cuda_delay = 0; //!< on the GPU: round trip of a chunk alone
};

/*! \brief Times of chunks of several sizes on CPU and GPU. */
struct GPUFFT_API break_even {
    problem what;         //!< in the form that was measured, see find_break_even()
    int threads = 1;      //!< threads of the CPU
    std::string cpu;      //!< its name
    std::string card;     //!< the GPU's name, "" without one
    std::string obstacle; //!< why the GPU does not compute this; "" if it does

    /*! \brief Smallest chunk first: one frame, then 16 KiB, 64 KiB ... 16 MiB of input or
     * output, whichever is larger. Sizes that would take too long are left out; if a
     * frame exceeds 16 MiB, there is no size. */
    std::vector<chunk_times> chunks;

    /*! \brief Bytes that a frame adds to the input or the output, whichever is larger. */
    std::size_t frame_bytes() const;

    /*! \brief Rate in samples per second that cpu or cuda sustains with the chunks that
     * blocks send under load: 16 MiB on the GPU, 1 MiB for each thread (at most 4) on the
     * CPU. 0 if not measured. */
    double samples_per_second(engine_kind engine) const;

    /*! \brief The engine with the higher rate, which blocks with engine "auto" take; if
     * nothing was measured, the GPU if it can compute the problem. */
    engine_kind faster() const;

    /*! \brief Why faster() is that engine: "auto: GPU 6 Gsps, CPU 310 Msps". */
    std::string reason() const;
};

/*!
 * \brief The break-even table of a problem on this machine: read from the file
 * break_even.txt in cache_directory(), or measured, which takes a fraction of a second,
 * and stored there.
 *
 * The problem is measured in the form that blocks use; batch, scale and smoothing do not
 * matter. Device trouble, or a length that the GPU does not have, becomes the table's
 * obstacle. Such tables are not stored, nor are tables without a GPU. A file that is
 * damaged or cannot be written is no error.
 *
 * \param what     the problem
 * \param options  device, and threads of the CPU; the engine is ignored
 * \param anew     measures even if the file has the table. FFTW then also measures its
 * plans for more than 16384 points, which can take seconds; otherwise these plans come
 * from its wisdom or its estimate
 * \throws std::invalid_argument for a problem, a device or threads out of range
 */
GPUFFT_API break_even find_break_even(const problem& what,
                                      const plan_options& options = plan_options(),
                                      bool anew = false);

} // namespace gpufft
} // namespace gr

#endif
