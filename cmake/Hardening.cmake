# SPDX-License-Identifier: GPL-3.0-or-later
#
# harden(TARGET...): with these flags a program ends at a fault of memory before it can be used for
# anything else, and its tables of functions are read-only. Debian's packages take what Debian says
# (GPUFFT_DPKG_BUILDFLAGS), others the like by name. Not in builds that sanitizers watch, nor without
# optimisation.

option(ENABLE_HARDENING "Stack protector, checked copies, read-only relocations" ON)
option(GPUFFT_DPKG_BUILDFLAGS "Take the flags of dpkg-buildflags, as Debian's packages do" OFF)
mark_as_advanced(GPUFFT_DPKG_BUILDFLAGS)

set(GPUFFT_IS_HARDENED ${ENABLE_HARDENING})
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize|--coverage" OR NOT CMAKE_BUILD_TYPE MATCHES "Rel")
    set(GPUFFT_IS_HARDENED OFF)
endif()

set(hardening_options "")
set(hardening_links "")
if(GPUFFT_IS_HARDENED AND GPUFFT_DPKG_BUILDFLAGS)
    foreach(kind CPPFLAGS CXXFLAGS LDFLAGS)
        execute_process(
            COMMAND ${CMAKE_COMMAND} -E env DEB_BUILD_MAINT_OPTIONS=hardening=+all
                    dpkg-buildflags --get ${kind}
            WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
            OUTPUT_VARIABLE ${kind} OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
        separate_arguments(${kind} UNIX_COMMAND "${${kind}}")
    endforeach()
    list(FILTER CXXFLAGS EXCLUDE REGEX "^-O") # Release's own
    set(hardening_options ${CPPFLAGS} ${CXXFLAGS})
    set(hardening_links ${LDFLAGS})
elseif(GPUFFT_IS_HARDENED)
    include(CheckCXXCompilerFlag)
    set(hardening_options -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wformat -Werror=format-security)
    foreach(flag -fstack-protector-strong -fstack-clash-protection)
        string(MAKE_C_IDENTIFIER "has${flag}" has)
        check_cxx_compiler_flag(${flag} ${has})
        if(${has})
            list(APPEND hardening_options ${flag})
        endif()
    endforeach()
    set(hardening_links -Wl,-z,relro -Wl,-z,now)
endif()

function(harden)
    foreach(target IN LISTS ARGN)
        target_compile_options(${target} PRIVATE ${hardening_options})
        get_target_property(type ${target} TYPE)
        if(NOT type STREQUAL OBJECT_LIBRARY)
            target_link_options(${target} PRIVATE ${hardening_links})
        endif()
    endforeach()
endfunction()
