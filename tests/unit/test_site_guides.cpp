// Guides of all sites of a PAM, made on several threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/guides/site_guides.hpp"
#include "base/parallel.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The guides of a text as lines. Parts of about `most` sites are taken in order, and their guides
/// are made on several threads.
std::vector<std::string> all_guides(SiteGuides& guides, std::size_t most) {
  std::vector<PlaceRange> parts;
  for (PlaceRange part; guides.take(most, part);)
    parts.push_back(part);
  std::vector<RecordBatch> batches(parts.size());
  parallel_for(3, parts.size(), [&](std::uint64_t n, int) { guides.find(parts[n], batches[n]); });
  std::vector<std::string> lines;
  for (const RecordBatch& batch : batches)
    for (std::size_t i = 0; i < batch.size(); ++i)
      lines.push_back(std::string(batch.name(i)) + ' ' + std::string(batch.sequence(i)));
  return lines;
}

/// Guides of 6 bases within some ranges, or everywhere.
std::vector<std::string> all_guides(const Text& text, const Pam& pam, std::size_t most,
                                    const std::vector<RecordRange>* ranges = nullptr) {
  SiteGuides guides(text.view(), text.records_view(), pam, 6);
  if (ranges != nullptr) guides.keep_within({text.view().segments, text.records_view(), *ranges});
  return all_guides(guides, most);
}

/// The numbers of a guide's name: NAME:BEGIN-END(STRAND).
RecordRange range_of(const std::string& line, const Text& text) {
  const std::size_t colon = line.find(':'), dash = line.find('-', colon);
  const RecordsView records = text.records_view();
  std::uint64_t record = 0;
  while (records.name(record) != line.substr(0, colon))
    ++record;
  return {record, std::stoull(line.substr(colon + 1)), std::stoull(line.substr(dash + 1))};
}

}  // namespace

TEST_CASE("the guides of all sites do not depend on parts of the text") {
  Random random(51);
  std::string sparse(300000, 'A');
  sparse += random_string(random, 30000, "ACGT");
  const Text text = make_text({random_string(random, 100000, "ACGT"), "ACGTACGG", sparse, "",
                               random_string(random, 20000, "GGGC")});
  for (const char* letters : {"NGG", "N"}) {
    CAPTURE(letters);
    const std::vector<std::string> expected = all_guides(text, {letters, false}, 1);
    CHECK(expected.size() > 10000);
    for (const std::size_t most : {std::size_t{700}, std::size_t{1} << 20})
      CHECK(all_guides(text, {letters, false}, most) == expected);
  }
}

TEST_CASE("the guides of regions are those of all sites that lie within one") {
  Random random(53);
  std::vector<std::string> sequences;
  for (int i = 0; i < 4; ++i) {
    std::string sequence = random_string(random, 9000, "ACGT");
    for (int n = 0; n < 20; ++n)
      sequence.replace(below(random, 8900), below(random, 60), std::string(below(random, 60), 'N'));
    sequences.push_back(sequence);
  }
  sequences.push_back("");
  const Text text = make_text(sequences);
  const RecordsView records = text.records_view();
  std::vector<RecordRange> ranges = {{1, 0, 9}, {1, 9, 30}, {1, 50, 50}, {2, 0, 5000}};
  for (int n = 0; n < 60; ++n) {
    const std::uint64_t record = below(random, 4),
                        begin = below(random, records.infos[record].length);
    ranges.push_back(
        {record, begin, std::min(begin + below(random, 200), records.infos[record].length)});
  }
  // A symbol of a record is in a region, or not; a site is, if a run of such symbols holds it.
  std::vector<std::vector<bool>> wanted;
  for (const RecordInfo& info : records.infos)
    wanted.emplace_back(info.length, false);
  for (const RecordRange& range : ranges)
    std::fill(wanted[range.record].begin() + static_cast<std::ptrdiff_t>(range.begin),
              wanted[range.record].begin() + static_cast<std::ptrdiff_t>(range.end), true);
  std::vector<std::string> expected;
  for (const std::string& line : all_guides(text, {"NGG", false}, 1 << 20)) {
    const RecordRange place = range_of(line, text);
    const auto begin = wanted[place.record].begin();
    if (std::count(begin + static_cast<std::ptrdiff_t>(place.begin),
                   begin + static_cast<std::ptrdiff_t>(place.end), false) == 0)
      expected.push_back(line);
  }
  CHECK(expected.size() > 100);
  for (const std::size_t most : {1, 30, 1 << 20})
    CHECK(all_guides(text, {"NGG", false}, most, &ranges) == expected);
  const std::vector<RecordRange> none;
  CHECK(all_guides(text, {"NGG", false}, 1, &none).empty());
}
