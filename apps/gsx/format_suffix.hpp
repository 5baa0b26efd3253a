// The part of an output's name that tells its format.
#pragma once

#include <string>

namespace gsx::app {

/// The suffix of a file name without .gz or .bgz, in lower case.
std::string format_suffix(std::string output);

/// Refuses a suffix that would make other programs misread the output of `command`, which writes
/// `formats`. `option` names the output.
void refuse_other_format(const std::string& suffix, const char* command, const char* formats,
                         const char* option = "-o");

}  // namespace gsx::app
