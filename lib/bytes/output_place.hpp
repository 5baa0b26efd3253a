// Where the output of a given name goes: to a file or to an open descriptor.
#pragma once

#include <optional>
#include <string>

namespace gsx {

/// The destination behind the name of an output. Follows symbolic links, also dangling ones, so
/// that the file at their end is created or replaced, and not a link.
struct OutputPlace {
  std::string path;               ///< path of the file; for a descriptor, the name as given
  std::optional<int> descriptor;  ///< of this process

  /// "" and "-" mean standard output. So does the name of the regular file that standard output
  /// goes to, because replacing it would lose what others have written there. /dev/stdout,
  /// /dev/stderr, /dev/fd/N, /proc/self/fd/N and links to them mean descriptors, open or not.
  /// Throws RuntimeError for a loop of links.
  static OutputPlace of(const std::string& name);

  /// Whether output to one place would overwrite or mix with output to the other. Two descriptors
  /// may share a file: whoever opened them wanted that.
  bool collides_with(const OutputPlace& other) const;
};

}  // namespace gsx
