#include "inputs/index_advice.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "inputs/target_choice.hpp"
#include "records/sequence_file.hpp"

namespace gsx::app {
namespace {

bool is_missing(const std::string& path) {
  std::error_code error;
  return path != "-" &&
         std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found;
}

bool is_fasta(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    const SequenceFile file(path, 1, 1 << 16, BlockCut::record);
    return !file.is_empty() && file.format() == SequenceFormat::fasta;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string advice_on_missing(const std::string& path) {
  const std::string meant = path + ".gsx";
  if (!is_missing(path) || !is_index(meant)) return "";
  return "; did you mean '" + printable(meant) + "'?";
}

std::string advice_on_sequences(const std::string& path, ArgumentKind kind) {
  if (!is_fasta(path)) return "";
  const std::string shown = printable(path);
  const char* const work = kind == ArgumentKind::queries ? "; to search" : "; to extract from";
  return std::string(work) + " '" + shown + "', give -r '" + shown + "', or index it: gsx index '" +
         shown + "'";
}

std::string advice_without_index(const std::vector<std::string>& arguments, ArgumentKind kind) {
  if (arguments.empty()) return "";
  const std::string& first = arguments.front();
  if (const std::string advice = advice_on_missing(first); !advice.empty()) return advice;
  if (const std::string advice = advice_on_sequences(first, kind); !advice.empty()) return advice;
  if (kind != ArgumentKind::queries) return "";
  const auto missing = std::ranges::find_if(arguments, is_missing);
  if (missing == arguments.end()) return "";
  return "; there is no file '" + printable(*missing) + "' either";
}

}  // namespace gsx::app
