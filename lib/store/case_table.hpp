// The sections of an index that tell lower-case letters: there only when they were kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "text/letter_case.hpp"
#include "text/text.hpp"

namespace gsx {

/// Why the runs cannot be those of these records, of which `lower_case` symbols are lower case;
/// none when they can. Makes restore_case safe. Cost: one pass over the runs.
std::optional<std::string> fault_of(const LetterCaseView& letter_case,
                                    std::span<const RecordInfo> records, std::uint64_t lower_case);

}  // namespace gsx
