# SPDX-License-Identifier: GPL-3.0-or-later
#
# Looks for cuda.h and nvrtc.h, all that the cuda engine needs to build: driver and NVRTC are
# opened at run time, nvcc is not used. They have to be of CUDA 12.4 or later. Sets GPUFFT_HAVE_CUDA
# and CUDA_INCLUDE_DIRS. tests/setup.sh may have put NVIDIA's packages of PyPI into the build folder.

set(GPUFFT_HAVE_CUDA OFF)
if(NOT ENABLE_CUDA STREQUAL "OFF")
    file(GLOB from_pypi ${PROJECT_BINARY_DIR}/nvidia/*)
    foreach(header cuda nvrtc)
        string(TOUPPER ${header} name)
        find_path(${name}_INCLUDE_DIR ${header}.h
                  HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda /opt/cuda ${from_pypi}
                  PATH_SUFFIXES include targets/x86_64-linux/include)
    endforeach()
    set(CUDA_INCLUDE_DIRS ${CUDA_INCLUDE_DIR} ${NVRTC_INCLUDE_DIR})
    list(REMOVE_DUPLICATES CUDA_INCLUDE_DIRS)
    set(found_cuda 0)
    if(CUDA_INCLUDE_DIR AND NVRTC_INCLUDE_DIR)
        file(STRINGS ${CUDA_INCLUDE_DIR}/cuda.h found_cuda REGEX "define CUDA_VERSION +[0-9]+")
        string(REGEX MATCH "[0-9]+$" found_cuda "${found_cuda}")
    endif()
    if(found_cuda GREATER_EQUAL 12040)
        set(GPUFFT_HAVE_CUDA ON)
    elseif(ENABLE_CUDA STREQUAL "ON")
        message(FATAL_ERROR "ENABLE_CUDA is ON, but cuda.h and nvrtc.h of CUDA 12.4 or later were "
            "not found: install the CUDA Toolkit, or set CUDA_HOME, or use -DENABLE_CUDA=OFF. "
            "Without root, no GPU needed:\n"
            "  pip3 install --no-deps --only-binary :all: --target ${PROJECT_BINARY_DIR} "
            "nvidia-cuda-nvrtc nvidia-cuda-runtime\n")
    elseif(found_cuda GREATER 0)
        message(STATUS "CUDA ${found_cuda} in ${CUDA_INCLUDE_DIR} is older than 12040 (12.4): "
                       "no engine cuda")
    endif()
    mark_as_advanced(CUDA_INCLUDE_DIR NVRTC_INCLUDE_DIR)
endif()
