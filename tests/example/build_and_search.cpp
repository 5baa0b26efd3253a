// Builds an index in memory and searches it:  build_and_search GENOME.fa PATTERN...
#include <gsx/error.hpp>
#include <gsx/search.hpp>
#include <iostream>

int main(int argc, char** argv) try {
  const gsx::Index index = gsx::build_index(gsx::read_text({argv[1]}));
  for (int i = 2; i < argc; ++i) {
    std::cout << argv[i] << ": " << gsx::count(index, argv[i]).total() << '\n';
    for (const gsx::Occurrence& at : gsx::locate(index, argv[i]))
      std::cout << index.records().name(at.record) << '\t' << at.begin << '\t' << at.end << '\t'
                << (at.reverse ? '-' : '+') << '\n';
  }
} catch (const gsx::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return static_cast<int>(error.kind());
}
