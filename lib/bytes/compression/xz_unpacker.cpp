// The unpacker of xz, if gsx is built with liblzma.
#if GSX_WITH_XZ

#include <lzma.h>

#include <new>

#include "bytes/compression/unpacker.hpp"

namespace gsx {
namespace {

class XzUnpacker final : public Unpacker {
 public:
  explicit XzUnpacker(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}
  ~XzUnpacker() override { lzma_end(&state_); }

  void reset() override {
    if (lzma_stream_decoder(&state_, most_bytes_, 0) != LZMA_OK) throw std::bad_alloc();
  }

  bool may_begin_with(unsigned char byte) const override { return byte == 0xfd; }

  Status unpack(const unsigned char*& in, const unsigned char* in_end, char*& out,
                char* out_end) override {
    state_.next_in = in;
    state_.avail_in = static_cast<std::size_t>(in_end - in);
    state_.next_out = reinterpret_cast<std::uint8_t*>(out);
    state_.avail_out = static_cast<std::size_t>(out_end - out);
    const lzma_ret status = lzma_code(&state_, LZMA_RUN);
    in = state_.next_in;
    out = reinterpret_cast<char*>(state_.next_out);
    switch (status) {
      case LZMA_OK:
      case LZMA_BUF_ERROR:  // it needs more input, or more room
        return Status::more;
      case LZMA_STREAM_END:
        return Status::ended;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        fail_on_memory(Packing::xz, lzma_memusage(&state_), most_bytes_);
      case LZMA_OPTIONS_ERROR:
        fail_damaged(Packing::xz, "or made by a newer xz, with a method that liblzma lacks");
      default:
        fail_damaged(Packing::xz, "");
    }
  }

 private:
  std::uint64_t most_bytes_;
  lzma_stream state_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<Unpacker> make_xz_unpacker(std::uint64_t most_bytes) {
  return std::make_unique<XzUnpacker>(most_bytes);
}

}  // namespace gsx

#endif
