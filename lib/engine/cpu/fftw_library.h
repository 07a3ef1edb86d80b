// SPDX-License-Identifier: GPL-3.0-or-later
//
// FFTW's two libraries under one name: fftw_library<float> and fftw_library<double>.

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
};

} // namespace gpufft
} // namespace gr

#endif
