# SPDX-License-Identifier: GPL-3.0-or-later
#
# install_scripts(FOLDER SCRIPT...) installs Python programs, and modules beside them, so that they
# run by the interpreter of this configuration. In the source tree they name /usr/bin/python3,
# Debian's, which GNU Radio's modules belong to: "env python3" may find that of pyenv or conda.

function(install_scripts destination)
    foreach(script IN LISTS ARGN)
        get_filename_component(script ${script} ABSOLUTE)
        file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${script})
        set(configured ${PROJECT_BINARY_DIR}/installed_scripts/${name})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
        file(READ ${script} text)
        set(kind FILES) # what others import
        if(text MATCHES "^#!")
            set(kind PROGRAMS)
        endif()
        string(REGEX REPLACE "^#!/usr/bin/python3\n" "#!${Python3_EXECUTABLE}\n" text "${text}")
        file(WRITE ${configured} "${text}")
        install(${kind} ${configured} DESTINATION ${destination})
    endforeach()
endfunction()
