// Weights of mismatches and of PAMs, as a user gives them: the score of a site is their product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/export.hpp"

namespace gsx {

/// Weights for guides of one length. A weight that is not given is 1, and so is that of a match.
struct GSX_API ScoreTable {
  /// The weight of the PAMs that these IUPAC codes stand for.
  struct OfPam {
    std::string letters;  ///< upper case
    double weight = 1;
    std::string place = {};  ///< file and line, for messages; may be empty
  };
  static constexpr std::size_t longest_guide = 256;

  std::size_t guide_length = 0;  ///< 1 to longest_guide
  /// By position from the 5' end of the guide, base of the guide, and base of the site, both on the
  /// strand of the guide and in the order A C G T: [guide_length * 4 * 4], each 0 to 1.
  std::vector<double> weights = {};
  std::vector<OfPam> pams = {};  ///< of those that a site has, the last one counts

  double weight(std::size_t position, std::uint32_t guide, std::uint32_t site) const {
    return weights[(position * 4 + guide) * 4 + site];
  }
  /// Throws UsageError for numbers that are out of range, and for letters that are no IUPAC codes.
  void check() const;
};

/// Reads a table ("-" is standard input), in any compression. Columns are separated by tabs if
/// every line has one, else by commas or semicolons, else by blanks; blank lines, those that begin
/// with
/// '#', and a line of headings are skipped. The first line is "length N". Each other one is
/// "POSITION GUIDE SITE WEIGHT", where POSITION is 1 to N or '*' for all, and GUIDE and SITE are
/// IUPAC codes of bases, or "pam LETTERS WEIGHT". A weight is a number from 0 to 1. Where several
/// lines fit, the last one counts. Throws InputError with file and line for anything else, and
/// ResourceError.
GSX_API ScoreTable read_score_table(const std::string& path);

}  // namespace gsx
