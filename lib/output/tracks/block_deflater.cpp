#include "output/tracks/block_deflater.hpp"

#if GSX_WITH_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include <cstdint>
#include <limits>
#include <new>
#include <string>

#include "base/error.hpp"

namespace gsx {
namespace {

constexpr int level = 1;

}  // namespace

#if GSX_WITH_LIBDEFLATE

struct BlockDeflater::State {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(level);
  ~State() { libdeflate_free_compressor(compressor); }

  std::size_t most(std::size_t size) const {
    return libdeflate_zlib_compress_bound(compressor, size);
  }
  /// 0 if it fails.
  std::size_t deflate(std::string_view block, char* to, std::size_t room) const {
    return libdeflate_zlib_compress(compressor, block.data(), block.size(), to, room);
  }
};

BlockDeflater::BlockDeflater() : state_(std::make_unique<State>()) {
  if (state_->compressor == nullptr) throw std::bad_alloc();
}

#else

struct BlockDeflater::State {
  z_stream stream{};
  ~State() { deflateEnd(&stream); }

  std::size_t most(std::size_t size) { return deflateBound(&stream, size); }
  std::size_t deflate(std::string_view block, char* to, std::size_t room) {
    deflateReset(&stream);
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(block.data()));
    stream.avail_in = static_cast<unsigned>(block.size());
    stream.next_out = reinterpret_cast<unsigned char*>(to);
    stream.avail_out = static_cast<unsigned>(room);
    return ::deflate(&stream, Z_FINISH) == Z_STREAM_END ? room - stream.avail_out : 0;
  }
};

BlockDeflater::BlockDeflater() : state_(std::make_unique<State>()) {
  if (deflateInit(&state_->stream, level) != Z_OK) throw std::bad_alloc();
}

#endif

BlockDeflater::~BlockDeflater() = default;

std::size_t BlockDeflater::deflate(std::string_view block, std::string& to) {
  const std::size_t before = to.size(), most = state_->most(block.size());
  if (most > std::numeric_limits<std::uint32_t>::max())
    throw RuntimeError("cannot compress a block of " + std::to_string(block.size()) + " bytes");
  to.resize(before + most);
  const std::size_t size = state_->deflate(block, to.data() + before, most);
  if (size == 0) throw RuntimeError("cannot compress the output: the deflater has failed");
  to.resize(before + size);
  return size;
}

}  // namespace gsx
