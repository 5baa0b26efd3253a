// The exit codes as help and manual pages list them. Their numbers are those of ErrorKind
// (base/error.hpp).
#pragma once

namespace gsx::app {

struct ExitCode {
  int number;
  const char* meaning;
};

inline constexpr ExitCode exit_codes[] = {
    {0, "success; no hits is a result"},
    {1, "failure at run time"},
    {2, "usage: an option or an argument is wrong"},
    {3, "bad input: a sequence file is missing, unreadable or malformed, or no query can match"},
    {4, "index missing, not made by gsx, or of another format version"},
    {5, "index corrupt, changed during the run, or not the one asked for"},
    {6, "out of memory or disk"},
    {7, "GPU demanded, and not usable"},
};

}  // namespace gsx::app
