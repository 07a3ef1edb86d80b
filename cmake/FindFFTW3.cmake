# SPDX-License-Identifier: GPL-3.0-or-later
#
# FFTW 3: targets FFTW3::float, FFTW3::double (both required) and FFTW3::long_double (for the
# tests). float and double bring FFTW's thread library where it is installed: it makes FFTW's
# planner thread-safe.

find_path(FFTW3_INCLUDE_DIR fftw3.h)
find_library(FFTW3_FLOAT_LIBRARY fftw3f)
find_library(FFTW3_FLOAT_THREADS_LIBRARY fftw3f_threads)
find_library(FFTW3_DOUBLE_LIBRARY fftw3)
find_library(FFTW3_DOUBLE_THREADS_LIBRARY fftw3_threads)
find_library(FFTW3_LONG_DOUBLE_LIBRARY fftw3l)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW3 REQUIRED_VARS
    FFTW3_FLOAT_LIBRARY FFTW3_DOUBLE_LIBRARY FFTW3_INCLUDE_DIR)

# FFTW 3.3.9 and later tell for how many threads they plan.
if(FFTW3_INCLUDE_DIR)
    file(STRINGS "${FFTW3_INCLUDE_DIR}/fftw3.h" planner_nthreads REGEX planner_nthreads)
endif()

foreach(precision float double long_double)
    string(TOUPPER ${precision} name)
    if(FFTW3_FOUND AND FFTW3_${name}_LIBRARY AND NOT TARGET FFTW3::${precision})
        add_library(FFTW3::${precision} UNKNOWN IMPORTED)
        set_target_properties(FFTW3::${precision} PROPERTIES
            IMPORTED_LOCATION ${FFTW3_${name}_LIBRARY}
            INTERFACE_INCLUDE_DIRECTORIES ${FFTW3_INCLUDE_DIR})
        if(FFTW3_${name}_THREADS_LIBRARY)
            set_target_properties(FFTW3::${precision} PROPERTIES
                INTERFACE_LINK_LIBRARIES ${FFTW3_${name}_THREADS_LIBRARY}
                INTERFACE_COMPILE_DEFINITIONS GPUFFT_HAVE_FFTW_${name}_THREADS)
            if(planner_nthreads)
                set_property(TARGET FFTW3::${precision} APPEND PROPERTY
                    INTERFACE_COMPILE_DEFINITIONS GPUFFT_HAVE_FFTW_${name}_PLANNER_NTHREADS)
            endif()
        endif()
    endif()
endforeach()
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_FLOAT_LIBRARY FFTW3_FLOAT_THREADS_LIBRARY
                 FFTW3_DOUBLE_LIBRARY FFTW3_DOUBLE_THREADS_LIBRARY FFTW3_LONG_DOUBLE_LIBRARY)
