// Opens the index that a command searches, be it one file or shards.
#pragma once

#include <functional>
#include <string>

#include "numbers.hpp"
#include "session.hpp"
#include "store/index.hpp"

namespace gsx::app {

/// What a command does with an index.
enum class IndexUse : std::uint8_t {
  parts,  ///< takes its records and text, and may search its parts one after another
  whole,  ///< needs one FM-index of all
};

/// Opens an index. Of shards whose use is `whole`, builds the index of all their records in memory,
/// on the device of that name, and logs that; before, check(index) may refuse them.
Index open_index(const std::string& path, IndexUse use, Session& session,
                 const std::string& device = "auto", const SizeLimit& memory_limit = {},
                 const std::function<void(const Index&)>& check = {});

}  // namespace gsx::app
