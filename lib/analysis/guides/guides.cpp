#include "analysis/guides/guides.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {
namespace {

/// Whether the sequence of a guide is rather the name of a column.
bool is_heading(std::string_view sequence) {
  std::string lower(sequence);
  for (char& symbol : lower)
    if (symbol >= 'A' && symbol <= 'Z') symbol = static_cast<char>(symbol - 'A' + 'a');
  const std::initializer_list<std::string_view> words = {"seq", "guide", "spacer", "grna", "crrna"};
  return std::any_of(words.begin(), words.end(), [&lower](std::string_view word) {
    return lower.find(word) != std::string::npos;
  });
}

/// A guide by its name, which may be its sequence.
std::string named(const RecordBatch& records, std::size_t i) {
  const std::string_view name = records.name(i), sequence = records.sequence(i);
  return "'" + shown_name(name) + "'" + (name == sequence ? "" : ", " + shown_name(sequence) + ",");
}

constexpr const char* heading_remedy =
    "; it looks like a header line: begin that with #, or leave it out";

/// The guides that are as long as a usual one with its PAM, and hold it, if they are few among
/// guides of other lengths.
GuidesWithPam few_with_pam(const GuideBatch& batch, const Pam& pam) {
  GuidesWithPam few;
  std::size_t as_long = 0;
  for (std::size_t i = batch.size(); i-- > 0;) {
    if (batch.guides[i].size() != pam.size() + pam.guide_length) continue;
    ++as_long;
    if (!pam.ends(batch.guides[i])) continue;
    ++few.number;
    few.first = i;
  }
  few.few = few.number > 0 && 2 * as_long < batch.size();
  return few.few ? few : GuidesWithPam{};
}

/// The guides that seem to hold the PAM, if a user should be told: each would be searched with the
/// PAM in its end. Refuses them if all do. A guide that the PAM would leave shorter than usual
/// rather ends so by chance.
GuidesWithPam guides_with_pam(const GuideBatch& batch, const Pam& pam) {
  if (pam.allows_all()) return {};
  std::size_t ending = 0, with_pam = 0;
  for (const std::string& guide : batch.guides) {
    if (!pam.ends(guide)) continue;
    ++ending;
    with_pam += guide.size() >= pam.size() + pam.guide_length ? 1 : 0;
  }
  if (with_pam == 0 || with_pam < batch.size()) {
    if (with_pam > 0 && 2 * with_pam >= batch.size()) return {with_pam};
    if (ending > 1 && ending == batch.size()) return {ending};
    return few_with_pam(batch, pam);
  }
  const bool one = batch.size() == 1;
  const std::string all = one ? "the guide seems to " + pam.side()
                              : "all " + std::to_string(batch.size()) + " guides " + pam.side();
  throw InputError(all + ": give --with-pam if it is the PAM, which is then cut off, or " +
                   "--without-pam if " + (one ? "the guide holds" : "they hold") + " none");
}

}  // namespace

GuidesWithPam prepare_guides(GuideBatch& batch, const std::vector<Pam>& pams, GuideEnds ends,
                             std::uint32_t mismatches, UnaskedQueries& unasked) {
  const RecordBatch& records = batch.records;
  const Pam& pam = pams.front();
  batch.pams = pams.size();
  batch.guides.resize(records.size());  // keeps the memory of guides before them
  batch.patterns.clear();
  batch.asked.clear();
  for (std::size_t i = 0; i < records.size(); ++i) {
    batch.guides[i] = records.sequence(i);
    make_dna(batch.guides[i]);
  }
  const GuidesWithPam with_pam =
      ends == GuideEnds::unknown ? guides_with_pam(batch, pam) : GuidesWithPam{};
  std::vector<BaseSet> pattern;
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string& guide = batch.guides[i];
    if (ends == GuideEnds::pam) {
      if (!pam.ends(guide)) {
        throw InputError("the guide " + named(records, i) + " does not " + pam.side() +
                         ", as --with-pam says" +
                         (is_heading(records.sequence(i)) ? heading_remedy : ""));
      }
      guide = pam.cut_from(guide);
    }
    bool asked = true;
    if (auto why = why_unasked(guide, {mismatches, true})) {
      unasked.add(records.name(i), *why + (is_heading(records.sequence(i)) ? heading_remedy : ""));
      asked = false;
    } else if (guide.empty()) {
      unasked.add(records.name(i), "is empty");
      asked = false;
    }
    batch.asked.push_back(asked);
    for (const Pam& one : pams) {
      pattern.clear();
      if (asked) one.append_pattern(guide, pattern);
      batch.patterns.add(pattern);
    }
  }
  return with_pam;
}

}  // namespace gsx
