# Headers of other projects that most sources of a target include, compiled once. A build of
# everything takes a third less. It is off by default, because a source that forgets to include one
# of them compiles nevertheless.
set(GSX_COMMON_HEADERS <algorithm> <array> <atomic> <cstdint> <filesystem> <functional> <map>
  <memory> <mutex> <optional> <span> <string> <string_view> <vector> <spdlog/fmt/fmt.h>)

# gsx_precompile(TARGET [HEADER]...): the common headers, and these. Headers of our own are not
# among them: each change of one would compile everything again.
function(gsx_precompile target)
  if(NOT GSX_PRECOMPILED)
    return()
  endif()
  set(headers ${GSX_COMMON_HEADERS} ${ARGN})
  list(TRANSFORM headers REPLACE ">$" "$<ANGLE-R>")
  list(TRANSFORM headers PREPEND "$<$<COMPILE_LANGUAGE:CXX>:")
  list(TRANSFORM headers APPEND ">")
  target_precompile_headers(${target} PRIVATE ${headers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # As with -Wno-restrict (GsxWarnings.cmake): with precompiled headers, GCC 12 gives more false warnings of
    # what it has inlined.
    set(false_warnings array-bounds dangling-pointer free-nonheap-object maybe-uninitialized stringop-overflow
      stringop-overread stringop-truncation use-after-free)
    list(TRANSFORM false_warnings PREPEND "-Wno-")
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${false_warnings}>")
  endif()
endfunction()
