#include "records/sequence_file.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/line_ends.hpp"
#include "records/known_files.hpp"

namespace gsx {
namespace {

/// How far to look ahead at first for the start of the next block: some short-read records.
constexpr std::size_t look_ahead = 4096;
/// Bytes of storage that a block gets at first: enough for blocks of the usual size.
constexpr std::size_t first_storage = (std::size_t{1} << 20) + look_ahead + 1;

/// Bytes of a plain file that are read and then parsed before more are read: they stay in the cache
/// of a core.
constexpr std::size_t piece_bytes = std::size_t{128} << 10;

std::string label_of(const std::string& path) {
  return path == "-" ? "standard input" : printable(path);
}

/// How much of a BGZF file is read ahead: enough for all threads to inflate while one uses what is
/// inflated, but little if blocks are small, as they are where memory is short.
std::size_t ahead_bytes(int threads, std::size_t block_bytes) {
  constexpr std::size_t least = std::size_t{64} << 10, most = std::size_t{1280} << 10;
  return threads > 1 ? static_cast<std::size_t>(threads) * std::clamp(block_bytes, least, most) : 0;
}

ByteSource open_source(const std::string& path, const std::string& label, std::size_t ahead,
                       std::function<void()> on_more, Decoding decoding) {
  decoding.as_sequences = true;
  try {
    return ByteSource(path, ahead, std::move(on_more), decoding);
  } catch (const OpenFilesError& error) {
    throw FileLimitError(label + ": cannot open it: " + error.what());
  } catch (const MemoryError& error) {
    throw OutOfMemoryError(label + ": " + with_file_named(error.what(), path));
  } catch (const SourceError& error) {
    const bool url = path.find("://") != std::string::npos;
    throw input_error(
        label, 0, {}, 0,
        "cannot read it: " + with_file_named(error.what(), path) +
            (url ? "; gsx does not read URLs: download it, or pipe it (curl URL | gsx ... -)"
                 : ""));
  }
}

}  // namespace

InputError input_error(const std::string& label, std::uint64_t record, std::string_view name,
                       std::uint64_t line, const std::string& what) {
  std::string where;
  if (record != 0) where += "record " + std::to_string(record);
  if (!name.empty()) where += " ('" + shown_name(name) + "')";
  if (line != 0) where += (where.empty() ? "line " : ", line ") + std::to_string(line);
  return InputError((label.empty() ? "" : label + ": ") + (where.empty() ? "" : where + ": ") +
                    what);
}

SequenceFile::SequenceFile(const std::string& path, int threads, std::size_t block_bytes,
                           BlockCut cut, std::function<void()> on_more, const Decoding& decoding,
                           const BatchSize* size)
    : path_(path),
      label_(std::make_shared<const std::string>(label_of(path))),
      source_(open_source(path, label(), ahead_bytes(threads, block_bytes), std::move(on_more),
                          decoding)),
      block_bytes_(std::max<std::size_t>(block_bytes, 1)),
      size_(size),
      cut_(cut) {
  try {
    find_format(decoding);
  } catch (const MemoryError& error) {
    throw OutOfMemoryError(label() + ": " + with_file_named(error.what(), path_));
  } catch (const SourceError& error) {
    throw input_error(label(), 0, {}, has_lines() ? first_line_ : 0,
                      with_file_named(error.what(), path_));
  }
  next_begin_ = begin_;
  next_bytes_ = next_window_bytes();
}

std::size_t SequenceFile::next_window_bytes() const {
  return size_ == nullptr ? block_bytes_ : std::min<std::size_t>(size_->bytes(), block_bytes_);
}

void SequenceFile::fail(Block& block, const SourceError& error) const {
  block.failure = with_file_named(error.what(), path_);
  block.lacks_memory = dynamic_cast<const MemoryError*>(&error) != nullptr;
}

std::string SequenceFile::note_on_damage() const {
  if (source_.packing() == nullptr || source_.is_checked() || source_.is_made()) return {};
  const std::string packing = source_.packing();
  return with_file_named(
      "; or the file, compressed by " + packing + ", is damaged; test it: " + packing + " -t FILE",
      path_);
}

std::uint64_t SequenceFile::position() const {
  return is_plain() ? std::min(source_.plain_size(), next_begin_) : source_.position();
}

bool SequenceFile::take(Block& block) {
  block.window = windows_;
  block.window_begin = next_begin_;
  block.window_bytes = next_bytes_;
  block.filled = 0;
  block.failure.clear();
  block.lacks_memory = false;
  block.passed_on = false;
  if (ended_ || (is_plain() && next_begin_ >= source_.plain_size())) return false;
  ++windows_;
  next_begin_ += next_bytes_;
  block.next_bytes = next_bytes_ = next_window_bytes();
  if (!is_plain()) take_from_stream(block);
  return true;
}

void SequenceFile::take_from_stream(Block& block) {
  if (block.storage.size() < ahead_.size()) block.storage.resize(ahead_.size());
  std::copy(ahead_.begin(), ahead_.end(), block.storage.begin());
  block.filled = ahead_.size();
  const std::size_t begin = block.window == 0 ? 0 : 1;
  bool paused = false;
  cut(block, [&](char* to, std::size_t count) {
    paused = cut_ == BlockCut::record && block.filled > begin && source_.pauses();
    return paused ? 0 : source_.read(to, count);
  });
  after_pause_ = paused && !block.ends_before_start && block.failure.empty();
  std::size_t window_end = begin + block.window_bytes;
  if (after_pause_) {
    block.last = false;
    window_end = block.filled;
    const char* const text = block.text.data();
    block.text = {text, static_cast<std::size_t>(block.storage.data() + window_end - text)};
  }
  ended_ = block.last || !block.failure.empty();
  if (ended_) return;
  ahead_.assign(block.storage.data() + window_end - 1, block.storage.data() + block.filled);
}

void SequenceFile::load(Block& block) const {
  if (!is_plain()) return;
  block.filled = 0;
  block.failure.clear();
  block.lacks_memory = false;
  block.passed_on = false;
  cut(block, reader_from(block.window_begin - (block.window == 0 ? 0 : 1)));
}

bool SequenceFile::pass_on(Block& block, const std::function<void(std::string_view)>& use) const {
  const std::size_t begin = block.window == 0 ? 0 : 1;
  std::size_t left = begin + block.window_bytes;  // up to the end of the window
  if (!is_plain() || left <= piece_bytes) return false;
  auto read = reader_from(block.window_begin - begin);
  block.passed_on = true;
  block.text = {};
  block.ends_before_start = block.last = false;
  for (bool first = true; !block.last && block.failure.empty(); first = false) {
    const bool ends = left <= piece_bytes;
    block.filled = 0;
    std::size_t end = 0;
    try {
      if (ends) {
        end = find_end(block, left, read);
      } else {
        fill(block, piece_bytes, read);
        end = block.filled;
        block.last = end < piece_bytes;
      }
    } catch (const SourceError& error) {
      fail(block, error);
      end = block.filled;
    }
    std::size_t from = 0;
    if (first) {
      from = find_begin(block, begin, block.filled);
      if (block.start == BlockStart::unknown || block.start == BlockStart::inside) return false;
    }
    use({block.storage.data() + from, end - from});
    if (ends) break;
    left -= piece_bytes;
  }
  return true;
}

std::size_t SequenceFile::most_symbols(const Block& block) const {
  const std::uint64_t bytes =
      block.passed_on ? std::min<std::uint64_t>(block.window_bytes, source_.plain_size() - begin_)
                      : block.text.size();
  return static_cast<std::size_t>(format_ == SequenceFormat::fastq ? bytes / 2 : bytes);
}

std::size_t SequenceFile::find_start(std::string_view text, bool at_line_start) const {
  if (cut_ == BlockCut::line && format_ == SequenceFormat::fasta) {
    return find_line(text, at_line_start);
  }
  return find_record(text, format_, at_line_start);
}

/// Reads until the storage holds `size` bytes or the input ends. The storage grows with the input,
/// so a small file takes little memory whatever the size of a block.
template <class Read>
void SequenceFile::fill(Block& block, std::size_t size, Read& read) const {
  while (block.filled < size) {
    if (block.filled == block.storage.size()) {
      block.storage.resize(std::min(size, std::max(first_storage, 2 * block.storage.size())));
    }
    const std::size_t end = std::min(size, block.storage.size());
    const std::size_t count = read(block.storage.data() + block.filled, end - block.filled);
    if (count == 0) return;
    if (ends_by_cr_) end_lines_by_lf({block.storage.data() + block.filled, count});
    block.filled += count;
  }
}

/// Reads the byte before the window if there is one, the window, and as much of the next window as
/// is needed to find where its block begins.
template <class Read>
void SequenceFile::cut(Block& block, Read read) const {
  const std::size_t window_begin = block.window == 0 ? 0 : 1;
  const std::size_t window_end = window_begin + block.window_bytes;
  block.ends_before_start = false;
  block.last = false;
  std::size_t end = 0;
  try {
    end = find_end(block, window_end, read);
  } catch (const SourceError& error) {
    fail(block, error);
    end = block.filled;  // parse what was read, so that the error gets its position
  }
  const std::size_t begin = find_begin(block, window_begin, std::min(window_end, block.filled));
  block.text = {block.storage.data() + begin, end - begin};
}

template <class Read>
std::size_t SequenceFile::find_end(Block& block, std::size_t window_end, Read& read) const {
  const std::size_t most = block.next_bytes;
  for (std::size_t look = std::min(look_ahead, most);; look = std::min(2 * look, most)) {
    fill(block, window_end + look, read);
    block.last = block.filled <= window_end;
    if (block.last) return block.filled;
    const std::string_view next(block.storage.data() + window_end, block.filled - window_end);
    const std::size_t start = find_start(next, block.storage[window_end - 1] == '\n');
    block.ends_before_start = start != no_border;
    if (block.ends_before_start) return window_end + start;
    if (look == most || next.size() < look) return window_end;
  }
}

std::size_t SequenceFile::find_begin(Block& block, std::size_t window_begin,
                                     std::size_t window_end) const {
  block.start = BlockStart::file;
  if (window_begin == 0) return 0;
  block.start = BlockStart::unknown;
  if (after_pause_) return window_begin;
  const bool lines = cut_ == BlockCut::line && format_ == SequenceFormat::fasta;
  block.start = lines ? BlockStart::inside : BlockStart::unknown;
  if (window_end <= window_begin) return window_end;
  const std::string_view window(block.storage.data() + window_begin, window_end - window_begin);
  const std::size_t start = find_start(window, block.storage[window_begin - 1] == '\n');
  if (start == no_border) return window_begin;
  block.start = lines ? BlockStart::line : BlockStart::record;
  return window_begin + start;
}

}  // namespace gsx
