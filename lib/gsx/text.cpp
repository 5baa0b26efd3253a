#include "gsx/text.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "seq/symbol_scan.hpp"
#include "text/text_builder.hpp"

namespace gsx {
namespace {

/// Symbols by which an alphabet is guessed.
constexpr std::size_t guess_symbols = std::size_t{1} << 16;

void require_header(const Sequence& sequence) {
  const std::string_view name = sequence.name, comment = sequence.comment;
  if (is_header(name) && is_header(comment) && name.find_first_of(" \t\n") == name.npos &&
      comment.find('\n') == comment.npos) {
    return;
  }
  throw InputError("the sequence '" + shown_name(name) +
                   "' has a name or comment that does not fit a FASTA header");
}

}  // namespace

Text make_text(std::span<const Sequence> sequences, const ReadTextOptions& options) {
  TextOptions text = options.text;
  if (options.guess) {
    std::string first;
    for (const Sequence& sequence : sequences) {
      if (first.size() >= guess_symbols) break;
      first += sequence.symbols.substr(0, guess_symbols - first.size());
    }
    text.alphabet = guess_alphabet(first);
    text.guessed = true;
  }
  std::optional<MemoryLimit> memory = MemoryLimit::below(options.memory_limit);
  TextBuilder builder(text, memory ? &*memory : nullptr);
  RecordBatch batch;
  batch.source = std::make_shared<const std::string>("memory");
  for (const Sequence& sequence : sequences) {
    require_header(sequence);
    if (batch.size() > 0 && batch.symbols.size() + sequence.symbols.size() > options.block_bytes) {
      builder.add(batch);
      batch.first_record += batch.size();
      batch.first_in_source += batch.size();
      ++batch.number;
      batch.clear();
    }
    batch.begin_record(sequence.name, sequence.comment);
    batch.append(sequence.symbols);
  }
  builder.add(batch);
  return builder.finish(options.threads);
}

}  // namespace gsx
