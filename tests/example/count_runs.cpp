// Counts the runs of a genome's Burrows-Wheeler transform, in 4 GB at most:  count_runs GENOME.fa
#include <gsx/suffix_array.hpp>
#include <iostream>

int main(int, char** argv) {
  const gsx::Text text = gsx::read_text({argv[1]});
  std::uint64_t runs = 0;
  int last = -1;
  gsx::stream_bwt(text, {.memory_limit = 4'000'000'000}, [&](const gsx::CodeChunk& chunk) {
    for (const int code : chunk.codes) {
      runs += code != last ? 1 : 0;
      last = code;
    }
  });
  std::cout << text.length() << " codes, " << runs << " runs\n";
}
