# SPDX-License-Identifier: GPL-3.0-or-later
#
# set_runpath(TARGET DESTINATION [LIBRARIES]): where an installed target finds this project's
# libraries: LIBRARIES, relative to its DESTINATION. Without LIBRARIES it needs none. Under /usr
# the loader looks by itself. Other libraries are found where they were linked.
#
# CMake's own way rewrites the RUNPATH at installation, and for that leaves "FOLDER:" in the build
# tree, where the loader takes the empty element for the current folder. Here the build tree's is
# as it shall be, and long enough for the installed one.

function(set_runpath target destination)
    set_target_properties(${target} PROPERTIES
        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
    set(command RPATH_REMOVE)
    if(ARGC GREATER 2)
        set(installed "\$ORIGIN/${ARGV2}")
        string(LENGTH "${installed}" needed)
        set(built ${PROJECT_BINARY_DIR}/lib)
        string(LENGTH "${built}" length)
        while(length LESS needed)
            string(APPEND built "/.")
            string(LENGTH "${built}" length)
        endwhile()
        set_target_properties(${target} PROPERTIES INSTALL_RPATH "${built}")
        if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
            set(command RPATH_CHANGE)
            set(change "OLD_RPATH [[${built}]] NEW_RPATH [[${installed}]]")
        endif()
    elseif(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
        return()
    endif()
    if(NOT IS_ABSOLUTE "${destination}")
        string(PREPEND destination "\${CMAKE_INSTALL_PREFIX}/")
    endif()
    install(CODE "file(${command} FILE \"\$ENV{DESTDIR}${destination}/$<TARGET_FILE_NAME:${target}>\" ${change})"
            COMPONENT ${CMAKE_INSTALL_DEFAULT_COMPONENT_NAME})
endfunction()
