# SPDX-License-Identifier: GPL-3.0-or-later
#
# Looks for cuda.h and nvrtc.h, all that the cuda engine needs to build: driver and NVRTC are
# opened at run time, nvcc is not used. Sets GPUFFT_HAVE_CUDA and CUDA_INCLUDE_DIR.

set(GPUFFT_HAVE_CUDA OFF)
if(NOT ENABLE_CUDA STREQUAL "OFF")
    find_path(CUDA_INCLUDE_DIR nvrtc.h
              HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda /opt/cuda
              PATH_SUFFIXES include targets/x86_64-linux/include)
    if(CUDA_INCLUDE_DIR AND EXISTS ${CUDA_INCLUDE_DIR}/cuda.h)
        set(GPUFFT_HAVE_CUDA ON)
    elseif(ENABLE_CUDA STREQUAL "ON")
        message(FATAL_ERROR "ENABLE_CUDA is ON, but cuda.h and nvrtc.h were not found: install "
                            "the CUDA Toolkit (12.4 or later), or set CUDA_HOME, or use "
                            "-DENABLE_CUDA=OFF")
    endif()
    mark_as_advanced(CUDA_INCLUDE_DIR)
endif()
