// All ways of sorting on the GPU give the same suffix array and the same BWT.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/base/mailbox.hpp"
#include "support/gpu.hpp"
#include "support/suffix_sorting.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::cuda;
using namespace gsx::testing;

namespace {

void check_all_plans(const Text& text) {
  const SortedText expected = sort_on_cpu(text);
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  const bool wide_keys = !has_short_keys(text.view().symbols.bits);
  for (const bool keep_rows : {true, false}) {
    for (const std::uint64_t batch : {std::uint64_t{50}, text.length() / 3 + 1, text.length()}) {
      CAPTURE(batch);
      CAPTURE(keep_rows);
      CHECK(sorts<std::uint32_t>(gpu, text, {batch, keep_rows}, expected));
      CHECK(sorts<std::uint64_t>(gpu, text, {batch, keep_rows}, expected));
      if (wide_keys) {
        CHECK(sorts<std::uint32_t>(gpu, text, {batch, keep_rows, 1, Keying::words}, expected));
        CHECK(sorts<std::uint64_t>(gpu, text, {batch, keep_rows, 1, Keying::words}, expected));
      }
      if (!keep_rows) continue;
      CHECK(sorts<std::uint32_t>(gpu, text, {batch, keep_rows, 2}, expected));
      CHECK(sorts<std::uint64_t>(gpu, text, {batch, keep_rows, 2}, expected));
    }
  }
}

}  // namespace

TEST_CASE("plans: adversarial collections") {
  GSX_NEED_GPU();
  const auto collections = adversarial_collections(77);
  for (std::size_t i = 0; i < collections.size(); i += test_share())
    check_all_plans(make_text(collections[i]));
}

TEST_CASE("plans: repeats of every kind, other alphabets") {
  GSX_NEED_GPU();
  Random random(78);
  const std::uint64_t size = share_of(30'000, 300);
  check_all_plans(make_text({std::string(size, 'A')}));
  check_all_plans(make_text({fibonacci_word(size), thue_morse_word(size)}));
  check_all_plans(make_text({mutated_copies(random, 300, size / 300, 5000, "ACGT")}));
  check_all_plans(
      make_text(std::vector<std::string>(size / 100, random_string(random, 90, "ACGT"))));
  check_all_plans(
      make_text({random_string(random, size, "ACDEFGHIKLMNPQRSTVWY")}, SymbolPolicy::protein));
  check_all_plans(make_text({fibonacci_word(size, 'M', 'K')}, SymbolPolicy::protein));
  check_all_plans(make_text({fibonacci_word(size, 'a', 'b')}, SymbolPolicy::bytes));
  check_all_plans(
      make_text({mutated_copies(random, 100, size / 100, 1000, "abcdefgh")}, SymbolPolicy::bytes));
  check_all_plans(make_text({std::string(size, 'x'), "y"}, SymbolPolicy::bytes));
}

TEST_CASE("plans: groups of as many suffixes as a warp, or a block, sorts, and one more or less") {
  GSX_NEED_GPU();
  Random random(79);
  // Copies of a word that agree for a while, on both sides of a border of tiles. A share of the
  // tests has the same numbers of copies, of the shortest word.
  std::vector<std::string> records;
  for (const std::uint64_t copies : {2, 3, 31, 32, 33, 64, 255, 256, 257, 600}) {
    for (const std::uint64_t length : {20, 45, 120}) {
      if (length > 20 && copies * length > share_of(60'000, 1500)) continue;
      const std::string word = random_string(random, length, "ACGT");
      std::string record;
      for (std::uint64_t i = 0; i < copies; ++i)
        record += word + random_string(random, 12, "ACGT");
      records.push_back(record);
      records.push_back(word);  // the end of a segment in each group
      records.push_back(word);
    }
  }
  check_all_plans(make_text(records));
  const std::string all = records[0] + records[3] + records[6];
  check_all_plans(make_text({all, all.substr(7)}, SymbolPolicy::protein));
  check_all_plans(make_text({all, all.substr(3)}, SymbolPolicy::bytes));
}

TEST_CASE("plans: few copies of long words, with few differences") {
  GSX_NEED_GPU();
  Random random(80);
  const std::uint64_t size = share_of(90'000, 900);
  for (const unsigned copies : {2, 3, 5, 9}) {
    const std::string word = random_string(random, size / copies, "ACGT");
    std::vector<std::string> records;
    for (unsigned i = 0; i < copies; ++i) {
      std::string copy = word.substr(below(random, 50));
      for (unsigned k = 0; k < i; ++k)
        copy[below(random, copy.size())] = "ACGT"[below(random, 4)];
      records.push_back(copy.substr(0, copy.size() - below(random, 50)));
    }
    CAPTURE(copies);
    check_all_plans(make_text(records));
    check_all_plans(make_text({records[0] + records[1]}));
  }
}

namespace {

/// In one batch.
void check_at_once(const Text& text) {
  const SortedText expected = sort_on_cpu(text);
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  for (const bool keep_rows : {true, false}) {
    CHECK(sorts<std::uint32_t>(gpu, text, {text.length(), keep_rows}, expected));
    CHECK(sorts<std::uint64_t>(gpu, text, {text.length(), keep_rows}, expected));
  }
}

}  // namespace

TEST_CASE("plans: repeats that one comparison does not reach the end of") {
  GSX_NEED_GPU();
  Random random(81);
  // The first comparison of two suffixes ends after 8 rounds of 32 keys of 29 bases. Of two equal
  // words, the suffixes of the second are smaller, against the order of the text.
  const std::string word = random_string(random, 9000, "ACGT");
  const std::string other = random_string(random, share_of(80'000, 20'000), "ACGT");
  check_at_once(make_text({other + word + word}));
  // Groups that part at several depths, all of them beyond the first comparison.
  std::string copies = other + word;
  for (const std::uint64_t length : {8000, 8001, 8600, 7500}) {
    copies += random_string(random, 40, "ACGT") + word.substr(0, length);
    copies += 'G' + word.substr(5, length - 5);
  }
  check_at_once(make_text({copies}));
  check_at_once(make_text({copies, word, word, word.substr(1)}));
  // One pair that agrees farther than a grid compares at a time where more are tied.
  const std::string longer = random_string(random, share_of(200'000, 12'000), "ACGT");
  check_at_once(make_text({longer + longer}));
  check_at_once(make_text({longer, longer}));
}

TEST_CASE("plans: large groups with one symbol before all of their suffixes, or all but one") {
  GSX_NEED_GPU();
  Random random(83);
  // More suffixes than a thread looks through for another symbol; and separators, which are not A.
  for (const std::uint64_t copies : {share_of(300, 40), share_of(4200, 60), share_of(9000, 80)}) {
    const std::string word = random_string(random, 30, "CGT");
    std::string alike;
    for (std::uint64_t i = 0; i < copies; ++i)
      alike += random_string(random, 4, "CGT") + 'A' + word;
    std::string mixed = alike;
    mixed[below(random, copies) * 35 + 4] = 'C';
    for (const std::string& record : {alike, mixed}) {
      CAPTURE(copies);
      check_at_once(make_text({record}));
      check_at_once(make_text({record, word}));
      check_at_once(make_text({word, record, word.substr(3), word}, SymbolPolicy::bytes));
    }
  }
  check_at_once(make_text(std::vector<std::string>(share_of(5000, 100), "ACGTTGCAACGTACGGT")));
  // Groups that are too large for a block, in a text that hardly repeats but for them: deep enough
  // to be ranked.
  const std::string deep = random_string(random, 400, "ACGT");
  for (const bool all_alike : {true, false}) {
    CAPTURE(all_alike);
    std::string record = random_string(random, share_of(1'200'000, 400'000), "ACGT");
    for (std::uint64_t i = 0; i < 300; ++i)
      record += (all_alike || i % 50 != 0 ? 'A' : 'C') + deep;
    check_at_once(make_text({record}));
  }
}

namespace {

/// Text in which some symbols nearly always follow others, so that words of its code have from one
/// bit to twelve.
std::string skewed_text(Random& random, std::uint64_t size, unsigned sigma) {
  std::string text;
  unsigned last = 0;
  while (text.size() < size) {
    const std::uint64_t dice = below(random, 100);
    last = dice < 80   ? (last * 7 + 3) % sigma
           : dice < 98 ? static_cast<unsigned>(below(random, std::min(sigma, 6u)))
                       : static_cast<unsigned>(below(random, sigma));
    text.push_back(static_cast<char>('!' + last));
  }
  return text;
}

}  // namespace

TEST_CASE("plans: suffixes keyed by words, across tiles and ends of segments") {
  GSX_NEED_GPU();
  Random random(82);
  const std::uint64_t size = share_of(60'000, 1000);
  for (const unsigned sigma : {9u, 94u}) {
    CAPTURE(sigma);
    const std::string long_one = skewed_text(random, size, sigma);
    std::vector<std::string> records{long_one};
    for (std::uint64_t i = 0; i < share_of(300, 60); ++i) {
      const std::uint64_t length = 1 + below(random, i % 10 == 0 ? 200 : 20);
      std::string piece = long_one.substr(below(random, size - length), length);
      if (i % 3 == 0) piece += std::string(below(random, 70), '!');  // the smallest symbol
      records.push_back(std::move(piece));
    }
    records.push_back(std::string(500, long_one[0]));
    records.push_back(std::string(500, '!'));
    const Text text = make_text(records, SymbolPolicy::bytes);
    const SortedText expected = sort_on_cpu(text);
    DeviceLink gpu(0, unlimited);
    const CurrentDevice current = gpu.make_current();
    for (const bool keep_rows : {true, false}) {
      for (const std::uint64_t batch : {text.length() / 5 + 1, text.length()}) {
        const SortPlan plan{batch, keep_rows, 1, Keying::words};
        CHECK(sorts<std::uint32_t>(gpu, text, plan, expected));
        CHECK(sorts<std::uint64_t>(gpu, text, plan, expected));
      }
    }
    CHECK(sorts<std::uint32_t>(gpu, text, {text.length() / 5 + 1, true, 2, Keying::shorter},
                               expected));
  }
}

TEST_CASE("sorting gives back its mailboxes, however many batches there are") {
  GSX_NEED_GPU();
  Random random(85);
  const Text text = make_text({random_string(random, 200'000, "ACGT")});
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  Mailboxes& boxes = gpu.pool()->mailboxes();
  const auto free_boxes = [&] {
    std::vector<Mailbox> taken;
    while (const auto box = boxes.take())
      taken.push_back(*box);
    for (const Mailbox& box : taken)
      boxes.give_back(box);
    return taken.size();
  };
  const std::size_t before = free_boxes();
  const DeviceText d_text(text.view(), gpu.transfer(2), gpu.stream());
  const SortPlan plan{text.length() / 100, true};
  SuffixArrayCollector<std::uint32_t> rows(text.length(), gpu.transfer(2), gpu.stream());
  sort_suffixes<std::uint32_t>(d_text.view(), plan, rows, gpu.stream(), {});
  CHECK(free_boxes() == before);
}

TEST_CASE("a long repeat is hardly compared before it is ranked, and ranked once") {
  GSX_NEED_GPU();
  Random random(84);
  // Ranks pay from some 100,000 rows on.
  const std::uint64_t copied = 400'000;
  std::string record = random_string(random, 2'000'000, "ACGT");
  record += record.substr(700'000, copied) + random_string(random, 50'000, "ACGT");
  const Text text = make_text({record});
  DeviceLink gpu(0, unlimited);
  const CurrentDevice current = gpu.make_current();
  const DeviceText d_text(text.view(), gpu.transfer(2), gpu.stream());
  for (const SortPlan& plan :
       {SortPlan{text.length(), true}, SortPlan{text.length() / 5, true},
        SortPlan{text.length() / 5, true, 2}, SortPlan{text.length() / 5, false}}) {
    CAPTURE(plan.batch_suffixes);
    CAPTURE(plan.keep_rows);
    SuffixArrayCollector<std::uint32_t> rows(text.length(), gpu.transfer(2), gpu.stream());
    const RepeatWork sorted =
        sort_suffixes<std::uint32_t>(d_text.view(), plan, rows, gpu.stream(), {});
    CHECK(sorted.rankings == 1);
    CHECK(sorted.compared <= 512);
    CHECK(sorted.ranked_rows > copied);
    CHECK(sorted.ranked_rows <= 2 * copied);
    // A BWT needs the order of hardly any of them.
    BwtCollector<std::uint32_t> codes(d_text.view(), plan.at_once, gpu.transfer(2), gpu.stream());
    const RepeatWork alike =
        sort_suffixes<std::uint32_t>(d_text.view(), plan, codes, gpu.stream(), {});
    CHECK(alike.ranked_rows < 100);
  }
}
