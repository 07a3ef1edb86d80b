# SPDX-License-Identifier: GPL-3.0-or-later
#
# embed_files(SOURCE NAME FOLDER PATTERN): sets SOURCE to a generated file whose function NAME()
# returns the text of FOLDER's files.
function(embed_files source name folder pattern)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/${folder}
         ${PROJECT_SOURCE_DIR}/${folder}/${pattern})
    list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/${folder}/ OUTPUT_VARIABLE paths)
    set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DFILES=${files}" -DNAME=${name}
                -DFOLDER=${folder} -P ${script}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        DEPENDS ${paths} ${script}
        VERBATIM)
    set(${source} ${output} PARENT_SCOPE)
endfunction()
