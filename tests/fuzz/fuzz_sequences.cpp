// The reader of sequences in every format but CRAM: whatever the bytes, it gives the same records
// and the same error, in any pieces and on any number of threads; and extract gives back what was
// indexed.
//
// Input: two bytes of flags, then the file. The flags choose the size of blocks and the kind of
// file, then alphabet and policies.
#include <htslib/hts_log.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "bytes/file_kind.hpp"
#include "fuzz/fuzz.hpp"
#include "records/sequence_reader.hpp"
#include "text/read_text.hpp"

namespace gsx::fuzzing {
namespace {

constexpr std::size_t most_bytes = 1 << 14;

struct Reading {
  std::vector<FuzzRecord> records;
  std::string error;
};

void add(const RecordBatch& batch, std::vector<FuzzRecord>& records) {
  require(batch.size() > 0, "a batch has records");
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (i == 0 && batch.continues) {
      require(!records.empty(), "there is a record to continue");
      records.back().symbols += batch.sequence(i);
    } else {
      records.push_back({std::string(batch.name(i)), std::string(batch.comment(i)),
                         std::string(batch.sequence(i))});
    }
  }
}

Reading read(const std::string& path, const ReaderOptions& options, int threads) {
  Reading reading;
  SequenceReader reader({path}, options);
  std::mutex mutex;
  std::map<std::uint64_t, RecordBatch> batches;
  run_threads(threads, [&](int) {
    RecordBatch batch;
    try {
      while (reader.next(batch)) {
        const std::lock_guard lock(mutex);
        batches[batch.number] = std::move(batch);
      }
    } catch (const Error& error) {
      const std::lock_guard lock(mutex);
      // Of compressed data, an error adds that this may be the cause.
      const std::string_view all = error.what();
      reading.error = all.substr(0, all.find("; or the file, compressed by "));
    }
  });
  for (const auto& [number, batch] : batches)
    add(batch, reading.records);
  return reading;
}

bool same(const Reading& a, const Reading& b) {
  const auto equal = [](const FuzzRecord& x, const FuzzRecord& y) {
    return x.name == y.name && x.comment == y.comment && x.symbols == y.symbols;
  };
  return a.error == b.error &&
         std::equal(a.records.begin(), a.records.end(), b.records.begin(), b.records.end(), equal);
}

/// After an error, how many of the records before it are given depends on where batches end.
void check_same(const Reading& a, const Reading& b) {
  if (a.error != b.error) std::fprintf(stderr, "%s\n%s\n", a.error.c_str(), b.error.c_str());
  require(a.error == b.error, "the same error");
  if (a.error.empty()) require(same(a, b), "the same records");
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  require(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
  std::string made(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib");
  made.resize(stream.total_out);
  deflateEnd(&stream);
  return made;
}

/// Whether it is decoded, or would be if its first bytes were whole: inside gzip, only text is.
bool is_packed(std::string_view bytes, const Reading& reading) {
  return kind_of_start(bytes) != FileKind::plain ||
         reading.error.find(" data that is damaged, or cut off, in its first bytes") !=
             std::string::npos;
}

/// The symbols as extract gives them back.
std::string normal_symbols(SymbolPolicy policy, std::string symbols) {
  if (policy == SymbolPolicy::bytes) return symbols;
  for (char& c : symbols) {
    c = to_upper(c);
    if (policy == SymbolPolicy::dna && c == 'U') c = 'T';
  }
  return symbols;
}

void check_text(const std::string& path, const Reading& reading, std::uint8_t flags,
                std::uint64_t block) {
  ReadTextOptions options;
  options.block_bytes = block;
  if ((flags & 3) != 0) options.text.alphabet = static_cast<SymbolPolicy>(flags & 3);
  if ((flags & 4) != 0) options.text.ambiguous = AmbiguousPolicy::error;
  if ((flags & 8) != 0) options.text.soft_mask = SoftMaskPolicy::split;
  options.threads = (flags & 16) != 0 ? 2 : 1;
  try {
    const Text text = read_text({path}, options, {});
    require(reading.error.empty(), "what cannot be read is not indexed");
    require(text.records.size() == reading.records.size(), "number of records");
    const RecordsView records = text.records_view();
    for (std::uint64_t r = 0; r < records.size(); ++r) {
      const FuzzRecord& record = reading.records[r];
      require(records.name(r) == record.name && records.comment(r) == record.comment, "headers");
      std::string symbols;
      extract(text.view(), records, text.alphabet, r, 0, records.infos[r].length, symbols);
      require(symbols == normal_symbols(text.alphabet.policy(), record.symbols), "symbols");
    }
  } catch (const Error& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos, "one line");
  }
}

/// Two records in each packing, and a sequence in 2bit; lines of SAM.
std::vector<std::string> other_formats() {
  using namespace std::string_literals;
  return {
      // bzip2
      "\102\132\150\061\061\101\131\046\123\131\177\152\306\252\000\000\002\117\000\000\020\000"
      "\001\050\200\004\000\060\000\040\000\061\014\010\032\233\123\365\062\075\224\120\166\046"
      "\174\052\341\167\044\123\205\011\007\366\254\152\240"s,
      // xz
      "\375\067\172\130\132\000\000\004\346\326\264\106\002\000\041\001\014\000\000\000\217\230"
      "\101\234\001\000\022\076\141\012\101\103\107\124\012\076\142\012\107\101\124\124\101\103"
      "\101\012\000\000\112\116\367\277\377\234\377\273\000\001\053\023\234\011\110\322\037\266"
      "\363\175\001\000\000\000\000\004\131\132"s,
      // zstd
      "\050\265\057\375\004\130\231\000\000\076\141\012\101\103\107\124\012\076\142\012\107\101"
      "\124\124\101\103\101\012\103\134\002\175"s,
      // 2bit
      "\103\047\101\032\000\000\000\000\001\000\000\000\000\000\000\000\001\141\026\000\000\000"
      "\012\000\000\000\001\000\000\000\010\000\000\000\002\000\000\000\001\000\000\000\002\000"
      "\000\000\003\000\000\000\000\000\000\000\234\234\000"s,
      "@HD\tVN:1.6\nr\t16\t*\t0\t0\t*\t*\t0\t0\tACGTN\tIIIII\ns\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n"s,
      "r\t65\t*\t0\t0\t*\t*\t0\t0\tGATTACA\t*\n"s,
  };
}

}  // namespace

std::vector<std::string> seeds() {
  const std::vector<std::string> files = {
      ">r1 first record\nACGTACGTNN\nACGT\n>r2\r\nacgtRYn-\r\n\r\n>empty\n>last\nGATTACA",
      "@q1 x\nACGTAC\n+\nIIIIII\n@q2\nAC\nGT\n+q2\n@@\n>+\n@q3\n\n+\n\n",
      "\n\n>a\n\n\nAC GT\n;\n",
      ">a\nAC@\n@r\nAC\n+\nII\n>@\n@@@@\n@@@@\n",
      ">p\nMKVLAAGIVGLQEFPEIL*\n>q\nMKWVTFISLLFLFSSAYS\n",
      "@r\r\nACGT\r\n+\r\nIIII\r\n@s\r\nAC\r\n+\r\nII",
      ">" + std::string(300, 'n') + "\n" + fixed_symbols(400, 9, "ACGT") + "\n",
  };
  std::vector<std::string> made;
  for (const std::string& file : files) {
    for (const char flags : {'\x00', '\x05', '\x13', '\x40'})
      made.push_back(std::string(1, flags) + std::string(1, static_cast<char>(made.size())) + file);
    made.push_back(std::string("\x07\x03", 2) + gzip(file));
  }
  for (const std::string& file : other_formats())
    for (const char flags : {'\x02', '\x33'})
      made.push_back(std::string(1, flags) + std::string(1, '\x10') + file);
  return made;
}

std::vector<std::string> tokens() {
  return {"\n",
          "\r\n",
          "\n>",
          "\n@",
          "\n+\n",
          ">",
          "@",
          "+",
          "N",
          "\n\n",
          " ",
          "\t",
          "*",
          std::string(1, '\0'),
          std::string(200, 'A')};
}

}  // namespace gsx::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gsx;
  using namespace gsx::fuzzing;
  if (size < 2 || size > most_bytes) return 0;
  hts_set_log_level(HTS_LOG_OFF);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::uint64_t block = std::uint64_t{1} << (data[0] & 15);
  const bool split = (data[0] & 16) != 0;
  const MemoryFile file(bytes);
  const Reading whole = read(file.path(), {1, std::uint64_t{1} << 20, false}, 1);
  require(whole.error.find('\n') == std::string::npos, "one line");
  check_same(read(file.path(), {1, block, split}, 1), whole);
  if ((data[0] & 32) != 0) check_same(read(file.path(), {1, block, split}, 3), whole);
  check_text(file.path(), whole, data[1], block);
  if (is_packed(bytes, whole) || (data[0] & 64) == 0) return 0;
  // The same through inflation: a stream, which cannot be read at any offset. Messages differ only
  // in the name of the file, except that a compressed file of nothing is not "empty".
  const MemoryFile compressed(gzip(bytes));
  Reading stream = read(compressed.path(), {1, block, split}, 1);
  if (!stream.error.empty()) {
    require(stream.error.starts_with(compressed.path()), "the file is named");
    const std::string here = compressed.path(), there = file.path();
    for (std::size_t at = 0; (at = stream.error.find(here, at)) != std::string::npos;) {
      stream.error.replace(at, here.size(), there);
      at += there.size();
    }
  }
  check_same(stream, whole);
  return 0;
}
