#include "bytes/compression/stream_inflater.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace gsx {
namespace {

class ZlibInflater final : public StreamInflater {
 public:
  ZlibInflater() {
    constexpr int raw_window = -15;  // the largest, without a header
    if (inflateInit2(&state_, raw_window) != Z_OK) throw std::bad_alloc();
  }
  ~ZlibInflater() override { inflateEnd(&state_); }

  void reset() override { inflateReset(&state_); }

  Status inflate(const unsigned char*& in, const unsigned char* in_end, char*& out,
                 char* out_end) override {
    constexpr std::ptrdiff_t most = std::numeric_limits<unsigned>::max();
    state_.next_in = const_cast<unsigned char*>(in);
    state_.avail_in = static_cast<unsigned>(std::min(in_end - in, most));
    state_.next_out = reinterpret_cast<unsigned char*>(out);
    state_.avail_out = static_cast<unsigned>(std::min(out_end - out, most));
    const int status = ::inflate(&state_, Z_NO_FLUSH);
    in = state_.next_in;
    out = reinterpret_cast<char*>(state_.next_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) return Status::ended;
    return status == Z_OK || status == Z_BUF_ERROR ? Status::more : Status::damaged;
  }

  std::uint32_t checksum(std::uint32_t before, std::string_view bytes) const override {
    return static_cast<std::uint32_t>(
        crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
  }

 private:
  z_stream state_{};
};

}  // namespace

std::unique_ptr<StreamInflater> make_zlib_inflater() {
  return std::make_unique<ZlibInflater>();
}

#if !GSX_WITH_ISAL

std::unique_ptr<StreamInflater> make_stream_inflater() {
  return make_zlib_inflater();
}

const char* stream_inflater_name() {
  return "zlib";
}

#endif

}  // namespace gsx
