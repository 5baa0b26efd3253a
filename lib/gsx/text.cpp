#include "gsx/text.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "records/sequence_file.hpp"
#include "records/symbol_scan.hpp"
#include "text/text_builder.hpp"

namespace gsx {
namespace {

/// Symbols by which an alphabet is guessed.
constexpr std::size_t guess_symbols = std::size_t{1} << 16;

void require_header(const Sequence& sequence, bool whole_header) {
  const std::string_view name = sequence.name, comment = sequence.comment;
  const char* const refused = whole_header ? "\t\n" : " \t\n";
  const bool has_blanks_around = name.starts_with(' ') || name.ends_with(' ');
  if (is_header(name) && is_header(comment) && name.find_first_of(refused) == name.npos &&
      comment.find('\n') == comment.npos && !has_blanks_around &&
      (!whole_header || comment.empty())) {
    return;
  }
  throw InputError("the sequence '" + shown_name(name) +
                   "' has a name or comment that does not fit a FASTA header");
}

/// Throws InputError for a symbol that no line of a FASTA file can hold. `number` counts from 1.
void require_symbols(const Sequence& sequence, std::uint64_t number) {
  if (all_symbols(sequence.symbols)) return;
  const auto* const wrong = std::ranges::find_if_not(sequence.symbols, [](const char& symbol) {
    return all_symbols({&symbol, 1});
  });
  throw input_error("memory", number, sequence.name, 0,
                    "'" + printable({wrong, 1}) +
                        "' is not a symbol: a sequence has no blanks, line ends, control bytes or "
                        "'>'");
}

Text build_text(std::span<const Sequence> sequences, const ReadTextOptions& options) {
  std::uint64_t symbols = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    require_header(sequences[i], options.whole_header);
    require_symbols(sequences[i], i + 1);
    symbols += sequences[i].symbols.size();
  }
  TextOptions text = options.text;
  if (!text.alphabet) {
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
  std::uint64_t record = 0;
  // What comes next begins in the current record. Long sequences are split, as files are.
  const auto add_batch = [&] {
    builder.add(batch);
    const std::uint64_t number = batch.number + 1;
    batch.clear();
    batch.number = number;
    batch.first_record = record;
    batch.first_in_source = record + 1;
  };
  const std::size_t most = std::max<std::uint64_t>(1, options.block_bytes);
  for (; record < sequences.size(); ++record) {
    const Sequence& sequence = sequences[record];
    if (batch.symbols.size() >= most) add_batch();
    batch.begin_record(sequence.name, sequence.comment);
    for (std::string_view rest = sequence.symbols; !rest.empty();) {
      if (batch.symbols.size() >= most) add_batch();
      const std::size_t taken = std::min(rest.size(), most - batch.symbols.size());
      batch.append(rest.substr(0, taken));
      rest.remove_prefix(taken);
    }
  }
  builder.add(batch);
  Text made = builder.finish(threads_for(options.threads, symbols));
  made.whole_header = options.whole_header;
  return made;
}

}  // namespace

Text make_text(std::span<const Sequence> sequences, const ReadTextOptions& options) {
  return with_gsx_errors([&] { return build_text(sequences, options); });
}

}  // namespace gsx
