// Whether two reads are the mates of a pair, by what their headers say.
#pragma once

#include <cstdint>
#include <string_view>

namespace gsx {

/// The header of a read, as RecordBatch has it.
struct ReadHeader {
  std::string_view name;
  std::string_view comment = {};
};

enum class MateAnswer : std::uint8_t {
  mates,
  strangers,    ///< by their names, they are no mates
  both_first,   ///< both say that they are first mates
  both_second,  ///< both say that they are second mates
};

/// Compares the headers of mates. The first pair fixes for all others how names tell mates apart,
/// and in which order they come: by a 1 and a 2 at the end of the name, behind '/', '.', '_' or
/// '-'; in a name such as `X_1:N:0:GATTCA`; in a comment such as `1:N:0:GATTCA` or `X/1`; or not at
/// all. The rest of the name is equal.
class MateNames {
 public:
  MateAnswer compare(const ReadHeader& first, const ReadHeader& second);
  /// Whether names tell mates apart as single reads may be numbered, or not at all. Pre: compare()
  /// has found mates.
  bool is_weak() const { return mark_ != Mark::slash && mark_ != Mark::comment && !is_inner(); }
  /// Whether mates have equal names and nothing tells them apart. Pre: as for is_weak().
  bool is_plain() const { return mark_ == Mark::none; }

 private:
  /// What tells mates apart; the value of a mark at the end of names is the character before it.
  enum class Mark : char {
    unknown = 0,
    none = 'n',
    comment = 'c',
    inner = 'i',
    slash = '/',
    dot = '.',
    underscore = '_',
    dash = '-',
  };
  bool is_inner() const { return mark_ == Mark::inner; }
  MateAnswer learn(const ReadHeader& first, const ReadHeader& second);

  Mark mark_ = Mark::unknown;
  char first_ = '1', second_ = '2';  ///< what the mates say, in the order of the first pair
};

/// Whether a name ends in /1 or /2, with something before it.
inline bool ends_in_mate(std::string_view name) {
  const std::size_t size = name.size();
  return size > 2 && name[size - 2] == '/' && (name[size - 1] == '1' || name[size - 1] == '2');
}

}  // namespace gsx
