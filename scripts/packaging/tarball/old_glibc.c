// What GCC 12's libstdc++.a expects of a glibc later than 2.31. It is linked into the program of the tarball.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/// Whether the process never had a second thread. glibc has this since 2.32; "no" is always right, and means that
/// libstdc++ counts references by atomic instructions.
char __libc_single_threaded = 0;

/// A random number, for std::random_device. glibc has this since 2.36.
uint32_t arc4random(void) {
  uint32_t value;
  // So few bytes come whole, or not at all: only before the kernel has gathered any randomness.
  if (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) abort();
  return value;
}
