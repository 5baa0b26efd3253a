// Warnings of what is read though it is odd.
#pragma once

#include <string>

#include "records/decoding.hpp"

namespace gsx {

/// Gives the message to Decoding::on_warning, or else to the log; to neither if there are to be no
/// warnings.
void warn_of_reading(const Decoding& decoding, const std::string& message);

}  // namespace gsx
