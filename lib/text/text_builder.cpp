#include "text/text_builder.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "text/packed_sink.hpp"
#include "text/record_checks.hpp"

namespace gsx {
namespace {

/// Collects symbols as bytes: the alphabet of protein and bytes is known only at the end.
class ByteWriter {
 public:
  ByteWriter(PackedSink& sink, std::uint64_t first, const RunFinder& finder)
      : access_(sink.access()), out_(access_.bytes + first), finder_(finder) {}
  void separator() { *out_++ = 0; }
  void append(const char* symbols, std::uint64_t count) {
    out_ = std::transform(symbols, symbols + count, out_, [this](char symbol) {
      return static_cast<std::uint8_t>(finder_.normal(symbol));
    });
  }

 private:
  PackedSink::Access access_;
  std::uint8_t* out_;
  const RunFinder& finder_;
};

/// The policy that the options ask for. Throws UsageError for one that does not exist.
SymbolPolicy policy_of(const TextOptions& options) {
  const SymbolPolicy policy = options.alphabet.value_or(SymbolPolicy::dna);
  if (name_of(policy) != "?") return policy;
  throw UsageError("there is no symbol policy " + std::to_string(static_cast<unsigned>(policy)) +
                   ": it is dna, protein or bytes");
}

}  // namespace

SymbolPolicy guess_alphabet(std::string_view symbols) {
  std::array<std::uint64_t, 256> occurrences{};
  for (const char c : symbols)
    ++occurrences[static_cast<unsigned char>(c)];
  std::uint64_t nucleotides = 0, foreign = 0, letters = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::uint64_t count = occurrences[byte];
    const char upper = to_upper(static_cast<char>(byte));
    const SymbolClass kind = dna_class(upper);
    if ((upper >= 'A' && upper <= 'Z') || kind == SymbolClass::gap) letters += count;
    if (kind == SymbolClass::base || kind == SymbolClass::n) nucleotides += count;
    if (only_in_protein(upper)) foreign += count;
  }
  const bool dna = foreign * protein_share <= letters && nucleotides * 2 >= letters;
  return dna ? SymbolPolicy::dna : SymbolPolicy::protein;
}

struct TextBuilder::State {
  State(const TextOptions& opts, SymbolPolicy chosen, MemoryLimit* limit)
      : options(opts),
        policy(chosen),
        memory(limit),
        finder(policy, opts.soft_mask),
        symbols(is_dna() ? 2 : 8, "packed text") {}

  TextOptions options;
  SymbolPolicy policy;
  MemoryLimit* memory;
  RunFinder finder;
  Text text;
  PackedSink symbols;
  PackedSink literals{2, "soft-masked bases"};
  /// Lengths of the text and of the literals, including what the batch in progress adds.
  std::uint64_t length = 0;
  std::uint64_t masked = 0;
  std::vector<std::uint64_t> starts{0};
  std::array<bool, 256> seen{};
  bool segment_open = false;
  RecordChecks checks{options, policy};

  bool is_dna() const { return policy == SymbolPolicy::dna; }
  RecordInfo& record() { return text.records.back(); }

  /// Makes room for `more` elements in `all`. Growing copies the elements that are there.
  template <class Array>
  void grow(Array& all, std::uint64_t more) const {
    if (all.size() + more <= all.capacity()) return;
    if (memory != nullptr) memory->require(all.size() * sizeof(all[0]));
    all.reserve(std::max<std::uint64_t>(all.size() + more, 2 * all.size()));
  }

  /// Makes room for what a batch adds. Throws ResourceError.
  void make_room(const RecordBatch& batch, const SymbolRuns& runs) {
    std::uint64_t records = 0, segments = 0, others = 0;
    for (const SymbolRun& run : runs.runs) {
      records += run.kind == record_run;
      segments += is_plain(run);
      others += run.kind < plain_run || run.kind == masked_run;
    }
    constexpr std::uint64_t word = sizeof(std::uint64_t);
    if (memory != nullptr) {
      memory->require(PackedView::bytes_for(batch.symbols.size(), is_dna() ? 2 : 8) +
                      records * (sizeof(RecordInfo) + 2 * word) + segments * 3 * word +
                      others * sizeof(Gap) + batch.names.size() + batch.comments.size());
    }
    grow(text.records, records);
    grow(text.name_ends, records);
    grow(text.comment_ends, records);
    grow(text.names, batch.names.size());
    grow(text.comments, batch.comments.size());
    grow(text.segment_offsets, segments);
    grow(text.segment_records, segments);
    grow(starts, segments + 1);
    grow(text.gaps, others);
  }

  /// Notes where files begin, up to the one that a batch is of.
  void begin_file(std::size_t file) {
    std::vector<std::uint64_t>& ends = text.files.record_ends;
    while (ends.size() < file)
      ends.push_back(text.records.size());
  }

  void begin_record(std::string_view name, std::string_view comment) {
    text.records.push_back({0, text.segment_offsets.size(), text.gaps.size(), {}});
    text.names += name;
    text.name_ends.push_back(text.names.size());
    text.comments += comment;
    text.comment_ends.push_back(text.comments.size());
  }

  void end_record() {
    if (text.records.empty()) return;
    close_segment();
    checks.end_record();
  }

  void open_segment() {
    if (segment_open) return;
    segment_open = true;
    text.segment_offsets.push_back(record().length);
    text.segment_records.push_back(text.records.size() - 1);
  }

  void close_segment() {
    if (!segment_open) return;
    segment_open = false;
    starts.push_back(++length);
  }

  /// Extends the last gap or adds one. `source` as in Gap; `joins` says whether the last one may be
  /// extended.
  void add_gap(std::uint64_t size, std::uint64_t source, bool joins) {
    if (joins && !text.gaps.empty()) {
      Gap& last = text.gaps.back();
      if (last.record == text.records.size() - 1 && last.offset + last.length == record().length) {
        last.length += size;
        return;
      }
    }
    text.gaps.push_back({text.records.size() - 1, record().length, size, source});
  }

  void add_masked(std::uint64_t size) {
    add_gap(size, Gap::literal_base + masked, !text.gaps.empty() && text.gaps.back().is_literal());
    masked += size;
    text.counts.base += size;
  }

  void add_ambiguous(char symbol, std::uint64_t size) {
    const auto source = static_cast<std::uint64_t>(static_cast<unsigned char>(symbol));
    add_gap(size, source, !text.gaps.empty() && text.gaps.back().source == source);
    switch (dna_class(symbol)) {
      case SymbolClass::n:
        text.counts.n += size;
        break;
      case SymbolClass::iupac:
        text.counts.iupac += size;
        break;
      case SymbolClass::gap:
        text.counts.gap += size;
        break;
      default:
        text.counts.other += size;
    }
  }

  void place(SymbolRun& run) {
    checks.take(run);
    run.separator = segment_open && !is_plain(run);
    if (is_plain(run)) {
      open_segment();
      length += run.length;
      text.counts.base += run.length;
    } else {
      close_segment();
      if (run.kind == masked_run) {
        add_masked(run.length);
      } else {
        add_ambiguous(static_cast<char>(run.kind), run.length);
      }
    }
    record().length += run.length;
  }

  /// Adds the lower-case runs of the batch, once its records are there. Its first entry is
  /// `record`, and `before` symbols of that record came in earlier batches.
  void place_lower_case(const SymbolRuns& runs, std::uint64_t record, std::uint64_t before) {
    LetterCase& kept = text.letter_case;
    auto next = runs.lower.begin();
    const std::uint64_t first = record;
    for (; record < text.records.size(); ++record) {
      const std::uint64_t runs_begin = record == 0 ? 0 : kept.ends[record - 1];
      for (; next != runs.lower.end() && next->entry == record - first; ++next) {
        const std::uint64_t offset = record == first ? before : 0;
        const CaseRun run{next->begin + offset, next->end + offset};
        if (kept.runs.size() > runs_begin && kept.runs.back().end == run.begin) {
          kept.runs.back().end = run.end;
        } else {
          kept.runs.push_back(run);
        }
      }
      kept.ends.resize(record + 1);
      kept.ends[record] = kept.runs.size();
    }
  }

  template <class Writer>
  void write_text(const RecordBatch& batch, const SymbolRuns& runs, Writer& writer) const {
    const char* symbol = batch.symbols.data();
    for (const SymbolRun& run : runs.runs) {
      if (run.separator) writer.separator();
      if (is_plain(run)) writer.append(symbol, run.length);
      symbol += run.length;
    }
  }

  void write_literals(const RecordBatch& batch, const SymbolRuns& runs, BaseWriter& writer) const {
    const char* symbol = batch.symbols.data();
    for (const SymbolRun& run : runs.runs) {
      if (run.kind == masked_run) writer.append(symbol, run.length);
      symbol += run.length;
    }
  }

  /// Calls fill(writer) with a writer that starts at `first`.
  template <class Fill>
  void write(std::uint64_t first, const Fill& fill) {
    if (is_dna()) {
      BaseWriter writer(symbols, first);
      fill(writer);
      writer.finish();
    } else {
      ByteWriter writer(symbols, first, finder);
      fill(writer);
    }
  }

  /// Closes the last record: no batch has written its separator.
  void end_text() {
    const std::uint64_t before = length;
    end_record();
    symbols.extend(length - before);
    if (length != before) write(before, [](auto& writer) { writer.separator(); });
  }

  /// Packs protein or bytes, which were gathered as bytes: only now is the alphabet known.
  void pack_general(int threads) {
    std::string occurring;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (seen[byte]) occurring += static_cast<char>(byte);
    }
    text.alphabet = Alphabet::of(policy, occurring);
    const PackedArray bytes = symbols.take();
    if (memory != nullptr)
      memory->require(PackedView::bytes_for(bytes.size(), text.alphabet.bits()));
    text.symbols = PackedArray(bytes.size(), text.alphabet.bits(), "packed text");
    constexpr std::uint64_t slice = std::uint64_t{1} << 20;
    static_assert(slice % PackedArray::slice_unit == 0);
    parallel_for(threads, divide_up(bytes.size(), slice), [&](std::uint64_t task, int) {
      const std::uint64_t begin = task * slice;
      pack_general(bytes.view(), begin, std::min(bytes.size(), begin + slice));
    });
  }

  void pack_general(const PackedView& bytes, std::uint64_t begin, std::uint64_t end) {
    PackedWriter writer = text.symbols.writer(begin);
    // The first segment that ends after `begin`; its separator is at starts[segment] - 1.
    auto segment = std::upper_bound(starts.begin() + 1, starts.end(), begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      const bool separator = i + 1 == *segment;
      segment += separator;
      writer.push(separator ? 0 : text.alphabet.code(static_cast<char>(bytes.bytes[i])));
    }
    writer.finish();
  }
};

TextBuilder::TextBuilder(const TextOptions& options, MemoryLimit* memory)
    : state_(std::make_unique<State>(options, policy_of(options), memory)) {
  state_->text.letter_case.kept =
      options.soft_mask == SoftMaskPolicy::keep && state_->policy != SymbolPolicy::bytes;
}
TextBuilder::~TextBuilder() = default;

void TextBuilder::reserve(std::uint64_t symbols) {
  try {
    state_->symbols.reserve(symbols);
  } catch (const ResourceError&) {
    // The text may need less than this. If it does need it, growing will throw.
  }
}

void TextBuilder::scan(const RecordBatch& batch, SymbolRuns& runs) const {
  state_->finder.find(batch, runs);
}

void TextBuilder::place(const RecordBatch& batch, SymbolRuns& runs) {
  State& state = *state_;
  state.make_room(batch, runs);
  state.begin_file(batch.file);
  runs.text_begin = state.length;
  runs.masked_begin = state.masked;
  state.checks.begin_batch(batch);
  std::size_t next = batch.continues ? 1 : 0;
  const std::uint64_t first_record = state.text.records.size() - next;
  const std::uint64_t before = batch.continues ? state.record().length : 0;
  for (SymbolRun& run : runs.runs) {
    if (run.kind == record_run) {
      run.separator = state.segment_open;
      state.end_record();
      state.checks.begin_record(next);
      state.begin_record(batch.name(next), batch.comment(next));
      ++next;
    } else {
      state.place(run);
    }
  }
  if (state.text.letter_case.kept) state.place_lower_case(runs, first_record, before);
  state.text.counts.lower_case += runs.lower_case;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char symbol = state.finder.normal(static_cast<char>(byte));
    if (runs.raw[byte]) state.seen[static_cast<unsigned char>(symbol)] = true;
  }
  state.symbols.extend(state.length - runs.text_begin);
  state.literals.extend(state.masked - runs.masked_begin);
}

void TextBuilder::pack(const RecordBatch& batch, const SymbolRuns& runs) {
  State& state = *state_;
  state.write(runs.text_begin, [&](auto& writer) { state.write_text(batch, runs, writer); });
  if (state.options.soft_mask != SoftMaskPolicy::split) return;
  BaseWriter writer(state.literals, runs.masked_begin);
  state.write_literals(batch, runs, writer);
  writer.finish();
}

void TextBuilder::add(const RecordBatch& batch) {
  SymbolRuns runs;
  scan(batch, runs);
  place(batch, runs);
  pack(batch, runs);
}

Text TextBuilder::finish(int threads) {
  State& state = *state_;
  state.end_text();
  Text& text = state.text;
  text.files.record_ends.push_back(text.records.size());
  if (text.segment_offsets.empty()) {
    throw InputError(text.records.empty() ? "the input holds no sequence record"
                     : state.is_dna() && text.counts.total() > 0
                         ? "the input holds no A, C, G or T to index"
                         : "all records of the input are empty: nothing to index");
  }
  text.soft_mask_split = state.is_dna() && state.options.soft_mask == SoftMaskPolicy::split;
  if (state.is_dna()) {
    text.alphabet = Alphabet::dna();
    text.symbols = state.symbols.take();
  } else {
    state.pack_general(threads);
  }
  text.literals = state.literals.take();
  // The table that makes look-ups of segments fast.
  if (state.memory != nullptr)
    state.memory->require(2 * sizeof(std::uint64_t) * state.starts.size());
  text.segments = Segments(std::move(state.starts));
  return std::move(text);
}

}  // namespace gsx
