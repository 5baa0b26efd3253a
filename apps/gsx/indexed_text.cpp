#include "indexed_text.hpp"

#include "base/error.hpp"
#include "index_choice.hpp"
#include "option_kinds.hpp"
#include "store/verify.hpp"

namespace gsx::app {

void add_indexed_text_option(CLI::App& command, std::string& named) {
  command.get_option("FILE")->required(false);
  add_path(command, "-x,--index", named, "Index to take the text of, instead of FILE")
      ->group("Input");
}

std::optional<Index> indexed_text(const CLI::App& command, const std::string& named,
                                  const InputOptions& input, const Session& session) {
  const std::vector<std::string>& files = input.files;
  if (named.empty() && files.empty()) throw UsageError("FILE is required; - is standard input");
  const bool is_file = named.empty() && is_index(files[0]);
  if (named.empty() && !is_file) return std::nullopt;
  const std::string path = is_file ? files[0] : choose_index(named, "");
  if (files.size() > (is_file ? 1 : 0)) {
    throw UsageError("the index '" + printable(path) + "' and '" +
                     printable(files[is_file ? 1 : 0]) + "': give an index or sequences, not both");
  }
  for (const char* option : {"--alphabet", "--ambiguous", "--soft-mask", "--batch"}) {
    if (command.get_option(option)->count() == 0) continue;
    throw UsageError(std::string(option) + " is for sequences; the index '" + printable(path) +
                     "' was made with its own");
  }
  Index index = Index::open(path, session.threads);
  verify_text(index, session.threads);
  return index;
}

}  // namespace gsx::app
