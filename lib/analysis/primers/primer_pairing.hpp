// Single primers, which their names put together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/primers/primer_pair.hpp"
#include "records/lists/primer_names.hpp"

namespace gsx {

/// A primer that has a record or a line of its own.
struct SinglePrimer {
  std::string name;  ///< of a record: its header
  std::string sequence;
  std::vector<PrimerName> readings;  ///< of its name, the surest first
  std::shared_ptr<const std::string> source;
  std::uint64_t number = 0;  ///< 1-based, of the record or the line in its file
  bool is_line = false;      ///< of a list

  /// Throws InputError that names the file, and the record or the line.
  [[noreturn]] void fail(const std::string& what) const;
};

/// Finds the partners of the single primers of a file, in whatever order they come. Pairs come in
/// the order of their first primers. Two primers are a pair if their names, read in one way, differ
/// in the direction alone. Of names that can be read in several ways, the surest one by which there
/// is a partner in the file counts, which its end tells: so F_amp_1 goes with R_amp_1, but
/// L_casei_1 with L_casei_2.
class PrimerPairing {
 public:
  /// Throws InputError if the primer tells no direction, or may go with two others; ResourceError
  /// if those that wait take more than `most_bytes`.
  void add(SinglePrimer primer, std::uint64_t most_bytes);
  /// The next pair; none if it is not complete.
  std::optional<PrimerPair> take();
  /// Finds the partners of all that are left, at the end of a file. Throws InputError if one has
  /// none, or may go with two others.
  void finish();
  /// Drops the primers without a partner, after an error, so that take() gives all pairs.
  void give_up();

 private:
  struct Entry {
    SinglePrimer first;
    std::optional<SinglePrimer> second;
    PrimerName name;      ///< of the first one, if there is a second one
    bool joined = false;  ///< whether it is the second one of an earlier entry
    bool open() const { return !second && !joined; }
  };
  using Waiting = std::unordered_map<std::string, std::vector<Entry*>>;

  bool find_partner(Entry& entry, const PrimerName& name, bool any_mark, Waiting& waiting);
  void join(Entry& first, Entry& second, const PrimerName& name);

  std::deque<Entry> entries_;  ///< whose pairs have not been taken
  Waiting waiting_;            ///< open ones, by what their partners share with them
  std::uint64_t bytes_ = 0;    ///< of the entries
};

}  // namespace gsx
