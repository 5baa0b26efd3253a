#include "seq/sequence_reader.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "seq/batch_filler.hpp"
#include "seq/byte_source.hpp"
#include "seq/record_parser.hpp"

namespace gsx {
namespace {

void check_paths(const std::vector<std::string>& paths) {
  if (paths.empty()) throw UsageError("no input file; name one, or '-' for standard input");
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw UsageError("'-' is given twice, but standard input can be read only once");
  }
  if (std::find(paths.begin(), paths.end(), "") != paths.end()) {
    throw UsageError("an input file's name is empty; name a file, or '-' for standard input");
  }
}

std::string label_of(const std::string& path) {
  return path == "-" ? "standard input" : printable(path);
}

/// How files begin that people mistake for sequence files, and what to say of them.
struct KnownStart {
  std::string_view bytes;
  const char* advice;
};
constexpr KnownStart known_starts[] = {
    {"BZh", "it looks like bzip2: decompress it first"},
    {"\xFD"
     "7zXZ",
     "it looks like xz: decompress it first"},
    {"\x28\xB5\x2F\xFD", "it looks like zstd: decompress it first"},
    {"PK\x03\x04", "it looks like zip: unpack it first"},
    {"BAM\x01", "it looks like BAM: convert it with 'samtools fasta' first"},
    {"CRAM", "it looks like CRAM: convert it with 'samtools fasta' first"},
    {"\xEF\xBB\xBF", "it begins with a byte-order mark: save it as plain text"},
    {"\xFF\xFE", "it begins with a byte-order mark: save it as plain text"},
};

/// Why a file that begins with `text` is refused. Pre: text is not empty.
std::string describe_start(std::string_view text) {
  for (const KnownStart& known : known_starts) {
    if (text.starts_with(known.bytes)) {
      return std::string("not FASTA or FASTQ; ") + known.advice;
    }
  }
  const auto byte = static_cast<unsigned char>(text.front());
  char hex[8];
  std::snprintf(hex, sizeof hex, "0x%02X", byte);
  const bool ascii = byte >= 0x20 && byte < 0x7f;
  const std::string shown = ascii ? "'" + std::string(1, text.front()) + "'" : hex;
  return "not FASTA or FASTQ: it begins with " + shown + " where '>' or '@' should be";
}

}  // namespace

struct SequenceReader::State {
  State(std::vector<std::string> paths_in, ReaderOptions options_in)
      : paths(std::move(paths_in)),
        options(options_in),
        filler(options.batch_symbols, options.split_records) {}

  bool fill(RecordBatch& batch);
  bool fill_checked(RecordBatch& batch);
  void open_next();
  void next_block();
  void find_format();
  void end_file();
  [[noreturn]] void fail_to_read(const std::string& why) const;

  std::vector<std::string> paths;
  ReaderOptions options;
  BatchFiller filler;
  std::size_t opened = 0;                ///< files opened so far
  std::unique_ptr<ByteSource> source;    ///< the open file, if any
  std::unique_ptr<RecordParser> parser;  ///< once the open file's format is known
  std::string_view block;                ///< bytes of it not parsed yet
  std::string label;                     ///< how messages name it
  std::uint64_t line = 1;                ///< of it, until the format is known
  std::uint64_t bytes_of_ended = 0;      ///< read from the files before it
  std::exception_ptr failure;            ///< what next() threw: it throws it again, never reads on
  std::atomic<std::uint64_t> bytes_read{0};  ///< a progress thread may ask at any time
};

/// Whether there is anything in the batch when it is full or the last file has ended.
bool SequenceReader::State::fill(RecordBatch& batch) {
  filler.start(batch);
  for (;;) {
    if (!block.empty()) {
      if (!parser) {
        find_format();
      } else if (parser->parse(block, filler)) {
        return true;
      }
    } else if (source) {
      next_block();
    } else if (opened != paths.size()) {
      open_next();
    } else {
      return batch.size() != 0;
    }
  }
}

bool SequenceReader::State::fill_checked(RecordBatch& batch) {
  try {
    return fill(batch);
  } catch (const std::bad_alloc&) {
    throw ResourceError(label + ": out of memory after " + std::to_string(batch.symbols.size()) +
                        " symbols of one batch; use a machine with more memory");
  }
}

void SequenceReader::State::open_next() {
  const std::string& path = paths[opened];
  label = label_of(path);
  line = 1;
  ++opened;
  try {
    source = std::make_unique<ByteSource>(path, options.threads);
  } catch (const SourceError& error) {
    throw_input_error(label, 0, 0, "cannot read it: " + std::string(error.what()));
  }
}

void SequenceReader::State::next_block() {
  try {
    block = source->next_block();
  } catch (const SourceError& error) {
    fail_to_read(error.what());
  }
  bytes_read.store(bytes_of_ended + source->position(), std::memory_order_relaxed);
  if (block.empty()) end_file();
}

void SequenceReader::State::fail_to_read(const std::string& why) const {
  if (parser) parser->fail(why);
  throw_input_error(label, 0, line, why);
}

/// Skips blank lines and leaves the block at the first byte that decides, if it is in the block.
void SequenceReader::State::find_format() {
  const std::size_t begin = block.find_first_not_of(" \t\r\n");
  const std::string_view blanks = block.substr(0, begin);
  line += static_cast<std::uint64_t>(std::count(blanks.begin(), blanks.end(), '\n'));
  block.remove_prefix(blanks.size());
  if (block.empty()) return;
  parser = make_parser(block.front(), label, line);
  if (!parser) throw_input_error(label, 0, line, describe_start(block));
}

void SequenceReader::State::end_file() {
  if (!parser) {
    throw_input_error(label, 0, 0, "the file is empty; FASTA or FASTQ is expected");
  }
  parser->finish(filler);
  bytes_of_ended += source->position();
  parser.reset();
  source.reset();
}

SequenceReader::SequenceReader(std::vector<std::string> paths, ReaderOptions options) {
  check_paths(paths);
  state_ = std::make_unique<State>(std::move(paths), options);
}

SequenceReader::~SequenceReader() = default;
SequenceReader::SequenceReader(SequenceReader&&) noexcept = default;
SequenceReader& SequenceReader::operator=(SequenceReader&&) noexcept = default;

bool SequenceReader::next(RecordBatch& batch) {
  State& state = *state_;
  if (state.failure) std::rethrow_exception(state.failure);
  try {
    return state.fill_checked(batch);
  } catch (...) {
    state.failure = std::current_exception();
    throw;
  }
}

std::uint64_t SequenceReader::bytes_read() const {
  return state_->bytes_read.load(std::memory_order_relaxed);
}

}  // namespace gsx
