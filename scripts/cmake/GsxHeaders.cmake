# The headers that users of the library see: those of lib/gsx, with CUDA those of kernels/gsx, and what
# they include, under gsx/detail. Sources include them by their place in lib/; the copies, in the build folder, by the
# place where they are installed.

# Copies the header `name` of lib/, or else of kernels/, and, before it, what it includes. Adds them to GSX_PUBLIC_HEADERS.
macro(gsx_publish_header name)
  if(NOT "${name}" IN_LIST GSX_PUBLIC_HEADERS)
    list(APPEND GSX_PUBLIC_HEADERS ${name})
    gsx_copy_header(${name})
  endif()
endmacro()

function(gsx_copy_header name)
  set(source ${PROJECT_SOURCE_DIR}/lib/${name})
  if(NOT EXISTS ${source})
    set(source ${PROJECT_SOURCE_DIR}/kernels/${name})
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" included "${include}")
    string(REGEX REPLACE "^kernels/" "" published "${included}")
    gsx_publish_header(${published})
    if(NOT published MATCHES "^gsx/")
      string(PREPEND published "gsx/detail/")
    endif()
    string(REPLACE "${include}" "#include \"${published}\"" text "${text}")
  endforeach()
  set(GSX_PUBLIC_HEADERS ${GSX_PUBLIC_HEADERS} PARENT_SCOPE)
  if(name MATCHES "^gsx/")
    set(copy ${PROJECT_BINARY_DIR}/include/${name})
  else()
    set(copy ${PROJECT_BINARY_DIR}/include/gsx/detail/${name})
  endif()
  file(CONFIGURE OUTPUT ${copy} CONTENT "${text}" @ONLY)
endfunction()

# Sets GSX_PUBLIC_HEADERS.
file(GLOB roots RELATIVE ${PROJECT_SOURCE_DIR}/lib CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/lib/gsx/*.hpp)
if(GSX_WITH_CUDA)
  file(GLOB device_roots RELATIVE ${PROJECT_SOURCE_DIR}/kernels CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/kernels/gsx/*.cuh)
  list(APPEND roots ${device_roots})
endif()
set(GSX_PUBLIC_HEADERS)
foreach(root IN LISTS roots)
  gsx_publish_header(${root})
endforeach()
