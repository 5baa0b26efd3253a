// The inflater of ISA-L, if gsx is built with it.
#if GSX_WITH_ISAL

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <limits>

#include "bytes/compression/stream_inflater.hpp"

namespace gsx {
namespace {

class IsalInflater final : public StreamInflater {
 public:
  IsalInflater() { isal_inflate_init(&state_); }

  void reset() override {
    isal_inflate_reset(&state_);
    damaged_ = false;
  }

  Status inflate(const unsigned char*& in, const unsigned char* in_end, char*& out,
                 char* out_end) override {
    constexpr std::ptrdiff_t most = std::numeric_limits<std::int32_t>::max();
    state_.next_in = const_cast<unsigned char*>(in);
    state_.avail_in = static_cast<std::uint32_t>(std::min(in_end - in, most));
    state_.next_out = reinterpret_cast<std::uint8_t*>(out);
    state_.avail_out = static_cast<std::uint32_t>(std::min(out_end - out, most));
    const bool sound = !damaged_ && isal_inflate(&state_) >= 0;
    out = reinterpret_cast<char*>(state_.next_out);
    in = state_.next_in;
    if (!sound) return drain(out, out_end);
    if (state_.block_state != ISAL_BLOCK_FINISH) return Status::more;
    // It reads ahead, without giving back what is not of the stream.
    in -= state_.read_in_length / 8;
    return Status::ended;
  }

  std::uint32_t checksum(std::uint32_t before, std::string_view bytes) const override {
    return crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()),
                           bytes.size());
  }

 private:
  /// Gives the bytes before the damage that are still in the library's own buffer.
  Status drain(char*& out, char* out_end) {
    damaged_ = true;
    const std::int32_t held = state_.tmp_out_valid - state_.tmp_out_processed;
    const auto count = static_cast<std::int32_t>(std::min<std::ptrdiff_t>(held, out_end - out));
    out = std::copy_n(state_.tmp_out_buffer + state_.tmp_out_processed, count, out);
    state_.tmp_out_processed += count;
    return count < held ? Status::more : Status::damaged;
  }

  /// All zero at first: from damaged streams, the library reads tables that it has not filled.
  inflate_state state_{};
  bool damaged_ = false;
};

}  // namespace

std::unique_ptr<StreamInflater> make_stream_inflater() {
  return std::make_unique<IsalInflater>();
}

const char* stream_inflater_name() {
  return "ISA-L";
}

}  // namespace gsx

#endif
