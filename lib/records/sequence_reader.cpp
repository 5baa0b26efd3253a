#include "records/sequence_reader.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/ordered_results.hpp"
#include "base/out_of_memory.hpp"
#include "records/block_chain.hpp"
#include "records/block_queue.hpp"
#include "records/lists/list_parser.hpp"
#include "records/record_parser.hpp"

namespace gsx {
namespace {

void check_paths(const std::vector<std::string>& paths) {
  if (paths.empty()) throw UsageError("no input file; name one, or '-' for standard input");
  require_one_standard_input(paths);
  if (std::find(paths.begin(), paths.end(), "") != paths.end()) {
    throw UsageError("an input file's name is empty; name a file, or '-' for standard input");
  }
}

/// Bytes that are parsed before their bases are packed.
constexpr std::size_t packed_piece = std::size_t{128} << 10;

/// A block, and the records that were parsed from it.
struct ParsedBlock {
  BlockWork work;
  RecordBatch batch;
};

BlockQueue::Options queue_options(const ReaderOptions& options) {
  return {.threads = options.threads,
          .block_bytes = options.block_bytes,
          .size = options.size,
          .cut = options.split_records ? BlockCut::line : BlockCut::record,
          .allow_empty = options.allow_empty,
          .decoding = options.decoding};
}

std::unique_ptr<RecordParser> parser_for(const BlockWork& work, const ReaderOptions& options) {
  const BlockStart start = work.block.start;
  const std::uint64_t line = start == BlockStart::file ? work.file->first_line() : 0;
  const SequenceFormat format = work.file->format();
  auto parser = is_list(format)
                    ? std::make_unique<ListParser>(
                          start, line, work.file->list_columns(), options.any_symbols,
                          options.short_records ? options.record_bytes : ~std::uint64_t{0})
                    : make_parser(format, start, line, options.path);
  parser->limit_header(std::min(options.header_bytes, options.record_bytes), options.short_records);
  parser->refuse_marks(options.refuse_fastq_in_fasta);
  parser->take_whole_headers(options.whole_header);
  return parser;
}

/// Reads the block, and parses it if that does not need the blocks before it.
void read_and_parse(BlockWork& work, RecordBatch& batch, const ReaderOptions& options,
                    StageClock& clock) {
  const auto parse = [&](std::string_view text) {
    clock.done(Stage::read);
    if (!work.parser) {
      work.parser = parser_for(work, options);
      if (!options.pack_bases) batch.symbols.reserve(work.file->most_symbols(work.block));
    }
    batch.bytes.begin_text(text);
    // The symbols of a piece are packed while the cache has them, and make room for the next one's.
    const std::size_t piece = options.pack_bases ? packed_piece : text.size();
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
      work.parser->parse(text.substr(0, piece), batch);
      if (options.pack_bases) batch.pack_bases(options.path);
    }
    clock.done(Stage::parse);
  };
  batch.clear();
  batch.lines.keep(keeps_lines(work, options));
  work.parser.reset();
  if (work.file->pass_on(work.block, parse)) return;
  work.file->load(work.block);
  if (work.block.start != BlockStart::unknown) parse(work.block.text);
}

/// What a failure of memory is to say; memory may be too short for that, too.
std::exception_ptr with_what_to_do(std::exception_ptr error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    try {
      return std::make_exception_ptr(no_memory_to_read("the input"));
    } catch (...) {
      return error;
    }
  } catch (...) {
    return error;
  }
}

}  // namespace

void require_one_standard_input(const std::vector<std::string>& paths) {
  constexpr std::string_view names[] = {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
  const std::string* first = nullptr;
  for (const std::string& path : paths) {
    if (std::ranges::find(names, path) == std::end(names)) continue;
    if (first != nullptr) {
      throw UsageError((*first == path ? "'" + path + "' is given twice"
                                       : "'" + *first + "' and '" + path + "' are given") +
                       ", but standard input can be read only once");
    }
    first = &path;
  }
}

struct SequenceReader::State {
  State(std::vector<std::string> paths, const ReaderOptions& options_in)
      : options(options_in),
        queue(std::move(paths), queue_options(options)),
        parsed(static_cast<std::size_t>(options.threads)),
        chain(options) {
    if (options.hands_over) spare.reserve(static_cast<std::size_t>(options.threads));
  }

  bool take_settled(RecordBatch& batch, RecordBatch& memory);
  bool wait_for_others();
  void parse(ParsedBlock& block, std::string& memory, StageClock& clock) const;
  void leave_or_settle(ParsedBlock& block, StageClock& clock);
  void settle(ParsedBlock& block);
  void fail(std::exception_ptr error) noexcept;

  ReaderOptions options;
  BlockQueue queue;
  OrderedResults<ParsedBlock> parsed;
  BlockChain chain;  ///< used in the turns of `parsed`

  std::mutex mutex;  ///< guards the members below
  std::condition_variable changed;
  std::deque<RecordBatch> settled;      ///< in input order
  std::vector<RecordBatch> spare;       ///< empty ones with memory, for threads that go on
  std::vector<std::size_t> alignments;  ///< numbers of files
  std::uint64_t settled_blocks = 0;
  std::uint64_t next_number = 0;  ///< of the batch that the next block makes
  bool left_open = false;         ///< whether the last record of the settled batches lacks its end
  std::exception_ptr failure;     ///< what follows the settled batches, at each call again
};

/// Takes the first of the settled batches, and keeps `memory` for others; false if there is none.
/// Throws the failure behind them.
bool SequenceReader::State::take_settled(RecordBatch& batch, RecordBatch& memory) {
  const std::lock_guard lock(mutex);
  if (!settled.empty()) {
    batch = std::move(settled.front());
    settled.pop_front();
    const bool is_wanted = memory.symbols.capacity() != 0 && spare.size() < spare.capacity();
    if (is_wanted) spare.push_back(std::move(memory));
    return true;
  }
  if (!failure) return false;
  batch.number = next_number;
  batch.left_open = left_open;
  std::rethrow_exception(failure);
}

/// Waits for what other threads still parse; false if there is nothing. Pre: all blocks are taken.
bool SequenceReader::State::wait_for_others() {
  const std::uint64_t blocks = queue.taken();
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return failure || !settled.empty() || settled_blocks == blocks; });
  return failure || !settled.empty();
}

/// Parses the block. `memory`, which this thread parsed its last block with, is for symbols that
/// are dropped.
void SequenceReader::State::parse(ParsedBlock& block, std::string& memory,
                                  StageClock& clock) const {
  keep_as_asked(block.batch, options);
  block.batch.clear();
  if (block.work.failure) return;
  if (options.pack_bases) std::swap(block.batch.symbols, memory);
  try {
    read_and_parse(block.work, block.batch, options, clock);
    if (block.batch.dropped != 0) {
      memory.assign(block.batch.symbols);  // of one record; if it throws, the block fails
      std::swap(block.batch.symbols, memory);
    }
  } catch (...) {
    block.work.failure = std::current_exception();
  }
  clock.done(Stage::parse);
}

/// Settles the block, and those behind it that other threads have left; or leaves it to the thread
/// with the one before. At a file that may block, waits until its batch can be taken: the thread
/// may then wait for the file, and nobody else may be there to take the batch.
void SequenceReader::State::leave_or_settle(ParsedBlock& block, StageClock& clock) {
  const bool goes_on = options.hands_over && block.work.file && block.work.file->is_regular();
  parsed.hand_over(
      block.work.number, block,
      [&](ParsedBlock& any) {
        clock.done(Stage::wait);
        settle(any);
        clock.done(Stage::parse);
      },
      goes_on ? static_cast<std::size_t>(options.threads) : 0);
  clock.done(Stage::wait);
}

/// Joins the block to those before it. Pre: it is the block's turn. Throws what ends the input.
void SequenceReader::State::settle(ParsedBlock& block) {
  std::exception_ptr error;
  const BlockWork& work = block.work;
  const bool begins_alignment = work.file && work.block.start == BlockStart::file &&
                                !work.file->has_lines() &&
                                work.file->format() == SequenceFormat::fastq;
  const std::size_t file = work.file_number;
  try {
    chain.add(block.work, block.batch);
    error = chain.error();
  } catch (...) {
    error = std::current_exception();
    block.batch.clear();
  }
  queue.give_back(block.work.block);
  block.work = {};
  {
    const std::lock_guard lock(mutex);
    if (begins_alignment) alignments.push_back(file);
    if (block.batch.size() != 0) {
      settled.push_back(std::exchange(block.batch, {}));  // if it throws, the batch fails
      if (!spare.empty()) {
        block.batch = std::move(spare.back());
        spare.pop_back();
      }
    }
    ++settled_blocks;
    next_number = chain.number();
    left_open = chain.has_open_record();
    if (error) failure = error;
  }
  changed.notify_all();
  if (error) std::rethrow_exception(error);
}

void SequenceReader::State::fail(std::exception_ptr error) noexcept {
  error = with_what_to_do(std::move(error));
  {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::move(error);
  }
  parsed.fail();
  changed.notify_all();
}

SequenceReader::SequenceReader(std::vector<std::string> paths, const ReaderOptions& options) {
  check_paths(paths);
  if (options.split_records && (options.keep_qualities || options.keep_bytes)) {
    throw UsageError("qualities and bytes are kept of whole records only");
  }
  state_ = std::make_unique<State>(std::move(paths), options);
  if (options.pack_bases) pack_bases();
}

SequenceReader::~SequenceReader() = default;
SequenceReader::SequenceReader(SequenceReader&&) noexcept = default;
SequenceReader& SequenceReader::operator=(SequenceReader&&) noexcept = default;

void SequenceReader::read_ahead(std::uint64_t bytes) {
  state_->queue.read_ahead(bytes, state_->options.times);
}

void SequenceReader::refuse_fastq_in_fasta() {
  state_->options.refuse_fastq_in_fasta = true;
}

void SequenceReader::take_any_symbols() {
  state_->options.any_symbols = true;
}

void SequenceReader::pack_bases() {
  const ReaderOptions& options = state_->options;
  if (options.split_records || options.keep_qualities || options.keep_bytes)
    throw UsageError("bases are packed of whole records, without qualities and bytes, only");
  state_->options.pack_bases = true;
}

bool SequenceReader::next(RecordBatch& batch) {
  State& state = *state_;
  StageClock clock(state.options.times);
  ParsedBlock block;
  std::string memory = std::exchange(batch.spare, {});
  std::swap(block.batch, batch);  // for its memory
  while (!state.take_settled(batch, block.batch)) {
    if (!state.queue.take(block.work, clock)) {
      const bool more = state.wait_for_others();
      clock.done(Stage::wait);
      if (!more) return false;
      continue;
    }
    clock.done(Stage::read);
    try {
      state.parse(block, memory, clock);
      state.leave_or_settle(block, clock);
    } catch (...) {
      state.fail(std::current_exception());  // whoever has a later block would wait for this one
    }
  }
  batch.bases.finish(batch.symbols, batch.dropped, state.options.path);
  clock.done(Stage::parse);
  batch.spare = std::move(memory);
  return true;
}

bool SequenceReader::is_alignment(std::size_t file) const {
  const std::lock_guard lock(state_->mutex);
  return std::ranges::find(state_->alignments, file) != state_->alignments.end();
}

std::uint64_t SequenceReader::bytes_read() const {
  return state_->queue.bytes_read();
}

std::vector<std::string> SequenceReader::list_notes() const {
  return state_->queue.list_notes();
}

std::vector<std::string> SequenceReader::empty_files() const {
  return state_->queue.empty_files();
}

}  // namespace gsx
