#include "bytes/reserved_copy.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t page_bytes = 65536;  ///< the largest page of any machine that CUDA knows
/// Copied by one thread at a time: few enough bytes to stay in its cache between the zeroing of the
/// pages and the copy, enough to pay for the system calls.
constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;

/// Gives the pages to the mapping in one call, with an error instead of a signal should one be
/// missing. Kernels before 5.14 do not know the call (EINVAL): there, the copy takes page by page.
bool populate([[maybe_unused]] char* pages, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  return madvise(pages, bytes, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;
#else
  return true;
#endif
}

/// Bytes of a file in memory.
class Mapping {
 public:
  Mapping(int fd, std::uint64_t offset, std::size_t bytes)
      : bytes_(bytes),
        place_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                    static_cast<off_t>(offset))) {}
  ~Mapping() {
    if (*this) munmap(place_, bytes_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  explicit operator bool() const { return place_ != MAP_FAILED; }
  char* data() const { return static_cast<char*>(place_); }

 private:
  std::size_t bytes_;
  void* place_;
};

}  // namespace

bool copy_to_reserved(int fd, std::uint64_t offset, std::string_view bytes, int threads) {
  const std::uint64_t skipped = offset % page_bytes;
  const std::uint64_t mapped = skipped + bytes.size();
  const Mapping file(fd, offset - skipped, mapped);
  if (!file) return false;
  std::atomic<bool> whole{true};
  parallel_for(threads, (mapped + piece_bytes - 1) / piece_bytes, [&](std::uint64_t piece, int) {
    if (!whole.load(std::memory_order_relaxed)) return;
    const std::uint64_t begin = piece * piece_bytes;
    const std::uint64_t end = std::min(begin + piece_bytes, mapped);
    char* const pages = file.data() + begin;
    if (!populate(pages, end - begin)) return whole.store(false, std::memory_order_relaxed);
    const std::uint64_t from = std::max(begin, skipped);
    std::memcpy(file.data() + from, bytes.data() + (from - skipped), end - from);
    // The mapping gives its pages up here, on all threads, instead of at its end, on one.
    (void)!madvise(pages, end - begin, MADV_DONTNEED);
  });
  return whole.load();
}

}  // namespace gsx
