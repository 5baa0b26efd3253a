// The unpacker of bzip2, if gsx is built with libbz2.
#if GSX_WITH_BZIP2

#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "bytes/compression/unpacker.hpp"

namespace gsx {
namespace {

class Bzip2Unpacker final : public Unpacker {
 public:
  ~Bzip2Unpacker() override { end(); }

  void reset() override {
    end();
    state_ = {};
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) throw std::bad_alloc();
    begun_ = true;
  }

  bool may_begin_with(unsigned char byte) const override { return byte == 'B'; }

  Status unpack(const unsigned char*& in, const unsigned char* in_end, char*& out,
                char* out_end) override {
    constexpr std::ptrdiff_t most = std::numeric_limits<unsigned>::max();
    state_.next_in = reinterpret_cast<char*>(const_cast<unsigned char*>(in));
    state_.avail_in = static_cast<unsigned>(std::min(in_end - in, most));
    state_.next_out = out;
    state_.avail_out = static_cast<unsigned>(std::min(out_end - out, most));
    const int status = BZ2_bzDecompress(&state_);
    in = reinterpret_cast<unsigned char*>(state_.next_in);
    out = state_.next_out;
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    if (status == BZ_STREAM_END) return Status::ended;
    if (status != BZ_OK) fail_damaged(Packing::bzip2, "");
    return Status::more;
  }

 private:
  void end() {
    if (begun_) BZ2_bzDecompressEnd(&state_);
    begun_ = false;
  }

  bz_stream state_{};
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> make_bzip2_unpacker() {
  return std::make_unique<Bzip2Unpacker>();
}

}  // namespace gsx

#endif
