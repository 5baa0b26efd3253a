#include "options/circular_option.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "options/option_kinds.hpp"
#include "text/record_finder.hpp"

namespace gsx::app {

void add_circular_option(CLI::App& command, std::vector<std::string>& names,
                         const std::string& what) {
  add_texts(command, "--circular", "NAME", names,
            "The record NAME is circular: also find " + what +
                " that span its origin, where its end meets its beginning. 'all' stands for every "
                "record; repeat --circular for more")
      ->group("Search");
}

std::vector<std::uint64_t> circular_records(const RecordsView& records, const Alphabet& alphabet,
                                            const std::vector<std::string>& names, bool in_shard) {
  if (names.empty()) return {};
  if (alphabet.policy() != SymbolPolicy::dna) {
    throw UsageError("--circular needs a DNA index; this one is " +
                     std::string(name_of(alphabet.policy())));
  }
  const std::vector<std::string_view> wanted(names.begin(), names.end());
  const RecordFinder finder(records, wanted);
  std::vector<std::uint64_t> found;
  for (const std::string& name : names) {
    if (name == "all") {
      found.resize(records.size());
      std::iota(found.begin(), found.end(), 0);
      return found;
    }
    const std::span<const std::uint64_t> named = finder.find(name);
    if (named.empty()) {
      if (in_shard) continue;
      throw InputError("--circular: there is no record '" + shown_name(name) + "'; " +
                       advice_on_name(records, name));
    }
    if (named.size() > 1) {
      throw UsageError("--circular: " + several_records(records, named) +
                       "; 'all' stands for every record");
    }
    found.push_back(named.front());
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace gsx::app
