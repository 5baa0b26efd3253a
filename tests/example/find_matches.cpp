// Finds the maximal matches of at least L symbols, and the longest match:  find_matches GENOME.fa
// QUERY L
#include <algorithm>
#include <gsx/matches.hpp>
#include <iostream>
#include <string>

int main(int, char** argv) {
  const gsx::Index index = gsx::build_index(gsx::read_text({argv[1]}));
  const std::string_view query = argv[2];
  for (const gsx::MaximalMatch& match :
       gsx::maximal_matches(index, query, {.min_length = std::stoul(argv[3])})) {
    const auto first = gsx::locate(index, query.substr(match.begin, match.length)).front();
    std::cout << match.begin << '\t' << match.end() << '\t' << match.counts.total() << '\t'
              << first.begin << (first.reverse ? "-\n" : "+\n");
  }
  std::cout << std::ranges::max(gsx::match_lengths(index, query)) << " symbols at most\n";
}
