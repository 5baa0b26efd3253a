// The unpacker of zstd, if gsx is built with libzstd.
#if GSX_WITH_ZSTD

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <new>

#include "bytes/compression/unpacker.hpp"

namespace gsx {
namespace {

class ZstdUnpacker final : public Unpacker {
 public:
  explicit ZstdUnpacker(std::uint64_t most_bytes)
      : most_bytes_(most_bytes), state_(ZSTD_createDCtx()) {
    if (!state_) throw std::bad_alloc();
    const ZSTD_bounds window = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    const int most = static_cast<int>(std::bit_width(most_bytes | 1)) - 1;
    ZSTD_DCtx_setParameter(state_.get(), ZSTD_d_windowLogMax,
                           std::clamp(most, window.lowerBound, window.upperBound));
  }

  void reset() override {
    ZSTD_DCtx_reset(state_.get(), ZSTD_reset_session_only);
    wanted_ = least_header;
  }

  /// The first bytes of a frame, and of one that is to be skipped.
  bool may_begin_with(unsigned char byte) const override {
    return byte == 0x28 || (byte & 0xf0) == 0x50;
  }

  Status unpack(const unsigned char*& in, const unsigned char* in_end, char*& out,
                char* out_end) override {
    // No more than it wants, which is to the end of a block: an error loses what a call has given.
    ZSTD_inBuffer from{in, std::min(wanted_, static_cast<std::size_t>(in_end - in)), 0};
    ZSTD_outBuffer to{out, static_cast<std::size_t>(out_end - out), 0};
    const std::size_t status = ZSTD_decompressStream(state_.get(), &to, &from);
    in += from.pos;
    out += to.pos;
    if (ZSTD_isError(status) != 0) fail(status);
    wanted_ = status;
    return status == 0 ? Status::ended : Status::more;
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* state) const { ZSTD_freeDCtx(state); }
  };

  [[noreturn]] void fail(std::size_t status) const {
    switch (ZSTD_getErrorCode(status)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        fail_on_memory(Packing::zstd, 0, most_bytes_);
      case ZSTD_error_dictionary_wrong:
        fail_damaged(Packing::zstd, "or made with a dictionary: zstd -D DICTIONARY -dc FILE");
      case ZSTD_error_checksum_wrong:
        fail_damaged(Packing::zstd, "wrong checksum");
      default:
        fail_damaged(Packing::zstd, "");
    }
  }

  static constexpr std::size_t least_header = 6;

  std::uint64_t most_bytes_;
  std::unique_ptr<ZSTD_DCtx, Free> state_;
  std::size_t wanted_ = least_header;  ///< bytes of input that the next call takes
};

}  // namespace

std::unique_ptr<Unpacker> make_zstd_unpacker(std::uint64_t most_bytes) {
  return std::make_unique<ZstdUnpacker>(most_bytes);
}

}  // namespace gsx

#endif
