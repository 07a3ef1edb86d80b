# SPDX-License-Identifier: GPL-3.0-or-later
#
# The .deb packages, by Debian's policy: names, dependencies, scripts and documents.

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL libraries development python tools)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(deb_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(deb_dir ${PROJECT_BINARY_DIR}/debian) # what is made for the packages here

# Python and the libraries lie elsewhere under another prefix: refused, not packed wrong.
string(COMPARE EQUAL "${CMAKE_INSTALL_PREFIX}" /usr makes_debs)
set(GPUFFT_MAKES_DEBS ${makes_debs} PARENT_SCOPE)
set(CPACK_PROJECT_CONFIG_FILE ${deb_dir}/check_prefix.cmake)
configure_file(packaging/debian/check_prefix.cmake.in ${CPACK_PROJECT_CONFIG_FILE} @ONLY)

# Names, sections, and what is said of each. The first line is the synopsis.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(deb_libraries libgnuradio-gpufft${soversion})
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARIES_DESCRIPTION "Fourier transforms on the GPU for GNU Radio - libraries
Blocks for GNU Radio that compute Fourier transforms, spectra, filters and
channelizers on an NVIDIA GPU, with kernels compiled for the card that is
there. Without a GPU, or without its driver, they run on FFTW and VOLK.

This package holds the shared libraries: the blocks, and the plans beneath
them, which do without GNU Radio.")

set(deb_development libgnuradio-gpufft-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Fourier transforms on the GPU for GNU Radio - headers
Headers, CMake package and pkg-config files, to build programs in C++ on the
blocks or on the plans of gr-gpufft.")

set(deb_python gr-gpufft)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION hamradio)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Fourier transforms on the GPU for GNU Radio
Blocks that stand in for those of gr-fft and gr-filter, with the same
parameters, and compute on an NVIDIA GPU: FFTs of any length, real FFTs,
cosine and sine transforms, power spectra, filters, channelizers. Without a
GPU they run on FFTW and VOLK, with the same results.

This package holds the blocks for GNU Radio Companion and for Python,
functions for NumPy in the manner of scipy.fft, and examples.")

set(deb_tools gpufft-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION hamradio)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "Fourier transforms on the GPU for GNU Radio - command line
The gpufft command: a spectrum analyzer in a window or a browser, spectra of recordings
as pictures and tables, advice whether CPU or GPU suits a sample rate,
benchmarks, proof of accuracy.")

# Dependencies. What programs and libraries link to, dpkg-shlibdeps adds; driver and NVRTC are
# opened at run time, if they are there.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(same_libraries "${deb_libraries} (= ${deb_version})")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SUGGESTS
    "libcuda1, libnvrtc12 | cuda-nvrtc-12-9 | cuda-nvrtc-13-0")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${same_libraries}, gnuradio-dev (>= 3.10.5)")
math(EXPR next_minor "${Python3_VERSION_MINOR} + 1") # the module is for one Python
string(JOIN ", " CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "${same_libraries}" "gnuradio (>= 3.10.5)" python3-numpy
    "python3 (>= 3.${Python3_VERSION_MINOR}~)" "python3 (<< 3.${next_minor})")
# GTK is what Companion's window is made of; Debian 12's gnuradio does not ask for it.
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "${deb_tools}, python3-scipy, gir1.2-gtk-3.0")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-distributed) # of gpufft.dask
string(JOIN ", " CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
    "${deb_python} (= ${deb_version})" "${same_libraries}" python3:any
    python3-matplotlib python3-scipy python3-tqdm)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS
    "python3-pyqt5, python3-pyqtgraph, python3-aiohttp")

# Control files: the loader's cache is kept up to date; Python is compiled on installation, and
# that goes on removal.
function(add_control_file component name)
    set(deb_package ${deb_${component}})
    configure_file(packaging/debian/${name}.in ${deb_dir}/${component}/${name} @ONLY
                   FILE_PERMISSIONS ${ARGN} OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    string(TOUPPER ${component} upper)
    set(control_files CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA)
    set(${control_files} ${${control_files}} ${deb_dir}/${component}/${name} PARENT_SCOPE)
endfunction()
add_control_file(libraries shlibs)
add_control_file(libraries triggers)
foreach(component python tools)
    foreach(script postinst prerm)
        add_control_file(${component} ${script} OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
    endforeach()
endforeach()

# Documents
string(TIMESTAMP today "%a, %d %b %Y %H:%M:%S +0000" UTC) # or SOURCE_DATE_EPOCH
configure_file(packaging/debian/changelog.in ${deb_dir}/changelog.Debian @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${deb_dir}/changelog COPYONLY)
foreach(document changelog changelog.Debian)
    execute_process(COMMAND gzip -9n -c ${deb_dir}/${document}
                    OUTPUT_FILE ${deb_dir}/${document}.gz COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${deb_${component}})
    if(makes_debs)
        install(FILES packaging/debian/copyright ${deb_dir}/changelog.gz
                      ${deb_dir}/changelog.Debian.gz
                DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${deb_${component}}
                COMPONENT ${component})
    endif()
endforeach()
