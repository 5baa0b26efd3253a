// Text that is made of a file in another format.
#pragma once

#include <exception>
#include <string>

#include "bytes/byte_stream.hpp"

namespace gsx {

/// Keeps the text that is made and not yet read, and what went wrong behind it.
class MadeStream : public ByteStream {
 public:
  std::size_t read(char* to, std::size_t count) final;

 protected:
  /// Adds some text; false at the end of the file. May throw SourceError behind text that it has
  /// added.
  virtual bool make(std::string& text) = 0;

 private:
  void make_more();

  std::string text_;
  std::size_t taken_ = 0;  ///< of text_
  bool ended_ = false;
  std::exception_ptr failure_;  ///< what follows the text, if it is an error
};

}  // namespace gsx
