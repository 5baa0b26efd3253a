// Text that looks like an English book to a compressor or a suffix sorter.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "bench/synthetic.hpp"
#include "bench/synthetic_random.hpp"

namespace gsx {
namespace {

/// Separates words, because FASTA has no blanks.
constexpr char blank = '_';

constexpr std::size_t vocabulary_size = 30'000;
constexpr std::size_t successors = 8;  ///< words that often follow a word

/// A word followed by a blank, padded so that a copy can have a fixed size.
struct ProseWord {
  static constexpr std::size_t longest = 23;
  std::array<char, 24> letters;
  std::uint32_t length;
};

/// One of `symbols`, the first ones most often, as in English.
char skewed(Random& random, std::string_view symbols) {
  const double u = random.unit();
  return symbols[static_cast<std::size_t>(u * u * static_cast<double>(symbols.size()))];
}

/// Builds a word of consonants and vowels by their frequency in English. Rare words are longer.
ProseWord make_word(Random& random, std::size_t rank) {
  const auto typical =
      static_cast<std::uint64_t>(1.2 + std::log2(static_cast<double>(rank) + 2.0) / 3);
  const std::uint64_t length =
      std::min<std::uint64_t>(ProseWord::longest - 1, typical + random.below(typical));
  ProseWord word{};
  bool vowel = random.below(2) == 0;
  while (word.length < length) {
    word.letters[word.length++] =
        vowel ? skewed(random, "eaoiuy") : skewed(random, "tnshrdlcmwfgpbvkjxqz");
    if (random.below(5) > 0) vowel = !vowel;
  }
  if (rank > 100 && random.below(12) == 0) {  // a name
    word.letters[0] = static_cast<char>(word.letters[0] - 'a' + 'A');
  }
  word.letters[word.length++] = blank;
  return word;
}

/// What all pieces share: the words, their frequencies, and which words follow which.
class Language {
 public:
  explicit Language(std::uint64_t seed) : words_(vocabulary_size), drawn_(table_size) {
    Random random(seed ^ 0x70726F7365);
    for (std::size_t rank = 0; rank < vocabulary_size; ++rank)
      words_[rank] = make_word(random, rank);
    tabulate_zipf();
    for (auto& list : followers_)
      std::generate(list.begin(), list.end(), [&] { return draw(random.next()); });
  }

  /// A word drawn by its frequency, from the lower bits of `random`.
  std::uint16_t draw(std::uint64_t random) const { return drawn_[random % table_size]; }
  /// A word that often follows `word`; those first in its list come most often.
  std::uint16_t after(std::uint16_t word, std::uint64_t random) const {
    const std::uint64_t a = random % successors, b = random / successors % successors;
    return followers_[word][std::min(a, b)];
  }
  const ProseWord& operator[](std::uint16_t word) const { return words_[word]; }

 private:
  static constexpr std::size_t table_size = std::size_t{1} << 17;

  /// Zipf's law with Mandelbrot's offset: frequency 1 / (rank + 2.7).
  void tabulate_zipf() {
    double total = 0, before = 0;
    for (std::size_t rank = 0; rank < vocabulary_size; ++rank)
      total += 1 / (static_cast<double>(rank) + 2.7);
    std::size_t slot = 0;
    for (std::size_t rank = 0; rank < vocabulary_size; ++rank) {
      before += 1 / (static_cast<double>(rank) + 2.7);
      const auto end = static_cast<std::size_t>(std::lround(before / total * table_size));
      for (; slot < std::min(end, table_size); ++slot)
        drawn_[slot] = static_cast<std::uint16_t>(rank);
    }
    for (; slot < table_size; ++slot)
      drawn_[slot] = 0;
  }

  std::vector<ProseWord> words_;
  std::vector<std::uint16_t> drawn_;
  std::vector<std::array<std::uint16_t, successors>> followers_ =
      std::vector<std::array<std::uint16_t, successors>>(vocabulary_size);
};

char capital(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Writes sentences until the text has at least `length` symbols.
class Writer {
 public:
  Writer(const Language& language, Random& random, std::uint64_t length)
      : language_(language), random_(random), out_(length + slack, blank) {
    while (at_ < length) {
      if (at_ > 4 * longest_quote && random_.below(600) == 0) {
        quote();
      } else {
        sentence();
      }
    }
  }
  const std::string& text() const { return out_; }

 private:
  static constexpr std::uint64_t longest_quote = 1200;
  /// More than any sentence or quotation takes.
  static constexpr std::uint64_t slack = 2048;

  void word(std::uint16_t which) {
    const ProseWord& w = language_[which];
    std::memcpy(&out_[at_], w.letters.data(), w.letters.size());
    at_ += w.length;
  }

  void sentence() {
    const std::uint64_t begin = at_;
    const std::uint64_t words = 3 + random_.below(16) + random_.below(16);
    std::uint16_t last = language_.draw(random_.next());
    word(last);
    for (std::uint64_t i = 1; i < words; ++i) {
      const std::uint64_t dice = random_.next();
      last = (dice >> 60) < 9 ? language_.after(last, dice) : language_.draw(dice);
      if ((dice >> 32 & 15) == 0) insert_before_blank(',');
      word(last);
    }
    out_[begin] = capital(out_[begin]);
    insert_before_blank(".....?!;"[random_.below(8)]);
  }

  void insert_before_blank(char mark) {
    out_[at_ - 1] = mark;
    out_[at_++] = blank;
  }

  /// Repeats an earlier passage of this piece.
  void quote() {
    const std::uint64_t size = 30 + random_.below(longest_quote - 30);
    std::memcpy(&out_[at_], &out_[random_.below(at_ - size)], size);
    at_ += size;
    out_[at_++] = blank;
  }

  const Language& language_;
  Random& random_;
  std::string out_;
  std::uint64_t at_ = 0;
};

}  // namespace

std::string synthetic_prose(std::uint64_t length, std::uint64_t seed, int threads) {
  const Language language(seed);
  std::string text(length, blank);
  for_pieces(length, seed, threads, [&](Random& random, std::uint64_t begin, std::uint64_t end) {
    const Writer writer(language, random, end - begin);
    std::copy_n(writer.text().data(), end - begin, text.data() + begin);
  });
  return text;
}

}  // namespace gsx
