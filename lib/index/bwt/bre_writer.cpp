// A header of 24 bytes; records; a record of zeros; the numbers of records, symbols and runs.
#include <algorithm>
#include <string>

#include "index/bwt/run_writer.hpp"

namespace gsx {
namespace {

constexpr std::uint8_t bytes_per_symbol = 1, bytes_per_length = 2;
constexpr std::uint8_t dna_alphabet = 2, unknown_order = 0;
constexpr std::uint64_t alphabet_size = 6;  // separator, A, C, G, T, N
constexpr std::uint64_t longest = (std::uint64_t{1} << 8 * bytes_per_length) - 1;
constexpr std::size_t piece_bytes = std::size_t{1} << 16;

class BreWriter final : public RunWriter {
 public:
  explicit BreWriter(ByteSink sink) : sink_(std::move(sink)) {
    bytes_ = "BRE\1";
    for (const std::uint8_t field :
         {bytes_per_symbol, bytes_per_length, dna_alphabet, unknown_order})
      append(field, 1);
    append(alphabet_size, 8);
    append(0, 8);  // bytes of auxiliary data
  }

 private:
  void put(std::uint8_t symbol, std::uint64_t length) override {
    ++runs_;
    symbols_ += length;
    while (length != 0) {
      const std::uint64_t some = std::min(length, longest);
      append(symbol, bytes_per_symbol);
      append(some, bytes_per_length);
      length -= some;
      ++records_;
    }
    if (bytes_.size() >= piece_bytes) flush();
  }

  void end() override {
    append(0, bytes_per_symbol);
    append(0, bytes_per_length);
    for (const std::uint64_t number : {records_, symbols_, runs_})
      append(number, 8);
    flush();
  }

  /// Appends a number of so many bytes, little-endian.
  void append(std::uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      bytes_ += static_cast<char>(number >> 8 * i & 0xFF);
  }

  void flush() {
    sink_(bytes_);
    bytes_.clear();
  }

  ByteSink sink_;
  std::string bytes_;
  std::uint64_t records_ = 0;
  std::uint64_t symbols_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace

std::unique_ptr<RunWriter> make_bre_writer(ByteSink sink) {
  return std::make_unique<BreWriter>(std::move(sink));
}

}  // namespace gsx
