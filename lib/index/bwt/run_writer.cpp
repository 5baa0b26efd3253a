#include "index/bwt/run_writer.hpp"

#include "index/bwt/bwt.hpp"

namespace gsx {

void RunWriter::add(std::span<const std::uint8_t> codes) {
  for (const std::uint8_t code : codes) {
    const auto symbol = static_cast<std::uint8_t>(code == Bwt::separator ? 0 : code + 1);
    if (symbol != symbol_) {
      if (length_ != 0) put(symbol_, length_);
      symbol_ = symbol;
      length_ = 0;
    }
    ++length_;
  }
}

void RunWriter::finish() {
  if (length_ != 0) put(symbol_, length_);
  end();
}

}  // namespace gsx
