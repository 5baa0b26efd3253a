// A small genome whose index reads are filtered by, for tests.
#pragma once

#include <string>
#include <utility>

#include "support/indexed.hpp"
#include "support/program.hpp"

namespace gsx::testing {

// chr1 without its N: ACGTACGT and ACGTTTGGGA; GATTACA
inline constexpr const char* genome = ">chr1\nACGTACGTNNACGTTTGGGA\n>chr3\nGATTACA\n";

struct Genome : IndexedFolder {
  explicit Genome(const std::string& fasta = genome) : IndexedFolder(fasta) {}
  Outcome filter(Arguments arguments, std::string input = "") const {
    arguments.insert(arguments.begin(), {"filter", "-q", "-x", "g.gsx"});
    return gsx(arguments, std::move(input));
  }
  bool has(const std::string& name) const {
    return run_shell("test -e " + name, {.folder = folder.path()}).exit_code == 0;
  }
  /// Names of what is in the folder.
  std::string files() const { return output_of(run_shell("ls -A", {.folder = folder.path()})); }
};

inline Arguments operator+(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace gsx::testing
