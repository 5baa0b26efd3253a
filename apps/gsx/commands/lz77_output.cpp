#include "commands/lz77_output.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "output/lines/text_format.hpp"
#include "outputs/lines.hpp"

namespace gsx::app {
namespace {

using Kind = RecordPhrase::Kind;

class PhraseTable final : public PhraseOutput {
 public:
  PhraseTable(const RecordsView& records, const PhraseOutputRules& rules, Output& out)
      : records_(records), lines_(out), across_records_(rules.across_records) {
    if (!rules.header) return;
    lines_.text() = "record\tstart\tlength\tsource\tliteral";
    if (across_records_) lines_.text() += "\tsource_record";
    lines_.text() += '\n';
  }
  void add(const RecordPhrases& phrases) override {
    std::string name;
    append_name(name, records_.name(phrases.record()));
    phrases.visit([&](const RecordPhrase& phrase) {
      add_line(name, phrase);
      lines_.write_if_many();
    });
  }
  void finish() override { lines_.write(); }

 private:
  void add_line(const std::string& name, const RecordPhrase& phrase) {
    std::string& out = lines_.text();
    out += name;
    append_column(out, phrase.start);
    append_column(out, phrase.length);
    if (phrase.kind == Kind::copy) {
      append_column(out, phrase.source);
      out += "\t.";
    } else {
      out += "\t.\t";
      append_symbol(out, phrase.symbol);
    }
    if (across_records_) {
      out += '\t';
      if (phrase.kind == Kind::copy) {
        append_name(out, records_.name(phrase.source_record));
      } else {
        out += '.';
      }
    }
    out += '\n';
  }
  /// A symbol as a column of its own; '.' alone would say that there is none.
  static void append_symbol(std::string& out, char symbol) {
    append_name(out, std::string_view(&symbol, 1));
  }

  RecordsView records_;
  Lines lines_;
  bool across_records_;
};

class PhraseStatistics final : public PhraseOutput {
 public:
  PhraseStatistics(const RecordsView& records, const PhraseOutputRules& rules, Output& out)
      : records_(records), lines_(out) {
    if (rules.header) lines_.text() = "record\tlength\tsymbols\tz\tz_log_n_over_n\n";
  }
  void add(const RecordPhrases& phrases) override {
    PhraseFigures figures;
    phrases.visit([&](const RecordPhrase& phrase) { figures.add(phrase); });
    std::string& out = lines_.text();
    append_name(out, records_.name(phrases.record()));
    append_column(out, phrases.length());
    append_column(out, figures.symbols);
    append_column(out, figures.phrases);
    if (figures.symbols == 0) {
      out += "\t.\n";
    } else {
      fmt::format_to(std::back_inserter(out), "\t{:.6f}\n", figures.complexity());
    }
    lines_.write_if_many();
  }
  void finish() override { lines_.write(); }

 private:
  RecordsView records_;
  Lines lines_;
};

/// One line per window of a record that has a symbol of the alphabet.
class PhraseWindows final : public PhraseOutput {
 public:
  PhraseWindows(const RecordsView& records, std::uint64_t window, Output& out)
      : records_(records), lines_(out), window_(window) {}
  void add(const RecordPhrases& phrases) override {
    name_.clear();
    append_bed_target(name_, records_.name(phrases.record()));
    length_ = phrases.length();
    begin_ = 0;
    phrases.visit([&](const RecordPhrase& phrase) {
      for (; phrase.start >= begin_ + window_; begin_ += window_)
        end_window();
      const bool counts = phrase.kind != Kind::outside;
      figures_.phrases += counts ? 1 : 0;
      std::uint64_t left = phrase.length, at = phrase.start;
      for (; at + left > begin_ + window_; begin_ += window_) {
        const std::uint64_t here = begin_ + window_ - at;
        figures_.symbols += counts ? here : 0;
        end_window();
        at += here;
        left -= here;
      }
      figures_.symbols += counts ? left : 0;
    });
    end_window();
  }
  void finish() override { lines_.write(); }

 private:
  void end_window() {
    const PhraseFigures figures = std::exchange(figures_, {});
    if (figures.symbols == 0) return;
    std::string& out = lines_.text();
    out += name_;
    append_column(out, begin_);
    append_column(out, std::min(length_, begin_ + window_));
    fmt::format_to(std::back_inserter(out), "\t{:.6f}\n", figures.complexity());
    lines_.write_if_many();
  }

  RecordsView records_;
  Lines lines_;
  std::uint64_t window_;
  std::string name_;
  std::uint64_t length_ = 0;
  std::uint64_t begin_ = 0;  ///< of the window
  PhraseFigures figures_;    ///< of the window
};

class PhraseFile final : public PhraseOutput {
 public:
  PhraseFile(const RecordsView& records, bool across_records, Output& out)
      : writer_(records, across_records, [&out](std::string_view bytes) { out.write(bytes); }) {}
  void add(const RecordPhrases& phrases) override { writer_.add(phrases); }
  void finish() override { writer_.finish(); }

 private:
  PhraseFileWriter writer_;
};

}  // namespace

std::unique_ptr<PhraseOutput> make_phrase_output(const PhraseOutputRules& rules,
                                                 const RecordsView& records, Output& out) {
  switch (rules.format) {
    case PhraseFormat::lz77:
      return std::make_unique<PhraseFile>(records, rules.across_records, out);
    case PhraseFormat::stats:
      return std::make_unique<PhraseStatistics>(records, rules, out);
    case PhraseFormat::bedgraph:
      return std::make_unique<PhraseWindows>(records, rules.window, out);
    case PhraseFormat::tsv:
      break;
  }
  return std::make_unique<PhraseTable>(records, rules, out);
}

void write_fasta(const PhraseFileRecord& record, Output& out) {
  constexpr std::size_t line_width = 60, at_once = std::size_t{1} << 16;
  std::string lines(1, '>');
  lines += record.name;
  if (!record.comment.empty()) lines.append(1, ' ').append(record.comment);
  lines += '\n';
  for (std::string_view left = record.symbols; !left.empty();
       left.remove_prefix(std::min(line_width, left.size()))) {
    lines.append(left.substr(0, line_width)) += '\n';
    if (lines.size() < at_once) continue;
    out.write(lines);
    lines.clear();
  }
  out.write(lines);
}

}  // namespace gsx::app
