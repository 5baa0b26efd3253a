#include "unmatched.hpp"

#include <nanobind/nanobind.h>

#include <filesystem>
#include <system_error>

#include "base/messages.hpp"
#include "gsx/error.hpp"
#include "records/file_stem.hpp"
#include "run/odd_symbols.hpp"
#include "warnings.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

/// Whether a file of that name exists, or is named so: by a suffix of sequences or of compression.
bool seems_to_be_file(std::string_view pattern) {
  const std::string name(pattern);
  std::error_code error;
  return without_suffixes(name) != name || std::filesystem::is_regular_file(name, error);
}

}  // namespace

void Unmatched::refuse_blanks(std::size_t i, char symbol) const {
  const std::string name = std::string(patterns_.what()) + "[" + std::to_string(i) + "]";
  if (patterns_.views()[i].starts_with('>')) {
    throw UsageError(name +
                     " begins with '>', as a record of FASTA does: give its sequence alone; " +
                     "gsx.read_sequences() reads files");
  }
  if (symbol == ' ' || (symbol >= '\t' && symbol <= '\r'))
    throw UsageError(name + " has a blank or a line end inside: give each sequence by itself");
}

void Unmatched::look_at(std::size_t i, const Alphabet& alphabet) {
  if (is_null(patterns_.views()[i])) return add(i, {});
  for (const char symbol : patterns_.views()[i]) {
    if (alphabet.code(symbol) != Alphabet::none) continue;
    refuse_blanks(i, symbol);
    return add(i, "holds '" + printable({&symbol, 1}) + "', which the index does not have");
  }
}

void Unmatched::look_at(std::size_t i, const MismatchRules& rules) {
  if (is_null(patterns_.views()[i])) return add(i, {});
  for (const char symbol : patterns_.views()[i]) {
    if (symbol <= ' ' || symbol == '>') refuse_blanks(i, symbol);
  }
  if (auto why = why_unasked(patterns_.views()[i], rules)) add(i, std::move(*why));
}

void Unmatched::look_at_parts(std::size_t i, const Alphabet& alphabet, std::uint64_t length) {
  const std::string_view query = patterns_.views()[i];
  if (is_null(query)) return add(i, {});
  std::uint64_t row = 0;
  for (const char symbol : query) {
    if (alphabet.code(symbol) == Alphabet::none) {
      refuse_blanks(i, symbol);
      row = 0;
    } else if (++row >= length) {
      return;
    }
  }
  if (!query.empty()) add(i, "has no " + least_part(alphabet, length, "the index"));
}

void Unmatched::add(std::size_t i, std::string why) {
  if (found_.count == 0) {
    first_ = i;
    const std::string_view pattern = patterns_.views()[i];
    if (is_null(pattern)) why = "is null";
    if (seems_to_be_file(pattern))
      why = "seems to be the name of a file: gsx.read_sequences() gives the sequences in it";
  }
  found_.add({}, std::move(why));
}

void Unmatched::warn() const {
  if (found_.count == 0) return;
  const std::string what = patterns_.what();
  const std::string message = std::to_string(found_.count) + " of " +
                              std::to_string(patterns_.size()) + " " + what +
                              " cannot match (first: " + what + "[" + std::to_string(first_) +
                              "], which " + found_.why + ")";
  gsx::python::warn(nb::module_::import_("gsx.errors").attr("PatternWarning"), message);
}

}  // namespace gsx::python
