// Records of one name, and names that tell the records of several files apart.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_limit.hpp"
#include "text/text.hpp"

namespace gsx {

/// Two records of one name, the first of them before the second.
struct NameTwins {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  bool of_two_files = false;
};

/// Two records of one name: of two files if there are such, else of one, else none. `record_ends`
/// as in SourceFilesView. Cost: a sort; 16 bytes per record meanwhile.
std::optional<NameTwins> find_name_twins(const RecordsView& records,
                                         std::span<const std::uint64_t> record_ends);

/// What stands before the name of a record of the file where it is named FILE#NAME: as long as the
/// name of the file and '#'. Blanks and control characters, which the name of a record cannot have,
/// become '_'.
std::string file_prefix(std::string_view file);

/// Names each record FILE#NAME. Pre: the files of the text are kept. `memory` may be null.
void name_by_file(Text& text, MemoryLimit* memory);

/// Finds out whether two files share the name of a record, while their records pass by, without
/// keeping the names. Any number of threads may use it. Memory: 24 bytes for each different name.
class SharedNames {
 public:
  /// `most` is about how many names are held; those that come later are not seen. `memory`, which
  /// may be null, is asked before more are.
  explicit SharedNames(MemoryLimit* memory, std::uint64_t most = ~std::uint64_t{0})
      : memory_(memory), most_(most) {}

  /// A hash of a name, wide enough to stand for it.
  struct Key {
    std::uint64_t low, high, file;
    auto operator<=>(const Key&) const = default;
  };
  static Key key_of(std::string_view name, std::uint64_t file);

  /// Returns whether further names can change what is found.
  bool add(std::span<const Key> keys);
  /// Adds the names of all records. `record_ends` as in SourceFilesView, for the files from number
  /// `first_file` on. Memory: a few kB more.
  void add(const RecordsView& records, std::span<const std::uint64_t> record_ends,
           std::uint64_t first_file);
  /// Whether two files share a name so far.
  bool found();

 private:
  void settle();

  std::mutex mutex_;
  MemoryLimit* memory_;
  std::uint64_t most_;
  std::vector<Key> keys_;
  std::size_t settled_ = 0;  ///< keys that were there when they were last sorted
  bool found_ = false;
};

}  // namespace gsx
