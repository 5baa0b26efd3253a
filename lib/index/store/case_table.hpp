// Checks the optional sections of an index that say which letters were lower case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "text/letter_case.hpp"
#include "text/text.hpp"

namespace gsx {

/// Why the runs cannot belong to these records, `lower_case` symbols of which are lower case; none
/// if they can. After this check, restore_case() is safe. Cost: one pass over the runs.
std::optional<std::string> fault_of(const LetterCaseView& letter_case,
                                    std::span<const RecordInfo> records, std::uint64_t lower_case);

}  // namespace gsx
