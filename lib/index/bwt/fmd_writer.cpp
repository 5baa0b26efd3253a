// A file is a header, blocks, and frames. All words have 64 bits, little-endian; codes go from the
// high bits of a word to the low ones.
//
// A block has 8 words. It begins with the symbols of the block before it: all, then each of the six
// symbols, as numbers of 16, 32 or 64 bits, whichever suffices; the two highest bits of the first
// word say which. Elias delta codes of run lengths follow, each with the symbol in three bits. A
// run whose code does not end before the last bit of a block begins the next one. Blocks lie in
// chunks of 2^23 words, the last word of which stays zero. One more header stands behind the last
// block.
//
// A frame stands for each 2^b symbols: the last block that begins before them, and the symbols
// before that block.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/buffer.hpp"
#include "index/bwt/run_writer.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t symbols = 6, symbol_bits = 3;
constexpr std::uint64_t block_bits = 3, block_words = std::uint64_t{1} << block_bits;
constexpr std::uint64_t chunk_words = std::uint64_t{1} << 23;
constexpr unsigned blocks_per_frame_bits = 4;

/// All symbols, then each of the six.
using Counts = std::array<std::uint64_t, symbols + 1>;

unsigned floor_log2(std::uint64_t x) {
  return static_cast<unsigned>(std::bit_width(x)) - 1;
}

/// The sizes of the numbers in the header of a block.
enum class HeaderKind : std::uint8_t { bits16, bits32, bits64 };

HeaderKind header_kind(std::uint64_t total) {
  if (total < 0x4000) return HeaderKind::bits16;
  return total < 0x40000000 ? HeaderKind::bits32 : HeaderKind::bits64;
}

constexpr std::uint64_t header_words(HeaderKind kind) {
  const std::uint64_t bits = std::uint64_t{16} << static_cast<unsigned>(kind);
  return ((symbols + 1) * bits + 63) / 64;
}

class FmdWriter final : public RunWriter {
 public:
  FmdWriter(ByteSink sink, std::function<void(std::uint64_t)> require)
      : sink_(std::move(sink)), require_(std::move(require)) {
    add_chunk();
    at_ = header_words(HeaderKind::bits16);
  }

 private:
  void put(std::uint8_t symbol, std::uint64_t length) override {
    const unsigned y = floor_log2(length), z = floor_log2(y + 1);
    const unsigned width = 2 * z + 1 + y + symbol_bits;
    const std::uint64_t delta = (length ^ std::uint64_t{1} << y) | static_cast<std::uint64_t>(y + 1)
                                                                       << y;
    const std::uint64_t code = delta << symbol_bits | symbol;
    if (width >= free_bits_ && at_ == last_word_of_block()) begin_block();
    if (width > free_bits_) {
      const std::uint64_t rest = width - free_bits_;
      word(at_++) |= code >> rest;
      free_bits_ = 64 - rest;
    } else {
      free_bits_ -= width;
    }
    word(at_) |= code << free_bits_;
    counts_[0] += length;
    counts_[1U + symbol] += length;
  }

  void end() override {
    begin_block();
    const std::vector<std::uint64_t> frames = make_frames();
    std::vector<std::uint64_t> header = {symbols << 48 | block_bits << 32 | 0x03'44'4C'52,  // RLD
                                         0, at_ * 8, frames.size() / counts_.size()};
    header.insert(header.end(), counts_.begin() + 1, counts_.end());
    give(header);
    for (std::uint64_t begin = 0; begin < at_; begin += chunk_words)
      give(chunks_[begin / chunk_words].span().first(std::min(chunk_words, at_ - begin)));
    give(frames);
  }

  std::uint64_t& word(std::uint64_t at) { return chunks_[at / chunk_words][at % chunk_words]; }

  std::uint64_t last_word_of_block() const {
    const bool last_of_chunk = (block_ + block_words) % chunk_words == 0;
    return block_ + block_words - (last_of_chunk ? 2 : 1);
  }

  void begin_block() {
    block_ += block_words;
    if (block_ % chunk_words == 0) add_chunk();
    Counts before;
    for (std::size_t i = 0; i < before.size(); ++i)
      before[i] = counts_[i] - begun_[i];
    begun_ = counts_;
    const HeaderKind kind = header_kind(before[0]);
    const std::uint64_t bits = std::uint64_t{16} << static_cast<unsigned>(kind);
    for (std::size_t i = 0; i < before.size(); ++i)
      word(block_ + i * bits / 64) |= before[i] << i * bits % 64;
    word(block_) |= static_cast<std::uint64_t>(kind) << 62;
    at_ = block_ + header_words(kind);
    free_bits_ = 64;
  }

  /// Adds the numbers in the header of a block, which are those of the block before it.
  void add_header(std::uint64_t block, Counts& sums) {
    const std::uint64_t bits = std::uint64_t{16} << (word(block) >> 62);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits + 2);  // without those of the kind
    for (std::size_t i = 1; i < sums.size(); ++i) {
      const std::uint64_t count = word(block + i * bits / 64) >> i * bits % 64 & mask;
      sums[i] += count;
      sums[0] += count;
    }
  }

  std::vector<std::uint64_t> make_frames() {
    const std::uint64_t blocks = at_ / block_words + 1;
    const unsigned bits = floor_log2(counts_[0] / blocks) + blocks_per_frame_bits;
    const std::uint64_t size = std::uint64_t{1} << bits;
    const std::uint64_t count = (counts_[0] + size - 1) / size + 1;
    require_(count * sizeof(Counts));
    std::vector<std::uint64_t> frames;
    frames.reserve(count * counts_.size());
    Counts found{};  // of the last block that begins before the frame; its [0] is the block
    Counts sums{};
    std::uint64_t next = block_words;
    if (next <= block_) add_header(next, sums);
    for (std::uint64_t frame = 0; frame < count; ++frame) {
      while (next <= block_ && sums[0] < frame * size) {
        found = sums;
        found[0] = next;
        next += block_words;
        if (next <= block_) add_header(next, sums);
      }
      frames.insert(frames.end(), found.begin(), found.end());
    }
    return frames;
  }

  void add_chunk() {
    require_(chunk_words * sizeof(std::uint64_t));
    chunks_.emplace_back(chunk_words, "an FMD index");
    std::fill(chunks_.back().begin(), chunks_.back().end(), 0);
  }

  void give(std::span<const std::uint64_t> words) {
    static_assert(std::endian::native == std::endian::little);
    sink_({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
  }

  ByteSink sink_;
  std::function<void(std::uint64_t)> require_;
  std::vector<Buffer<std::uint64_t>> chunks_;
  std::uint64_t block_ = 0;       ///< word at which the block in progress begins
  std::uint64_t at_ = 0;          ///< word in progress
  std::uint64_t free_bits_ = 64;  ///< low bits of it that have no code yet
  Counts counts_{};               ///< of all runs
  Counts begun_{};                ///< of those before the block in progress
};

}  // namespace

std::unique_ptr<RunWriter> make_fmd_writer(ByteSink sink,
                                           std::function<void(std::uint64_t bytes)> require) {
  return std::make_unique<FmdWriter>(std::move(sink), std::move(require));
}

}  // namespace gsx
