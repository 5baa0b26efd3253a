#include "output/lines/mismatch_places.hpp"

#include <string_view>

#include "search/mismatches/base_set.hpp"
#include "text/place_parts.hpp"

namespace gsx {
namespace {

bool is_equal(char letter, std::uint32_t code, bool iupac) {
  return has_base(iupac ? iupac_base_set(letter) : plain_base_set(letter), code);
}

}  // namespace

void MismatchFinder::find(const RecordBatch& queries, const HitChunk& chunk,
                          MismatchPlaces& found) {
  found.clear();
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    for (; next < chunk.ends[i]; ++next) {
      const Hit hit = chunk.hits[next];
      if (hit.mismatches() != 0) {
        const std::string_view query = queries.sequence(chunk.first + i);
        finder_.start_of(hit.position());
        const PlaceParts parts = finder_.parts(hit.position(), query.size());
        for (std::uint64_t s = 0; s < query.size(); ++s) {
          const auto code = static_cast<std::uint32_t>(text_.text.symbols[parts.position_of(s)]);
          const bool equal = hit.is_reverse()
                                 ? is_equal(query[query.size() - 1 - s], code ^ 3, text_.iupac)
                                 : is_equal(query[s], code, text_.iupac);
          if (!equal) found.places.push_back(s);
        }
      }
      found.ends.push_back(found.places.size());
    }
  }
}

}  // namespace gsx
