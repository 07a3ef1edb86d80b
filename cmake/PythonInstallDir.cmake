# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sets GPUFFT_PYTHON_DIR, where the Python package is installed, under the prefix: where that
# Python finds packages. -DGPUFFT_PYTHON_DIR=... takes precedence.

if(DEFINED CACHE{GPUFFT_PYTHON_DIR})
    return()
endif()
execute_process(
    COMMAND ${Python3_EXECUTABLE} -c "
import site, sys, sysconfig
prefix = sys.argv[1].rstrip('/') + '/'
found = [path[len(prefix):] for path in site.getsitepackages() if path.startswith(prefix)]
found = [path for path in found if not path.startswith('local/')]
variables = {'base': prefix, 'platbase': prefix}
default = sysconfig.get_path('platlib', 'posix_prefix', variables)[len(prefix):]
print(found[0] if found else default)"
            ${CMAKE_INSTALL_PREFIX}
    OUTPUT_VARIABLE python_path
    OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
set(GPUFFT_PYTHON_DIR ${python_path}/gnuradio/gpufft)
