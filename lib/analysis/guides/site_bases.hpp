// The bases of a site, and how they lie beside the guide.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/guides/bulges.hpp"
#include "analysis/guides/pam.hpp"
#include "search/exact/hits.hpp"
#include "text/place_parts.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Writes the codes of the bases from `position` on, or those of their reverse complement. Pre: no
/// segment ends before them.
void read_bases(const TextView& text, std::uint64_t position, bool reverse,
                std::span<std::uint8_t> codes);

/// The bases of one site at a time, PAM included, in the direction of the guide.
class SiteBases {
 public:
  /// Refers to what it is given.
  SiteBases(const TextView& text, const std::vector<Pam>& pams) : text_(text), pams_(pams) {}

  /// Reads the bases of a site of a guide, which lie at `parts`, and compares them with its
  /// pattern.
  void read(const Hit& hit, const PlaceParts& parts, std::span<const BaseSet> pattern,
            Bulge bulge = 0);
  /// Bases of the site.
  std::size_t size() const { return codes_.size(); }
  std::span<const std::uint8_t> codes() const { return codes_; }
  /// The mismatches, counted from the first base of the site.
  std::span<const std::uint32_t> mismatches() const { return mismatches_; }
  /// Appends the bases, mismatches in lower case.
  void append(std::string& out) const;
  /// Appends them with '-' for each letter of the guide that they lack.
  void append_aligned(std::string& out) const;
  /// Appends the guide and the PAM beside it, with '-' for each base that they lack.
  void append_guide(std::string& out, std::string_view guide) const;

 private:
  const Pam& pam() const;

  const TextView& text_;
  const std::vector<Pam>& pams_;
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint32_t> mismatches_;
  Bulge bulge_ = 0;
  std::uint32_t before_ = 0;  ///< letters of the guide before the bulge
};

}  // namespace gsx
