// Opens a partial result, of either kind.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "records/formats/byte_source.hpp"

namespace gsx {

/// An open file that gsx has written, plain or compressed.
struct PartSource {
  std::string label;  ///< what messages call it
  std::unique_ptr<ByteSource> bytes;

  /// Whether it begins as a file of --format part does, and so is no text.
  bool is_part_file() const;
  /// Throws InputError for what may only be such a file that is cut or damaged. `named`: whether
  /// its name says that it is one; `beside`: whether another file that is merged with it is one.
  void require_whole_start(bool named, bool beside) const;

 private:
  /// The first bytes, as many as the magic has, or all.
  std::string_view start() const;
};

/// Opens the file; "-" is standard input. Throws InputError, and ResourceError if too many files
/// are open.
PartSource open_part(const std::string& path);

}  // namespace gsx
