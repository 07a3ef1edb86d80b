# SPDX-License-Identifier: GPL-3.0-or-later
#
# cpack: .deb packages where they can be made, one for each component that `install` knows, else
# an archive of everything.

set(CPACK_PACKAGE_NAME gr-gpufft)
set(CPACK_PACKAGE_VENDOR "gr-gpufft contributors")
set(CPACK_PACKAGE_CONTACT "gr-gpufft contributors <gr-gpufft@localhost>"
    CACHE STRING "Maintainer of the packages: NAME <ADDRESS>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)

# What makes .deb packages: dpkg, dpkg-dev, file.
find_program(DPKG dpkg)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
find_program(FILE_PROGRAM file)
mark_as_advanced(DPKG DPKG_SHLIBDEPS FILE_PROGRAM)
if(DPKG AND DPKG_SHLIBDEPS AND FILE_PROGRAM AND ENABLE_GNURADIO AND ENABLE_PYTHON)
    include(packaging/debian.cmake)
else()
    set(CPACK_GENERATOR TGZ)
endif()
include(CPack)
