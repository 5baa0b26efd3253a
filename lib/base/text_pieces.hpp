// Passes text on in pieces of bounded size.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace gsx {

/// Text that grows at its end and is passed on when it reaches `piece` bytes, so that a result of
/// any size takes little memory. Whoever appends must call check() now and then.
class TextPieces {
 public:
  using PassOn = std::function<void(std::string& text)>;

  /// Keeps all text.
  TextPieces() = default;
  /// `pass_on` takes the text and leaves it empty.
  TextPieces(std::size_t piece, PassOn pass_on) : piece_(piece), pass_on_(std::move(pass_on)) {}

  std::string& text() { return text_; }
  /// Passes the text on if it has reached `piece` bytes.
  void check() {
    if (text_.size() >= piece_) flush();
  }
  /// Passes on the rest.
  void flush() {
    if (!text_.empty() && pass_on_) pass_on_(text_);
  }

 private:
  std::size_t piece_ = ~std::size_t{0};
  PassOn pass_on_;
  std::string text_;
};

}  // namespace gsx
