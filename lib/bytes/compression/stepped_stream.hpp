// Bytes that a decoder gives step by step.
#pragma once

#include <exception>

#include "bytes/byte_stream.hpp"

namespace gsx {

/// Gives all bytes before an error, then the error.
class SteppedStream : public ByteStream {
 public:
  std::size_t read(char* to, std::size_t count) final;

 private:
  /// Decodes some bytes to [to, end), and moves `to` behind them; false at the end of the file. May
  /// throw SourceError.
  virtual bool step(char*& to, char* end) = 0;

  std::exception_ptr failure_;  ///< what follows the bytes given so far, if it is an error
};

}  // namespace gsx
