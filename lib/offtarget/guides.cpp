#include "offtarget/guides.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {
namespace {

std::string side_of(const Pam& pam) {
  return (pam.first ? "begin with the PAM " : "end in the PAM ") + pam.letters;
}

/// Refuses guides that all seem to hold the PAM: each would be searched with the PAM in its end.
void refuse_pam(const GuideBatch& batch, const Pam& pam) {
  const auto has_pam = [&pam](const std::string& guide) { return pam.ends(guide); };
  if (batch.guides.empty() || !std::all_of(batch.guides.begin(), batch.guides.end(), has_pam))
    return;
  const bool one = batch.size() == 1;
  const std::string all = one ? "the guide seems to " + side_of(pam)
                              : "all " + std::to_string(batch.size()) + " guides " + side_of(pam);
  throw InputError(all + ": give --with-pam if it is the PAM, which is then cut off, or " +
                   "--without-pam if " + (one ? "the guide holds" : "they hold") + " none");
}

}  // namespace

void prepare_guides(GuideBatch& batch, const std::vector<Pam>& pams, GuideEnds ends,
                    std::uint32_t mismatches, UnaskedQueries& unasked) {
  const RecordBatch& records = batch.records;
  const Pam& pam = pams.front();
  batch.pams = pams.size();
  batch.guides.clear();
  batch.patterns.clear();
  for (std::size_t i = 0; i < records.size(); ++i)
    batch.guides.push_back(as_dna(records.sequence(i)));
  if (ends == GuideEnds::unknown) refuse_pam(batch, pam);
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string& guide = batch.guides[i];
    if (ends == GuideEnds::pam) {
      if (!pam.ends(guide)) {
        throw InputError("the guide '" + shown_name(records.name(i)) + "', " + shown_name(guide) +
                         ", does not " + side_of(pam) + ", as --with-pam says");
      }
      guide = pam.cut_from(guide);
    }
    bool asked = true;
    if (auto why = why_unasked(guide, {mismatches, true})) {
      unasked.add(records.name(i), std::move(*why));
      asked = false;
    } else if (guide.empty()) {
      unasked.add(records.name(i), "is empty");
      asked = false;
    }
    for (const Pam& one : pams)
      batch.patterns.add(asked ? one.pattern_of(guide) : std::vector<BaseSet>());
  }
}

}  // namespace gsx
