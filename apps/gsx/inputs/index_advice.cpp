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

std::string advice_without_index(const std::vector<std::string>& arguments, ArgumentKind kind) {
  if (arguments.empty()) return "";
  const std::string& first = arguments.front();
  const std::string shown = printable(first);
  if (const std::string advice = advice_on_missing(first); !advice.empty()) return advice;
  if (is_fasta(first)) {
    const char* const work = kind == ArgumentKind::queries ? "; to search" : "; to extract from";
    return std::string(work) + " '" + shown + "', give -r '" + shown +
           "', or index it: gsx index '" + shown + "'";
  }
  if (kind != ArgumentKind::queries) return "";
  const auto missing = std::ranges::find_if(arguments, is_missing);
  if (missing == arguments.end()) return "";
  return "; there is no file '" + printable(*missing) + "' either";
}

}  // namespace gsx::app
