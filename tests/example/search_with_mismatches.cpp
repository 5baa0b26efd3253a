// Finds a pattern of IUPAC codes with up to K mismatches:  search_with_mismatches GENOME.fa PATTERN
// K
#include <gsx/search.hpp>
#include <iostream>

int main(int, char** argv) {
  const gsx::Text text = gsx::read_text({argv[1]});
  const std::string_view pattern = argv[2];
  const auto k = static_cast<std::uint32_t>(std::stoul(argv[3]));
  for (const gsx::StrandCounts& places :
       gsx::count_with_mismatches(text, pattern, {.mismatches = k, .iupac = true}))
    std::cout << places.total() << ' ';
  std::cout << "places\n";
  for (const gsx::Occurrence& at :
       gsx::locate_with_mismatches(text, pattern, {.mismatches = k, .iupac = true, .max_hits = 5}))
    std::cout << at.begin << '\t' << (at.reverse ? '-' : '+') << '\t' << at.mismatches << '\n';
}
