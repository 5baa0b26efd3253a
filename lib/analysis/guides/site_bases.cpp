#include "analysis/guides/site_bases.hpp"

#include <algorithm>

namespace gsx {

void read_bases(const TextView& text, std::uint64_t position, bool reverse,
                std::span<std::uint8_t> codes) {
  constexpr std::size_t step = 28;
  for (std::size_t i = 0; i < codes.size(); i += step) {
    const std::uint64_t window = text.symbols.window(position + i);
    for (std::size_t j = 0; j < std::min(step, codes.size() - i); ++j) {
      const auto code = static_cast<std::uint8_t>(window >> (62 - 2 * j) & 3);
      if (reverse) {
        codes[codes.size() - 1 - i - j] = static_cast<std::uint8_t>(3 - code);
      } else {
        codes[i + j] = code;
      }
    }
  }
}

void SiteBases::read(const Hit& hit, const PlaceParts& parts, std::span<const BaseSet> pattern,
                     Bulge bulge) {
  const bool reverse = hit.is_reverse();
  codes_.resize(parts.size + parts.rest);
  const auto codes_of = [&](std::uint64_t begin, std::uint64_t count) {
    return std::span(codes_).subspan(reverse ? codes_.size() - begin - count : begin, count);
  };
  read_bases(text_, parts.begin, reverse, codes_of(0, parts.size));
  if (parts.rest != 0)
    read_bases(text_, parts.rest_begin, reverse, codes_of(parts.size, parts.rest));
  bulge_ = bulge;
  // The PAM may be another one than the pattern's.
  const Pam& first = pams_.front();
  const std::size_t offset = first.before_guide ? first.size() : 0;
  const auto guide = pattern.subspan(offset, pattern.size() - first.size());
  const auto codes =
      std::span<const std::uint8_t>(codes_).subspan(offset, codes_.size() - first.size());
  const std::size_t removed = bulge < 0 ? size_of(bulge) : 0;
  before_ = static_cast<std::uint32_t>(guide.size());
  if (bulge != 0) before_ = align_bulge(guide, codes, bulge, hit.mismatches()).before;
  mismatches_.clear();
  const auto compare = [&](std::size_t i, std::size_t at) {
    if (!has_base(guide[i], codes[at]))
      mismatches_.push_back(static_cast<std::uint32_t>(offset + at));
  };
  for (std::size_t i = 0; i < before_; ++i)
    compare(i, i);
  for (std::size_t i = before_ + removed; i < guide.size(); ++i)
    compare(i, static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + bulge));
}

void SiteBases::append(std::string& out) const {
  const std::size_t begin = out.size();
  for (const std::uint8_t code : codes_)
    out += "ACGT"[code];
  for (const std::uint32_t i : mismatches_)
    out[begin + i] = static_cast<char>(out[begin + i] | 0x20);
}

void SiteBases::append_aligned(std::string& out) const {
  const std::size_t begin = out.size();
  append(out);
  if (bulge_ >= 0) return;
  const std::size_t offset = pams_.front().before_guide ? pams_.front().size() : 0;
  out.insert(begin + offset + before_, size_of(bulge_), '-');
}

void SiteBases::append_guide(std::string& out, std::string_view guide) const {
  const Pam& beside = pam();
  if (beside.before_guide) out += beside.letters;
  out += guide.substr(0, before_);
  if (bulge_ > 0) out.append(size_of(bulge_), '-');
  out += guide.substr(before_);
  if (!beside.before_guide) out += beside.letters;
}

/// The PAM that the site has.
const Pam& SiteBases::pam() const {
  const auto fits = [this](const Pam& pam) {
    const std::size_t offset = pam.before_guide ? 0 : codes_.size() - pam.size();
    for (std::size_t i = 0; i < pam.size(); ++i)
      if (!has_base(iupac_base_set(pam.letters[i]), codes_[offset + i])) return false;
    return true;
  };
  if (pams_.size() == 1) return pams_.front();
  const auto found = std::find_if(pams_.begin(), pams_.end(), fits);
  return found == pams_.end() ? pams_.front() : *found;
}

}  // namespace gsx
