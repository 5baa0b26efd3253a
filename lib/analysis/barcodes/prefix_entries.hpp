// Reads sets of sequences of any lengths, with their names, that others may begin with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_growth.hpp"
#include "records/decoding.hpp"
#include "search/sets/prefix_set.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx {

/// A set, and what lines say of its entries.
struct PrefixEntries {
  PrefixSet set;
  NameList columns;  ///< of each, by its index: the name, a tab, and the number of its bases
  std::vector<std::string> list_notes = {};  ///< SequenceReader::list_notes()

  std::uint64_t bytes() const {
    return set.bytes() + columns.bytes.capacity() + columns.ends.capacity() * sizeof(std::uint64_t);
  }
};

struct PrefixReadOptions {
  std::uint64_t block_bytes = std::uint64_t{1} << 20;
  std::uint64_t record_bytes = ~std::uint64_t{0};  ///< most bytes of a record; see ReaderOptions
  Decoding decoding = {};
  RequireMemory require = {};
};

/// Reads the entries: `patterns`, which are their own names, then the records of all files: lists
/// of SEQUENCE or NAME<tab>SEQUENCE, or what SequenceReader reads. A record without a name is its
/// own name. Throws InputError, with file and record or line, for a sequence that PrefixSet does
/// not take, for one that came before, and if there is none at all; UsageError for a pattern that
/// PrefixSet does not take; ResourceError; and as SequenceReader.
PrefixEntries read_prefix_entries(const std::vector<std::string>& patterns,
                                  const std::vector<std::string>& paths,
                                  const PrefixReadOptions& options);

}  // namespace gsx
