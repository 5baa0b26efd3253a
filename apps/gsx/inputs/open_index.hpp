// Opens the index that a command searches, be it one file or shards.
#pragma once

#include <functional>
#include <string>

#include "index/lookup/index_lookup.hpp"
#include "index/store/index.hpp"
#include "options/numbers.hpp"
#include "process/session.hpp"

namespace gsx::app {

/// What a command does with an index.
enum class IndexUse : std::uint8_t {
  parts,  ///< takes its records and text, and may search its parts one after another
  whole,  ///< needs one FM-index of all
};

/// How an index is opened.
struct OpenIndexOptions {
  std::string device = "auto";  ///< that builds one index of shards
  SizeLimit memory_limit = {};
  std::function<void(const Index&)> check = {};  ///< may refuse the index, before it is built
};

/// Opens an index, which no output of the run may then replace. Of shards whose use is `whole`,
/// builds the index of all their records in memory, and logs that.
Index open_index(const std::string& path, IndexUse use, Session& session,
                 const OpenIndexOptions& options = {});

/// Opens an index for a command that looks up some of its records, and opens no more of it.
IndexLookup open_lookup(const std::string& path, Session& session);

}  // namespace gsx::app
