// What a command line that names no index may have meant.
#pragma once

#include <string>
#include <vector>

namespace gsx::app {

/// What the arguments of a command are, apart from its index.
enum class ArgumentKind {
  index,      ///< there are no others
  others,     ///< none that can be searched
  queries,    ///< what is searched for
  regions,    ///< of its records
  sequences,  ///< in place of the index
  pairs,      ///< a target, which may be sequences, and then queries
};

/// What to do about arguments none of which is an index, to be put after a message; "" if they tell
/// nothing. Never waits for a FIFO.
std::string advice_without_index(const std::vector<std::string>& arguments, ArgumentKind kind);

/// What to do about sequences that are named where an index may be, to be put after a message; ""
/// for any other file. Never waits for a FIFO.
std::string advice_on_sequences(const std::string& path, ArgumentKind kind);

/// "; did you mean 'PATH.gsx'?" if there is no file `path` but such an index, else "".
std::string advice_on_missing(const std::string& path);

}  // namespace gsx::app
