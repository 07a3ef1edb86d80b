// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's two libraries under one name: fftw_library<float> and fftw_library<double>.
// prepare_planner() is called before anything else: FFTW's solvers with threads belong to
// all processes then, as gr-fft adds them, and all understand each other's wisdom.

#ifndef INCLUDED_GPUFFT_FFTW_LIBRARY_H
#define INCLUDED_GPUFFT_FFTW_LIBRARY_H

#include <fftw3.h>

namespace gr {
namespace gpufft {

template <class T>
struct fftw_library;

template <>
struct fftw_library<float> {
    typedef fftwf_plan plan;
    typedef fftwf_complex complex;
    static constexpr auto plan_dft = fftwf_plan_many_dft;
    static constexpr auto plan_r2c = fftwf_plan_many_dft_r2c;
    static constexpr auto plan_c2r = fftwf_plan_many_dft_c2r;
    static constexpr auto plan_r2r = fftwf_plan_many_r2r;
    typedef fftwf_iodim64 axis;
    static constexpr auto plan_long_dft = fftwf_plan_guru64_dft;
    static constexpr auto plan_long_r2c = fftwf_plan_guru64_dft_r2c;
    static constexpr auto plan_long_c2r = fftwf_plan_guru64_dft_c2r;
    static constexpr auto plan_long_r2r = fftwf_plan_guru64_r2r;
    static constexpr auto execute_dft = fftwf_execute_dft;
    static constexpr auto execute_r2c = fftwf_execute_dft_r2c;
    static constexpr auto execute_c2r = fftwf_execute_dft_c2r;
    static constexpr auto execute_r2r = fftwf_execute_r2r;
    static constexpr auto destroy_plan = fftwf_destroy_plan;
    static constexpr auto alignment_of = fftwf_alignment_of;
    static constexpr auto set_timelimit = fftwf_set_timelimit;
    static constexpr auto import_wisdom = fftwf_import_wisdom_from_string;
    static constexpr auto export_wisdom = fftwf_export_wisdom_to_string;
    static constexpr auto forget_wisdom = fftwf_forget_wisdom;
    static constexpr auto free = fftwf_free;
    static constexpr auto wisdom_name = "fftwf_wisdom";
#ifdef GPUFFT_HAVE_FFTW_FLOAT_THREADS
    static void prepare_planner()
    {
        fftwf_init_threads(), fftwf_make_planner_thread_safe();
    }
    static constexpr auto plan_with_threads = fftwf_plan_with_nthreads;
#else
    static void prepare_planner() {}
    static void plan_with_threads(int) {}
#endif
#ifdef GPUFFT_HAVE_FFTW_FLOAT_PLANNER_NTHREADS
    static constexpr auto planner_threads = fftwf_planner_nthreads;
#else
    static int planner_threads() { return 1; } // before FFTW 3.3.9
#endif
};

template <>
struct fftw_library<double> {
    typedef fftw_plan plan;
    typedef fftw_complex complex;
    static constexpr auto plan_dft = fftw_plan_many_dft;
    static constexpr auto plan_r2c = fftw_plan_many_dft_r2c;
    static constexpr auto plan_c2r = fftw_plan_many_dft_c2r;
    static constexpr auto plan_r2r = fftw_plan_many_r2r;
    typedef fftw_iodim64 axis;
    static constexpr auto plan_long_dft = fftw_plan_guru64_dft;
    static constexpr auto plan_long_r2c = fftw_plan_guru64_dft_r2c;
    static constexpr auto plan_long_c2r = fftw_plan_guru64_dft_c2r;
    static constexpr auto plan_long_r2r = fftw_plan_guru64_r2r;
    static constexpr auto execute_dft = fftw_execute_dft;
    static constexpr auto execute_r2c = fftw_execute_dft_r2c;
    static constexpr auto execute_c2r = fftw_execute_dft_c2r;
    static constexpr auto execute_r2r = fftw_execute_r2r;
    static constexpr auto destroy_plan = fftw_destroy_plan;
    static constexpr auto alignment_of = fftw_alignment_of;
    static constexpr auto set_timelimit = fftw_set_timelimit;
    static constexpr auto import_wisdom = fftw_import_wisdom_from_string;
    static constexpr auto export_wisdom = fftw_export_wisdom_to_string;
    static constexpr auto forget_wisdom = fftw_forget_wisdom;
    static constexpr auto free = fftw_free;
    static constexpr auto wisdom_name = "fftw_wisdom";
#ifdef GPUFFT_HAVE_FFTW_DOUBLE_THREADS
    static void prepare_planner()
    {
        fftw_init_threads(), fftw_make_planner_thread_safe();
    }
    static constexpr auto plan_with_threads = fftw_plan_with_nthreads;
#else
    static void prepare_planner() {}
    static void plan_with_threads(int) {}
#endif
#ifdef GPUFFT_HAVE_FFTW_DOUBLE_PLANNER_NTHREADS
    static constexpr auto planner_threads = fftw_planner_nthreads;
#else
    static int planner_threads() { return 1; } // before FFTW 3.3.9
#endif
};

} // namespace gpufft
} // namespace gr

#endif
