// amplicon --circular: products and places of primers that span the origin of a circular record.
#include <algorithm>
#include <map>

#include "support/columns.hpp"
#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

using Lines = std::vector<std::string>;

std::string reversed(std::string symbols) {
  std::reverse(symbols.begin(), symbols.end());
  for (char& c : symbols)
    if (const auto at = std::string_view("ACGT").find(c); at != std::string_view::npos)
      c = "TGCA"[at];
  return symbols;
}

struct Rules {
  std::size_t mismatches;
  std::size_t least;
  std::size_t most;
};

/// Starts of a primer, written as the forward strand has it, with their mismatches.
std::map<std::size_t, std::size_t> starts_of(const std::string& record, bool circular,
                                             const std::string& primer, std::size_t most) {
  std::map<std::size_t, std::size_t> starts;
  const std::size_t size = record.size();
  for (std::size_t start = 0; start < size && primer.size() <= size; ++start) {
    if (!circular && start + primer.size() > size) break;
    std::size_t mismatches = 0;
    for (std::size_t i = 0; i < primer.size(); ++i) {
      const char symbol = record[(start + i) % size];
      mismatches += symbol == 'N' ? most + 1 : symbol == primer[i] ? 0 : 1;
    }
    if (mismatches <= most) starts[start] = mismatches;
  }
  return starts;
}

/// "START END PRIMERS MISMATCHES SEQUENCE" of each product, found by trying all places.
Lines products_of(const std::string& record, bool circular, const std::string& forward,
                  const std::string& reverse, const Rules& rules) {
  Lines products;
  const std::string* const primers[] = {&forward, &reverse};
  const std::size_t size = record.size();
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 2; ++b) {
      if (forward == reverse && a + b > 0) continue;
      const auto ends = starts_of(record, circular, reversed(*primers[b]), rules.mismatches);
      for (const auto& [start, here] : starts_of(record, circular, *primers[a], rules.mismatches)) {
        for (const auto& [place, there] : ends) {
          const std::size_t end = place + primers[b]->size();
          if (!circular && end <= start) continue;
          std::size_t length = circular ? (end + size - start) % size : end - start;
          if (length == 0) length = size;
          if (length < rules.least || length > rules.most || length < primers[a]->size() ||
              length < primers[b]->size())
            continue;
          const char role[] = {"FR"[a], "FR"[b], '\0'};
          std::string symbols = (record + record).substr(start, length);
          if (a == 1 && b == 0) symbols = reversed(symbols);
          products.push_back(std::to_string(start) + ' ' + std::to_string(start + length) + ' ' +
                             role + ' ' + std::to_string(here + there) + ' ' + symbols);
        }
      }
    }
  }
  return products;
}

}  // namespace

TEST_CASE("a product that spans the origin is found in every format") {
  //                            0     6         16    22
  const IndexedFolder index(">c\nCCATAGTTTTTTTTTTACGTTGAA\n>lin\nCCATAGTTTTTTTTTTACGTTGAA\n");
  const auto amplicon = [&](const std::string& primers, Arguments more) {
    more.insert(more.begin(), {"amplicon", "-x", "g.gsx", "-", "--no-header", "--min", "1"});
    return index.gsx(more, primers);
  };
  const std::string pair = "p\tACGTTG\tCTATGG\n";
  check_output(amplicon(pair, {}), "");
  check_output(amplicon(pair, {"--circular", "c"}), "p\tc\t16\t30\t14\t+\t0\t0\tFR\t1\t1\tno\n");
  check_output(amplicon(pair, {"--circular", "c", "--max", "13"}), "");
  check_output(amplicon(pair, {"--circular", "c", "--bed"}),
               "c\t16\t24\tp\t0\t+\nc\t0\t6\tp\t0\t+\n");
  check_output(amplicon(pair, {"--circular", "c", "--fasta"}),
               ">p c:16-30(+) length=14 primers=FR mismatches=0,0\nACGTTGAACCATAG\n");
  // A primer across the origin, with its last bases behind it.
  check_output(amplicon("q\tTTGAACC\tCTATGG\n", {"--circular", "c", "--3prime", "4:0", "-k", "1"}),
               "q\tc\t19\t30\t11\t+\t0\t0\tFR\t1\t1\tno\n");
  const auto mismatched = [&](const char* primer, const char* mismatches, const char* end) {
    return amplicon("q\t" + std::string(primer) + "\tAAAAACTATGG\n",
                    {"--circular", "c", "-k", mismatches, "--3prime", end});
  };
  check_output(mismatched("TTGAAGC", "1", "1:0"), "q\tc\t19\t35\t16\t+\t1\t0\tFR\t1\t1\tno\n");
  check_output(mismatched("TTGAAGC", "1", "2:0"), "");
  check_output(mismatched("TTGAAGC", "2", "2:1"), "q\tc\t19\t35\t16\t+\t1\t0\tFR\t1\t1\tno\n");
  check_output(mismatched("TTGAAGG", "2", "2:1"), "");
  // Primers back to back amplify the whole circle.
  check_output(amplicon("w\tACGTTG\tAAAAAAAA\n", {"--circular", "c"}),
               "w\tc\t16\t38\t22\t+\t0\t0\tFR\t3\t3\tno\nw\tc\t16\t39\t23\t+\t0\t0\tFR\t3\t3\tno\n"
               "w\tc\t16\t40\t24\t+\t0\t0\tFR\t3\t3\tno\n");
  check_failure(amplicon(pair, {"--circular", "d"}), 3, {"--circular", "'d'"});
}

TEST_CASE("amplicon --circular finds what a look at all pairs of places finds") {
  Random random(41);
  for (int round = 0; round < 12; ++round) {
    std::vector<std::string> records;
    std::string genome;
    const std::uint64_t count = 1 + below(random, 5);
    for (std::uint64_t r = 0; r < count; ++r) {
      std::string record = random_string(random, 1 + below(random, 90), "ACGT");
      if (below(random, 3) == 0) record[below(random, record.size())] = 'N';
      if (below(random, 4) == 0) record.front() = 'N';
      records.push_back(record);
    }
    records.emplace_back("ACG");
    for (std::size_t r = 0; r < records.size(); ++r)
      genome += ">r" + std::to_string(r) + '\n' + records[r] + '\n';
    const IndexedFolder index(genome);
    const Rules rules{below(random, 3), below(random, 20), 1 + below(random, 120)};
    if (rules.least > rules.most) continue;
    Arguments options = {"-k",    std::to_string(rules.mismatches),
                         "--min", std::to_string(rules.least),
                         "--max", std::to_string(rules.most)};
    std::vector<bool> circular(records.size());
    for (std::size_t r = 0; r < records.size(); ++r) {
      circular[r] = below(random, 3) != 0;
      if (circular[r]) options.insert(options.end(), {"--circular", "r" + std::to_string(r)});
    }
    std::string primers;
    Lines expected;
    for (int p = 0; p < 20; ++p) {
      std::string pair[2];
      for (std::string& primer : pair) {
        const std::string& record = records[below(random, records.size())];
        primer = (record + record).substr(below(random, record.size()), 3 + below(random, 6));
        if (below(random, 2) == 0) primer = reversed(primer);
        if (primer.find('N') != std::string::npos || below(random, 6) == 0)
          primer = random_string(random, 4, "ACGT");
      }
      if (below(random, 5) == 0) pair[1] = pair[0];
      primers += 'p' + std::to_string(p) + '\t' + pair[0] + '\t' + pair[1] + '\n';
      for (std::size_t r = 0; r < records.size(); ++r) {
        for (const std::string& product :
             products_of(records[r], circular[r], pair[0], pair[1], rules))
          expected.push_back('p' + std::to_string(p) + " r" + std::to_string(r) + ' ' + product);
      }
    }
    const auto amplicon = [&](Arguments more) {
      more.insert(more.begin(), {"amplicon", "-q", "-x", "g.gsx", "-", "--no-header"});
      more.insert(more.end(), options.begin(), options.end());
      return lines_of(output_of(index.gsx(more, primers)));
    };
    const Lines table = amplicon({}), fasta = amplicon({"--fasta"});
    REQUIRE(2 * table.size() <= fasta.size());
    Lines found;
    std::size_t next = 0;
    std::uint64_t bases = 0;
    for (const std::string& line : table) {
      const Lines columns = columns_of(line);
      std::string symbols;
      REQUIRE(fasta[next].starts_with('>' + columns[0] + ' ' + columns[1] + ':' + columns[2] + '-' +
                                      columns[3] + '('));
      for (++next; next < fasta.size() && fasta[next][0] != '>'; ++next)
        symbols += fasta[next];
      bases += symbols.size();
      CHECK(columns[4] == std::to_string(symbols.size()));
      found.push_back(
          columns[0] + ' ' + columns[1] + ' ' + columns[2] + ' ' + columns[3] + ' ' + columns[8] +
          ' ' + std::to_string(std::stoull(columns[6]) + std::stoull(columns[7])) + ' ' + symbols);
    }
    std::ranges::sort(found);
    std::ranges::sort(expected);
    CHECK(found == expected);
    for (const std::string& line : amplicon({"--bed"})) {
      const Lines columns = columns_of(line);
      const std::string& record = records[std::stoull(columns[0].substr(1))];
      CHECK(std::stoull(columns[2]) <= record.size());
      bases -= std::stoull(columns[2]) - std::stoull(columns[1]);
    }
    CHECK(bases == 0);
  }
}

TEST_CASE("--inner leaves the primers of products out, and --flank adds what is around them") {
  const IndexedFolder index(">c\nCCATAGTTTTTTTTTTACGTTGAA\n>lin\nGGACGTTGTTTTCTATGGA\n");
  const std::string pair = "p\tACGTTG\tCTATGG\n", linear = "l\tACGTTG\tCCATAG\n";
  const auto amplicon = [&](const std::string& primers, Arguments more) {
    more.insert(more.begin(), {"amplicon", "-x", "g.gsx", "-", "--no-header", "--min", "1"});
    return index.gsx(more, primers);
  };
  check_output(amplicon(linear, {"--inner", "--fasta"}),
               ">l lin:8-12(+) length=4 primers=FR mismatches=0,0\nTTTT\n");
  check_output(amplicon(linear, {"--inner"}), "l\tlin\t8\t12\t4\t+\t0\t0\tFR\t1\t1\tno\n");
  const Outcome cut = amplicon(linear, {"--flank", "2", "--bed"});
  check_output(cut, "lin\t0\t19\tl\t0\t+\n");
  CHECK(cut.err.find("1 product has shorter flanks than 2 bases") != std::string::npos);
  check_output(amplicon(linear, {"--flank", "1", "--fasta"}),
               ">l lin:1-19(+) length=18 primers=FR mismatches=0,0\nGACGTTGTTTTCTATGGA\n");
  // Between the primers lies the origin, and the product may go round the circle.
  check_output(amplicon(pair, {"--circular", "c", "--inner", "--bed"}), "c\t22\t24\tp\t0\t+\n");
  check_output(amplicon(pair, {"--circular", "c", "--flank", "4", "--fasta"}),
               ">p c:12-34(+) length=22 primers=FR mismatches=0,0\nTTTTACGTTGAACCATAGTTTT\n");
  check_failure(amplicon(pair, {"--inner", "--flank", "3"}), 2, {"--flank", "--inner"});
}

TEST_CASE("--inner and --flank give the sequence of the place that they give, on any record") {
  Random random(43);
  for (int round = 0; round < 8; ++round) {
    std::vector<std::string> records;
    std::string genome;
    Arguments options = {"-k", "1", "--min", "1", "--max", "60"};
    for (std::uint64_t r = 0; r < 3; ++r) {
      records.push_back(random_string(random, 8 + below(random, 60), "ACG"));
      genome += ">r" + std::to_string(r) + '\n' + records.back() + '\n';
      if (r != 0) options.insert(options.end(), {"--circular", "r" + std::to_string(r)});
    }
    const IndexedFolder index(genome);
    std::string primers;
    std::map<std::string, std::size_t> sizes[2];
    for (int p = 0; p < 6; ++p) {
      const std::string name = 'p' + std::to_string(p);
      primers += name;
      for (auto& size : sizes) {
        const std::string& record = records[below(random, records.size())];
        std::string primer =
            (record + record).substr(below(random, record.size()), 3 + below(random, 3));
        if (below(random, 2) == 0) primer = reversed(primer);
        size[name] = primer.size();
        primers += '\t' + primer;
      }
      primers += '\n';
    }
    const auto amplicon = [&](Arguments more) {
      more.insert(more.begin(), {"amplicon", "-q", "-x", "g.gsx", "-", "--no-header"});
      more.insert(more.end(), options.begin(), options.end());
      return lines_of(output_of(index.gsx(more, primers)));
    };
    const auto all = amplicon({});
    REQUIRE(!all.empty());
    for (const std::size_t flank : {0, 1, 9, 100}) {  // 0: --inner
      const Arguments extent =
          flank == 0 ? Arguments{"--inner"} : Arguments{"--flank", std::to_string(flank)};
      const auto table = amplicon(extent);
      Arguments as_fasta = extent;
      as_fasta.insert(as_fasta.end(), {"--fasta"});
      const auto fasta = amplicon(as_fasta);
      REQUIRE(table.size() == all.size());
      std::size_t at = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        CAPTURE(all[i]);
        CAPTURE(table[i]);
        const auto product = columns_of(all[i]), written = columns_of(table[i]);
        const std::size_t number = std::stoul(product[1].substr(1));
        const std::string& record = records[number];
        const std::size_t size = record.size(), start = std::stoul(product[2]);
        const std::size_t length = std::stoul(product[4]), from = std::stoul(written[2]);
        const std::string roles = product[8];
        std::size_t expected = 0, first = start;
        if (flank == 0) {
          const std::size_t left = sizes[roles[0] == 'F' ? 0 : 1][product[0]];
          const std::size_t both = left + sizes[roles[1] == 'F' ? 0 : 1][product[0]];
          expected = both > length ? 0 : length - both;
          first = start + left;
        } else if (number == 0) {
          const std::size_t before = std::min(flank, start);
          expected = before + length + std::min(flank, size - start - length);
          first = start - before;
        } else {
          expected = std::min(size, length + 2 * flank);
          first = start + size - std::min(flank, (size - length) / 2);
        }
        CHECK(std::stoul(written[3]) - from == expected);
        CHECK(std::stoul(written[4]) == expected);
        CHECK(from == (number == 0 ? first : first % size));
        std::string sequence = (record + record).substr(from, expected);
        if (product[5] == "-") sequence = reversed(sequence);
        std::string lines;
        for (++at; at < fasta.size() && fasta[at][0] != '>'; ++at)
          lines += fasta[at];
        CHECK(lines == sequence);
      }
      CHECK(at == fasta.size());
    }
  }
}
