// Where the output of a given name goes: to a file, or through an open descriptor.
#pragma once

#include <optional>
#include <string>

namespace gsx {

/// The place behind the name of an output. Symbolic links are followed, whether or not there is a
/// file at their end, so that this file is replaced or made, and not a link.
struct OutputPlace {
  std::string path;               ///< of the file; for a descriptor the name as it was given
  std::optional<int> descriptor;  ///< of this process

  /// "" and "-" are standard output; so is the regular file that standard output goes to, since
  /// what is there already is not ours. /dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N and
  /// links to them are descriptors, open or not. Throws RuntimeError for links that lead nowhere.
  static OutputPlace of(const std::string& name);

  /// Whether what is written to one place would be lost by, or mixed with, what is written to the
  /// other. Two descriptors are what the one who opened them wanted.
  bool collides_with(const OutputPlace& other) const;
};

}  // namespace gsx
