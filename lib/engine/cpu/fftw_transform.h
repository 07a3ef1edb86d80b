// SPDX-License-Identifier: GPL-3.0-or-later
//
// RAII around FFTW's single-precision plans, and the lock around its planner.
//
// FFTW executes plans from any thread, but makes and destroys them, and reads and writes
// its wisdom, from one at a time, process-wide. All of that happens under planner_lock
// here: it holds a mutex of this library, then the mutex that the process shares
// (share_planner_mutex()). Where libfftw3f_threads is linked, FFTW also locks by itself
// around making and destroying plans, which covers code that shares no mutex.

#ifndef INCLUDED_GPUFFT_FFTW_TRANSFORM_H
#define INCLUDED_GPUFFT_FFTW_TRANSFORM_H

#include <complex>
#include <gnuradio/gpufft/api.h>
#include <gnuradio/gpufft/problem.h>
#include <memory>
#include <mutex>

struct fftwf_plan_s;

namespace gr {
namespace gpufft {

// Names a mutex under which other code of this process uses FFTW's planner and wisdom,
// e.g. gr::fft::planner::mutex(). It must outlive every plan. Call it before the first
// plan is made.
GPUFFT_API void share_planner_mutex(std::mutex& mutex);

// Sole use of FFTW's planner and wisdom, until destroyed.
class planner_lock
{
public:
    planner_lock();

private:
    std::unique_lock<std::mutex> d_own, d_shared;
};

// While one lives, its thread's new transforms of more than LONGEST_MEASURED_QUICKLY
// points take FFTW's wisdom or estimate.
class quick_planning
{
public:
    quick_planning();
    ~quick_planning();
    quick_planning(const quick_planning&) = delete;
    quick_planning& operator=(const quick_planning&) = delete;
};

// `howmany` contiguous transforms of n points each, out of place; input is preserved.
class fftw_transform
{
public:
    typedef std::complex<float> complex;

    // Takes the plan from wisdom; else measures (and keeps the wisdom) up to
    // LONGEST_MEASURED points (LONGEST_MEASURED_QUICKLY while a quick_planning lives),
    // and estimates above. Throws std::runtime_error if FFTW
    // makes no plan.
    fftw_transform(std::size_t n, std::size_t howmany, direction dir);

    // Both pointers must be is_aligned() and must not overlap. Thread-safe.
    void execute(const complex* input, complex* output) const;

    // True if FFTW's SIMD code can use this address.
    static bool is_aligned(const void* pointer);

    // Measuring 2^18 points takes some 3 s once and gains a factor of 2.5 over an
    // estimate (AMD EPYC, 2 cores); the time grows faster than the length.
    static constexpr std::size_t LONGEST_MEASURED = std::size_t(1) << 18;

    // 0.2 s there.
    static constexpr std::size_t LONGEST_MEASURED_QUICKLY = std::size_t(1) << 14;

private:
    struct deleter {
        void operator()(fftwf_plan_s* plan) const;
    };
    std::unique_ptr<fftwf_plan_s, deleter> d_plan;
};

} // namespace gpufft
} // namespace gr

#endif
