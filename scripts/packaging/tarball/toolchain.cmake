# Compiles on Debian 12 against the C library of the older Debian in /sysroot; all else is linked statically.
# The C++ headers and libstdc++.a are those of the compiler.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_SYSROOT /sysroot)
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /sysroot)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/bin/env)  # what is built runs here, too

# The compiler looks beside itself for the C library before it looks into the sysroot.
set(flags "-B/sysroot/usr/lib/x86_64-linux-gnu -L/sysroot/usr/lib/x86_64-linux-gnu -L/sysroot/lib/x86_64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${flags} -static-libstdc++ /sysroot/usr/lib/old_glibc.o")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${flags}")
