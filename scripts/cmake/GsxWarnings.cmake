# Warnings, hardening and sanitizers for one of our targets. UNINSTRUMENTED: the target's own code
# is compiled without the sanitizers that libraries in it may still need.
function(gsx_warnings target)
  cmake_parse_arguments(PARSE_ARGV 1 arg UNINSTRUMENTED "" "")
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor>
    $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xcompiler=-Wall,-Wextra>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of overlap in the library's own string concatenation (GCC bug 105651).
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  endif()
  if(GSX_JOINED)
    # A name of one source may hide one of another, whose unnamed namespace is no longer its own; and the more GCC 12
    # inlines, the more it warns falsely.
    set(unwanted shadow)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      list(APPEND unwanted subobject-linkage)
      if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        list(APPEND unwanted array-bounds dangling-pointer free-nonheap-object maybe-uninitialized stringop-overflow
          stringop-overread stringop-truncation use-after-free)
      endif()
    endif()
    list(TRANSFORM unwanted PREPEND "-Wno-")
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${unwanted}>")
  endif()
  if(GSX_WERROR)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Werror>
      $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
  endif()
  if(GSX_HARDENED)
    gsx_harden(${target})
  endif()
  if(GSX_SANITIZE)
    if(NOT arg_UNINSTRUMENTED)
      target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GSX_SANITIZE} -fno-omit-frame-pointer>)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${GSX_SANITIZE})
  endif()
endfunction()

# Whether programs are hardened: if asked for, optimised (which _FORTIFY_SOURCE needs), and without
# sanitizers, which have their own checks.
set(GSX_HARDENED OFF)
if(GSX_HARDEN AND NOT GSX_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  set(GSX_HARDENED ON)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
endif()

# Ends the program at memory faults before they can be exploited: checked library calls, guarded
# stacks, and tables that are read-only once the program has started. Code is compiled for checked
# indirect jumps, which take effect only if everything that is linked is, including the start-up
# code of the C library. scripts/check_hardening.py looks for all of these.
function(gsx_harden target)
  set(fortify 2)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    set(fortify 3)
  endif()
  set(flags -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND flags -fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(APPEND flags -mbranch-protection=standard)
  endif()
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify};${flags}>")
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now,-z,noexecstack)
endfunction()
