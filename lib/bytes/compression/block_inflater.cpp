#include "bytes/compression/block_inflater.hpp"

#if GSX_WITH_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include <new>

namespace gsx {

#if GSX_WITH_LIBDEFLATE

struct BlockInflater::State {
  libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
  ~State() { libdeflate_free_decompressor(decompressor); }
};

BlockInflater::BlockInflater() : state_(std::make_unique<State>()) {
  if (state_->decompressor == nullptr) throw std::bad_alloc();
}

bool BlockInflater::inflate(const unsigned char* member, std::size_t size, char* to,
                            std::size_t count) {
  std::size_t used = 0, made = 0;
  return libdeflate_gzip_decompress_ex(state_->decompressor, member, size, to, count, &used,
                                       &made) == LIBDEFLATE_SUCCESS &&
         used == size && made == count;
}

const char* block_inflater_name() {
  return "libdeflate";
}

#else

struct BlockInflater::State {
  z_stream stream{};
  ~State() { inflateEnd(&stream); }
};

BlockInflater::BlockInflater() : state_(std::make_unique<State>()) {
  constexpr int gzip_window = 15 + 16;  // the largest, with the header and checks of gzip
  if (inflateInit2(&state_->stream, gzip_window) != Z_OK) throw std::bad_alloc();
}

bool BlockInflater::inflate(const unsigned char* member, std::size_t size, char* to,
                            std::size_t count) {
  z_stream& stream = state_->stream;
  inflateReset(&stream);
  char none = 0;  // zlib wants an output buffer even for no bytes
  stream.next_in = const_cast<unsigned char*>(member);
  stream.avail_in = static_cast<unsigned>(size);
  stream.next_out = reinterpret_cast<unsigned char*>(count == 0 ? &none : to);
  stream.avail_out = static_cast<unsigned>(count);
  return ::inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 &&
         stream.avail_out == 0;
}

const char* block_inflater_name() {
  return "zlib";
}

#endif

BlockInflater::~BlockInflater() = default;

}  // namespace gsx
