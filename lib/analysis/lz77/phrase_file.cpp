#include "analysis/lz77/phrase_file.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/little_endian.hpp"

namespace gsx {
namespace {

constexpr std::uint32_t across_records_flag = 1;
constexpr std::size_t header_bytes = 32, checksum_bytes = 8;

}  // namespace

struct PhraseFileWriter::State {
  RecordsView records;
  bool across_records;
  WriteBytes write;
  XXH3_state_t* hash;
  std::string pending;
  std::vector<std::uint64_t> starts;  ///< of the records, if sources may lie in other records

  void flush() {
    XXH3_64bits_update(hash, pending.data(), pending.size());
    write(pending);
    pending.clear();
  }
};

PhraseFileWriter::PhraseFileWriter(const RecordsView& records, bool across_records,
                                   WriteBytes write)
    : state_(new State{records, across_records, std::move(write), XXH3_createState(), {}, {}}) {
  if (state_->hash == nullptr) throw ResourceError("out of memory: a checksum");
  XXH3_64bits_reset(state_->hash);
  std::uint64_t symbols = 0;
  for (const RecordInfo& info : records.infos) {
    if (across_records) state_->starts.push_back(symbols);
    symbols += info.length;
  }
  std::string& out = state_->pending;
  out = phrase_file_magic;
  append_little_endian(out, phrase_file_version, 4);
  append_little_endian(out, across_records ? across_records_flag : 0, 4);
  append_little_endian(out, records.size(), 8);
  append_little_endian(out, symbols, 8);
}

PhraseFileWriter::~PhraseFileWriter() {
  XXH3_freeState(state_->hash);
}

void PhraseFileWriter::add(const RecordPhrases& phrases) {
  constexpr std::size_t at_once = std::size_t{1} << 16;
  State& state = *state_;
  std::string& out = state.pending;
  append_sized(out, state.records.name(phrases.record()));
  append_sized(out, state.records.comment(phrases.record()));
  append_varint(out, phrases.length());
  phrases.visit([&](const RecordPhrase& phrase) {
    const bool is_copy = phrase.kind == RecordPhrase::Kind::copy;
    append_varint(out, phrase.length << 1 | (is_copy ? 0 : 1));
    if (is_copy) {
      append_varint(
          out, phrase.source + (state.across_records ? state.starts[phrase.source_record] : 0));
    } else {
      out += phrase.symbol;
    }
    if (out.size() >= at_once) state.flush();
  });
  if (out.size() >= at_once) state.flush();
}

void PhraseFileWriter::finish() {
  state_->flush();
  std::string sum;
  append_little_endian(sum, XXH3_64bits_digest(state_->hash), checksum_bytes);
  state_->write(sum);
}

namespace {

/// Reads numbers and texts from bytes that nobody vouches for.
class ByteReader {
 public:
  ByteReader(std::span<const std::uint8_t> bytes, const std::string& shown)
      : at_(bytes.data()), end_(at_ + bytes.size()), shown_(shown) {}

  [[noreturn]] void corrupt(const std::string& why) const {
    throw CorruptIndexError(shown_ + " is damaged: " + why + "; make it again with gsx lz77");
  }
  bool at_end() const { return at_ == end_; }

  std::uint8_t byte() {
    if (at_ == end_) corrupt("it ends inside a record");
    return *at_++;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    if (read_varint([this] { return byte(); }, value)) return value;
    corrupt("a number is too large");
  }
  std::string_view text() {
    const std::uint64_t size = varint();
    if (size > static_cast<std::uint64_t>(end_ - at_)) corrupt("a name is longer than the file");
    const std::string_view found(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    if (found.find_first_of(std::string_view("\n\r\0", 3)) != found.npos)
      corrupt("a name holds a line break");
    return found;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  const std::string& shown_;
};

/// A phrase as stored. `symbol` is 0 for a copy.
struct StoredPhrase {
  std::uint64_t length;
  std::uint64_t source;
  std::uint8_t symbol;
};

/// The next phrase of a record with `left` symbols still to come. Its source is checked against
/// `before`, the number of symbols that may be copied.
StoredPhrase read_phrase(ByteReader& in, std::uint64_t before, std::uint64_t left) {
  const std::uint64_t head = in.varint();
  StoredPhrase phrase{head >> 1, 0, 0};
  if (phrase.length == 0 || phrase.length > left) in.corrupt("a phrase has a wrong length");
  if ((head & 1) == 0) {
    phrase.source = in.varint();
    if (phrase.source >= before) in.corrupt("a phrase has a source that is not before it");
  } else {
    phrase.symbol = in.byte();
    if (phrase.symbol <= ' ' || phrase.symbol == '>' || phrase.symbol == 0x7F)
      in.corrupt("a literal is no symbol of a sequence");
  }
  return phrase;
}

/// What the records need, if all of them are sound.
struct StoredSizes {
  std::uint64_t records;
  std::uint64_t symbols;
  std::uint64_t longest = 0;
  bool across_records;
};

void check_records(ByteReader in, StoredSizes& sizes) {
  std::uint64_t all = 0;
  for (std::uint64_t record = 0; record < sizes.records; ++record) {
    in.text();
    in.text();
    const std::uint64_t length = in.varint();
    if (length > sizes.symbols - all) in.corrupt("the records are longer than the header says");
    for (std::uint64_t done = 0; done < length;)
      done += read_phrase(in, (sizes.across_records ? all : 0) + done, length - done).length;
    all += length;
    sizes.longest = std::max(sizes.longest, length);
  }
  if (!in.at_end() || all != sizes.symbols)
    in.corrupt("it holds more or less than its header says");
}

StoredSizes check_file(std::span<const std::uint8_t> bytes, const std::string& shown) {
  const std::string_view begin(reinterpret_cast<const char*>(bytes.data()),
                               std::min(bytes.size(), phrase_file_magic.size()));
  if (begin != phrase_file_magic.substr(0, begin.size()))
    throw ForeignIndexError(shown +
                            " is not an LZ77 file that gsx made; gsx lz77 -o FILE makes one");
  const ByteReader whole(bytes, shown);
  if (bytes.size() < header_bytes + checksum_bytes) whole.corrupt("it ends in its header");
  const std::size_t content = bytes.size() - checksum_bytes;
  if (little_endian(bytes.data() + content, checksum_bytes) != XXH3_64bits(bytes.data(), content))
    whole.corrupt("its checksum is wrong");
  const std::uint64_t version = little_endian(bytes.data() + 8, 4);
  if (version != phrase_file_version) {
    throw ForeignIndexError(shown + " has version " + std::to_string(version) +
                            " of the LZ77 format, and this gsx reads version " +
                            std::to_string(phrase_file_version) + "; make it again with gsx lz77");
  }
  const std::uint64_t flags = little_endian(bytes.data() + 12, 4);
  if (flags > across_records_flag) whole.corrupt("its flags are unknown");
  StoredSizes sizes{little_endian(bytes.data() + 16, 8), little_endian(bytes.data() + 24, 8), 0,
                    flags == across_records_flag};
  check_records({bytes.subspan(header_bytes, content - header_bytes), shown}, sizes);
  return sizes;
}

/// Writes a phrase behind the `at` symbols that are there.
void copy_phrase(char* symbols, std::uint64_t at, const StoredPhrase& phrase) {
  char* const to = symbols + at;
  if (phrase.symbol != 0) {
    std::memset(to, phrase.symbol, phrase.length);
    return;
  }
  // What was copied can be copied again: each step copies all symbols from the source on.
  const char* const from = symbols + phrase.source;
  for (std::uint64_t done = 0; done < phrase.length;) {
    const std::uint64_t there = at + done - phrase.source;
    const std::uint64_t some = std::min(phrase.length - done, there - there % (at - phrase.source));
    std::memcpy(to + done, from, some);
    done += some;
  }
}

}  // namespace

void read_phrase_file(std::span<const std::uint8_t> bytes, const std::string& shown,
                      const std::function<void(std::uint64_t)>& require,
                      const std::function<void(const PhraseFileRecord&)>& take) {
  const StoredSizes sizes = check_file(bytes, shown);
  const std::uint64_t needed = sizes.across_records ? sizes.symbols : sizes.longest;
  require(needed);
  Buffer<char> symbols(needed, "symbols of an LZ77 file");
  ByteReader in(bytes.subspan(header_bytes, bytes.size() - checksum_bytes - header_bytes), shown);
  std::uint64_t begin = 0;
  for (std::uint64_t record = 0; record < sizes.records; ++record) {
    const std::string_view name = in.text(), comment = in.text();
    const std::uint64_t length = in.varint();
    for (std::uint64_t done = 0; done < length;) {
      const StoredPhrase phrase = read_phrase(in, begin + done, length - done);
      copy_phrase(symbols.data(), begin + done, phrase);
      done += phrase.length;
    }
    take({name, comment, {symbols.data() + begin, length}});
    if (sizes.across_records) begin += length;
  }
}

}  // namespace gsx
