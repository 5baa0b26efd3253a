// A library to preload: makes one system call of a program fail, as the environment says.
//
//   FAIL_CALL=write|fsync|close|rename|open|read|pread|mmap|flock   which call
//   FAIL_AT=N        its Nth call fails (1: the first); with FAIL_ON=1, so do all later ones
//   FAIL_ERRNO=E     with this error; 0: a write or read transfers half of the bytes
//   FAIL_WAIT=MS     it does not fail, but takes so many milliseconds
//   FAIL_MARK=FILE   is created when that happens
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace {

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int number_of(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Whether this call of `name` must fail.
bool fails(const char* name) {
  static std::atomic<int> calls{0};
  const char* chosen = std::getenv("FAIL_CALL");
  if (chosen == nullptr || std::strcmp(chosen, name) != 0) return false;
  const int call = ++calls, at = number_of("FAIL_AT", 1);
  if (call < at || (call > at && number_of("FAIL_ON", 0) == 0)) return false;
  if (const char* mark = std::getenv("FAIL_MARK")) {
    const long fd = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0600);
    if (fd >= 0) syscall(SYS_close, fd);
  }
  if (const int wait = number_of("FAIL_WAIT", 0); wait != 0) {
    usleep(static_cast<useconds_t>(wait) * 1000);
    return false;
  }
  errno = number_of("FAIL_ERRNO", EIO);
  return true;
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t count) {
  const bool fail = fails("write");
  if (fail && errno != 0) return -1;
  return syscall(SYS_write, fd, bytes, fail ? (count + 1) / 2 : count);
}

ssize_t read(int fd, void* bytes, size_t count) {
  const bool fail = fails("read");
  if (fail && errno != 0) return -1;
  return syscall(SYS_read, fd, bytes, fail ? (count + 1) / 2 : count);
}

ssize_t pread(int fd, void* bytes, size_t count, off_t offset) {
  const bool fail = fails("pread");
  if (fail && errno != 0) return -1;
  return syscall(SYS_pread64, fd, bytes, fail ? (count + 1) / 2 : count, offset);
}

int fsync(int fd) {
  return fails("fsync") ? -1 : static_cast<int>(syscall(SYS_fsync, fd));
}

int close(int fd) {
  const bool fail = fails("close");
  const int error = errno;
  const int done = static_cast<int>(syscall(SYS_close, fd));
  if (!fail) return done;
  errno = error;
  return -1;
}

int rename(const char* from, const char* to) {
  return fails("rename") ? -1 : next<decltype(&rename)>("rename")(from, to);
}

int flock(int fd, int operation) {
  return fails("flock") ? -1 : static_cast<int>(syscall(SYS_flock, fd, operation));
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const unsigned mode = va_arg(more, unsigned);
  va_end(more);
  if (fails("open")) return -1;
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));

void* mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) {
  if (fails("mmap")) return MAP_FAILED;
  return next<decltype(&mmap)>("mmap")(address, size, protection, flags, fd, offset);
}
}
