// Suffix arrays and BWTs that a GPU makes batch by batch, with little memory, are those of one
// piece, whatever the text and the bytes of an entry.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// Records of random symbols and of copies of others, some with few differences.
std::string records(Random& random, const std::string& symbols, std::size_t size) {
  std::string all, text;
  for (int record = 0; text.size() < size; ++record) {
    std::string next = random_string(random, 200'000, symbols);
    if (record % 3 == 1) {
      const std::size_t begin = below(random, text.size() / 2);
      next = text.substr(begin, 400'000);
      for (int k = 0; k < 20; ++k)
        next[below(random, next.size())] = symbols[below(random, symbols.size())];
    }
    if (record % 5 == 4) next += std::string(30'000, symbols[0]);
    all += '>' + std::to_string(record) + '\n' + next + '\n';
    text += next;
  }
  return all;
}

}  // namespace

TEST_CASE("builds in batches on a GPU: every kind of text, entries of 4, 5 and 8 bytes") {
  GSX_NEED("GPU", gpu_works(), "there is no GPU");
  const TemporaryFolder folder;
  Random random(run_seed());
  std::string printable;
  for (char c = '!'; c <= '~'; ++c) {
    if (c != '>' && c != '$') printable += c;
  }
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"dna", "ACGT"}, {"protein", "ACDEFGHIKLMNPQRSTVWY"}, {"bytes", printable}};
  bool any_in_batches = false;
  for (const auto& [kind, symbols] : kinds) {
    CAPTURE(kind);
    folder.write("t.fa", records(random, symbols, 9'000'000));
    const auto made = [&](Arguments command, const Arguments& where) {
      command.insert(command.end(), {"--alphabet", kind, folder / "t.fa", "-o", folder / "out"});
      command.insert(command.end(), where.begin(), where.end());
      const Outcome outcome = run(command);
      any_in_batches = any_in_batches || outcome.err.find("rows not kept") != std::string::npos;
      REQUIRE((outcome.exit_code == 0 || outcome.exit_code == 6));
      return outcome.exit_code == 0 ? folder.read("out") : std::string();
    };
    for (const Arguments& command :
         {Arguments{"sa", "--width", "4"}, Arguments{"sa", "--width", "5"},
          Arguments{"sa", "--width", "8"}, Arguments{"bwt"}}) {
      CAPTURE(command.back());
      const std::string wanted = made(command, {"--device", "cpu"});
      CHECK((made(command, {"--device", "cuda"}) == wanted));
      int done = 0;
      for (const char* memory : {"120MB", "150MB", "180MB", "240MB"}) {
        CAPTURE(memory);
        const std::string found = made(command, {"--device", "cuda", "--gpu-memory", memory});
        if (found.empty()) continue;  // this text takes more
        CHECK((found == wanted));
        ++done;
      }
      CHECK(done > 0);
    }
  }
  CHECK(any_in_batches);
}
