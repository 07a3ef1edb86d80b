# SPDX-License-Identifier: GPL-3.0-or-later
#
# FFTW 3: targets FFTW3::float (required) and FFTW3::double (for the tests). FFTW3::float brings
# libfftw3f_threads where it is installed: it makes FFTW's planner thread-safe.

find_path(FFTW3_INCLUDE_DIR fftw3.h)
find_library(FFTW3_FLOAT_LIBRARY fftw3f)
find_library(FFTW3_FLOAT_THREADS_LIBRARY fftw3f_threads)
find_library(FFTW3_DOUBLE_LIBRARY fftw3)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW3 REQUIRED_VARS FFTW3_FLOAT_LIBRARY FFTW3_INCLUDE_DIR)
if(FFTW3_FOUND AND NOT TARGET FFTW3::float)
    add_library(FFTW3::float UNKNOWN IMPORTED)
    set_target_properties(FFTW3::float PROPERTIES IMPORTED_LOCATION ${FFTW3_FLOAT_LIBRARY}
                          INTERFACE_INCLUDE_DIRECTORIES ${FFTW3_INCLUDE_DIR})
    if(FFTW3_FLOAT_THREADS_LIBRARY)
        set_target_properties(FFTW3::float PROPERTIES
                              INTERFACE_LINK_LIBRARIES ${FFTW3_FLOAT_THREADS_LIBRARY}
                              INTERFACE_COMPILE_DEFINITIONS GPUFFT_HAVE_FFTWF_THREADS)
    endif()
    if(FFTW3_DOUBLE_LIBRARY)
        add_library(FFTW3::double UNKNOWN IMPORTED)
        set_target_properties(FFTW3::double PROPERTIES IMPORTED_LOCATION ${FFTW3_DOUBLE_LIBRARY}
                              INTERFACE_INCLUDE_DIRECTORIES ${FFTW3_INCLUDE_DIR})
    endif()
endif()
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_FLOAT_LIBRARY FFTW3_FLOAT_THREADS_LIBRARY
                 FFTW3_DOUBLE_LIBRARY)
