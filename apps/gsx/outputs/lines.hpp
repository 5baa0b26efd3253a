// Lines of text, which go to an output in pieces.
#pragma once

#include <cstddef>
#include <string>

#include "bytes/output.hpp"

namespace gsx::app {

class Lines {
 public:
  explicit Lines(Output& out) : out_(out) {}

  /// What is not written yet: append whole lines to it.
  std::string& text() { return text_; }
  void write_if_many() {
    if (text_.size() >= piece_bytes) write();
  }
  void write() {
    out_.write(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{1} << 16;

  Output& out_;
  std::string text_;
};

}  // namespace gsx::app
