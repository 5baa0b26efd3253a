#include "text/text_builder.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "text/symbol_sink.hpp"

namespace gsx {
namespace {

/// One letter in this many that no nucleotide code explains, and a record is not DNA.
constexpr std::uint64_t protein_share = 20;

/// Letters that no nucleotide code explains; X is commonly used to mask DNA.
bool only_in_protein(char upper) {
  return upper >= 'A' && upper <= 'Z' && upper != 'X' && dna_class(upper) == SymbolClass::other;
}

}  // namespace

SymbolPolicy guess_alphabet(std::string_view symbols) {
  std::uint64_t nucleotides = 0, foreign = 0, letters = 0, rest = 0;
  for (const char c : symbols) {
    const char upper = to_upper(c);
    const SymbolClass kind = dna_class(upper);
    if ((upper >= 'A' && upper <= 'Z') || kind == SymbolClass::gap) {
      ++letters;
    } else {
      ++rest;
    }
    nucleotides += kind == SymbolClass::base || kind == SymbolClass::n;
    foreign += only_in_protein(upper);
  }
  if (rest == 0 && foreign * protein_share <= letters && nucleotides * 2 >= letters) {
    return SymbolPolicy::dna;
  }
  if (rest == 0) return SymbolPolicy::protein;
  throw InputError(
      "the sequences are neither DNA nor protein; say which symbols to expect with --alphabet "
      "(bytes takes any)");
}

struct TextBuilder::State {
  explicit State(const TextOptions& opts)
      : options(opts), sink(opts.alphabet == SymbolPolicy::dna ? 2 : 8) {
    starts.push_back(0);
    for (unsigned byte = 0; byte < 256; ++byte) {
      identity[byte] = static_cast<std::uint8_t>(byte);
      char c = static_cast<char>(byte);
      if (options.alphabet != SymbolPolicy::bytes) c = to_upper(c);
      if (options.alphabet == SymbolPolicy::dna && c == 'U') c = 'T';
      normal[byte] = c;
    }
    const Alphabet dna = Alphabet::dna();
    for (const char c : dna.symbols())
      dna_codes[static_cast<unsigned char>(c)] = dna.code(c);
    for (unsigned byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      const bool base = dna_class(c) == SymbolClass::base;
      const bool masked = options.soft_mask == SoftMaskPolicy::split && c != to_upper(c);
      kinds[byte] = !base    ? static_cast<unsigned char>(normal[byte])
                    : masked ? masked_base
                             : plain_base;
    }
  }

  TextOptions options;
  Text text;
  PackedSink sink;
  PackedSink literals{2};
  std::vector<std::uint64_t> starts;
  std::array<std::uint8_t, 256> identity{};
  std::array<std::uint8_t, 256> dna_codes{};
  std::array<char, 256> normal{};
  /// What a run of raw DNA bytes is made of: one of these two, or one ambiguous symbol.
  static constexpr std::uint16_t plain_base = 256;
  static constexpr std::uint16_t masked_base = 257;
  std::array<std::uint16_t, 256> kinds{};
  std::array<bool, 256> seen{};
  std::string normalised;
  Md5Stream md5;
  bool segment_open = false;
  std::uint64_t protein_letters = 0;  ///< of the record in progress

  RecordInfo& record() { return text.records.back(); }

  void begin_record(std::string_view name, std::string_view comment) {
    end_record();
    text.records.push_back({0, text.segment_offsets.size(), text.gaps.size(), {}});
    text.names += name;
    text.name_ends.push_back(text.names.size());
    text.comments += comment;
    text.comment_ends.push_back(text.comments.size());
    protein_letters = 0;
  }

  void end_record() {
    if (text.records.empty()) return;
    close_segment();
    record().md5 = md5.finish();
    if (protein_letters * protein_share > record().length) {
      throw InputError(where() + " looks like protein, not DNA; use --alphabet protein");
    }
  }

  std::string where() const {
    const std::uint64_t number = text.records.size();
    return "record " + std::to_string(number) + " ('" +
           printable(std::string(text.records_view().name(number - 1))) + "')";
  }

  void open_segment(std::uint64_t offset) {
    if (segment_open) return;
    segment_open = true;
    text.segment_offsets.push_back(offset);
    text.segment_records.push_back(text.records.size() - 1);
  }

  void close_segment() {
    if (!segment_open) return;
    segment_open = false;
    sink.push(0);
    starts.push_back(sink.size());
  }

  /// Extends the last gap or opens one; `source` as in Gap, `joins` if the last may be extended.
  void add_gap(std::uint64_t offset, std::uint64_t length, std::uint64_t source, bool joins) {
    if (joins && !text.gaps.empty()) {
      Gap& last = text.gaps.back();
      if (last.record == text.records.size() - 1 && last.offset + last.length == offset) {
        last.length += length;
        return;
      }
    }
    text.gaps.push_back({text.records.size() - 1, offset, length, source});
  }

  void add_dna(std::string_view raw) {
    const auto kind = [&](std::size_t i) { return kinds[static_cast<unsigned char>(raw[i])]; };
    for (std::size_t begin = 0; begin < raw.size();) {
      const std::uint16_t what = kind(begin);
      std::size_t end = begin + 1;
      while (end < raw.size() && kind(end) == what)
        ++end;
      const std::uint64_t offset = record().length + begin;
      const std::string_view run = std::string_view(normalised).substr(begin, end - begin);
      if (what == plain_base) {
        open_segment(offset);
        sink.append(run, dna_codes.data());
        text.counts.base += run.size();
      } else if (what == masked_base) {
        close_segment();
        const bool joins = !text.gaps.empty() && text.gaps.back().is_literal();
        add_gap(offset, run.size(), Gap::literal_base + literals.size(), joins);
        literals.append(run, dna_codes.data());
        text.counts.base += run.size();
      } else {
        close_segment();
        add_ambiguous(offset, run);
      }
      begin = end;
    }
  }

  void add_ambiguous(std::uint64_t offset, std::string_view run) {
    const char symbol = run[0];
    if (options.ambiguous == AmbiguousPolicy::error) {
      throw InputError(where() + ", offset " + std::to_string(offset) + ": '" +
                       printable(std::string(1, symbol)) +
                       "' is not A, C, G or T; --ambiguous split keeps it out of the text");
    }
    const auto source = static_cast<std::uint64_t>(static_cast<unsigned char>(symbol));
    add_gap(offset, run.size(), source, !text.gaps.empty() && text.gaps.back().source == source);
    if (only_in_protein(symbol)) protein_letters += run.size();
    switch (dna_class(symbol)) {
      case SymbolClass::n:
        text.counts.n += run.size();
        break;
      case SymbolClass::iupac:
        text.counts.iupac += run.size();
        break;
      case SymbolClass::gap:
        text.counts.gap += run.size();
        break;
      default:
        text.counts.other += run.size();
    }
  }

  void add_general(std::string_view symbols) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const char c = symbols[i];
      seen[static_cast<unsigned char>(c)] = true;
      if (options.alphabet == SymbolPolicy::protein && c != '*' && (c < 'A' || c > 'Z')) {
        throw InputError(where() + ", offset " + std::to_string(record().length + i) + ": '" +
                         printable(std::string(1, c)) +
                         "' is not a protein letter; --alphabet bytes takes any symbol");
      }
    }
    if (symbols.empty()) return;
    open_segment(record().length);
    sink.append(symbols, identity.data());
    text.counts.base += symbols.size();
  }

  void add(std::string_view raw) {
    normalised.resize(raw.size());
    std::transform(raw.begin(), raw.end(), normalised.begin(),
                   [this](char c) { return normal[static_cast<unsigned char>(c)]; });
    text.counts.lower_case += static_cast<std::uint64_t>(
        std::count_if(raw.begin(), raw.end(), [](char c) { return c >= 'a' && c <= 'z'; }));
    md5.update(normalised);
    if (options.alphabet == SymbolPolicy::dna) {
      add_dna(raw);
    } else {
      add_general(normalised);
    }
    record().length += raw.size();
  }

  /// Protein and bytes were gathered as bytes, because the alphabet is known only now.
  void pack_general() {
    std::string occurring;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (seen[byte]) occurring += static_cast<char>(byte);
    }
    text.alphabet = Alphabet::of(options.alphabet, occurring);
    const PackedArray bytes = sink.take("text");
    text.symbols = PackedArray(bytes.size(), text.alphabet.bits(), "packed text");
    PackedWriter writer = text.symbols.writer(0);
    const PackedView view = bytes.view();
    std::uint64_t segment = 0;
    for (std::uint64_t i = 0; i < view.size; ++i) {
      const bool separator = i + 1 == starts[segment + 1];
      segment += separator;
      writer.push(separator ? 0 : text.alphabet.code(static_cast<char>(view[i])));
    }
    writer.finish();
  }
};

TextBuilder::TextBuilder(const TextOptions& options) : state_(std::make_unique<State>(options)) {}
TextBuilder::~TextBuilder() = default;

void TextBuilder::add(const RecordBatch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (i > 0 || !batch.continues) state_->begin_record(batch.name(i), batch.comment(i));
    state_->add(batch.sequence(i));
  }
}

Text TextBuilder::finish() {
  State& state = *state_;
  state.end_record();
  Text& text = state.text;
  if (text.segment_offsets.empty()) {
    throw InputError(text.records.empty() ? "the input holds no sequence record"
                     : state.options.alphabet == SymbolPolicy::dna && text.counts.total() > 0
                         ? "the input holds no A, C, G or T to index"
                         : "the input's records are all empty: nothing to index");
  }
  text.soft_mask_split = state.options.soft_mask == SoftMaskPolicy::split;
  if (state.options.alphabet == SymbolPolicy::dna) {
    text.alphabet = Alphabet::dna();
    text.symbols = state.sink.take("packed text");
  } else {
    state.pack_general();
  }
  text.literals = state.literals.take("soft-masked bases");
  text.segments = Segments(std::move(state.starts));
  return std::move(text);
}

}  // namespace gsx
