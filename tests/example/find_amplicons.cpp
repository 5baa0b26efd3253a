// Finds the products of a pair of primers with up to K mismatches:  find_amplicons GENOME.fa
// FORWARD REVERSE K
#include <gsx/primers.hpp>
#include <iostream>

int main(int, char** argv) {
  const gsx::Text text = gsx::read_text({argv[1]});
  const auto k = static_cast<std::uint32_t>(std::stoul(argv[4]));
  const gsx::PrimerPair pair{.name = "pair", .forward = argv[2], .reverse = argv[3]};
  for (const gsx::Amplicon& product :
       gsx::find_amplicons(text, pair, {.mismatches = k, .end_bases = 5}))
    std::cout << product.begin << '\t' << product.end << '\t' << product.forward_mismatches << ','
              << product.reverse_mismatches << '\n';
}
