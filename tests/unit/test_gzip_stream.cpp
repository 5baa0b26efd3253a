// Streams of gzip members: every inflater gives what zlib gives by itself, or an error where zlib
// has one.
#include "bytes/compression/gzip_stream.hpp"

#include <htslib/hfile.h>
#include <zlib.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "bytes/source_error.hpp"
#include "support/sequence_files.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// What a stream gives: its bytes, and the error after them, if there is one.
struct Inflated {
  std::string bytes;
  std::string error;
  bool operator==(const Inflated&) const = default;
};

struct CloseFile {
  void operator()(hFILE* file) const { hclose_abruptly(file); }
};

std::unique_ptr<hFILE, CloseFile> open_bytes(const std::string& bytes) {
  char* const copy = static_cast<char*>(std::malloc(bytes.size() + 1));  // the file frees it
  std::memcpy(copy, bytes.data(), bytes.size());
  std::unique_ptr<hFILE, CloseFile> file(hopen("mem:", "r:", copy, bytes.size()));
  REQUIRE(file != nullptr);
  return file;
}

/// Inflates `bytes` in pieces of `piece` bytes, from `packed` compressed bytes at a time.
Inflated inflate_with(std::unique_ptr<StreamInflater> inflater, const std::string& bytes,
                      std::size_t piece, std::size_t packed) {
  const auto file = open_bytes(bytes);
  GzipStream stream(*file, std::move(inflater), packed);
  Inflated result;
  std::string to(piece, '\0');
  try {
    for (std::size_t count; (count = stream.read(to.data(), piece)) != 0;)
      result.bytes.append(to, 0, count);
    CHECK(stream.read(to.data(), piece) == 0);
  } catch (const SourceError& error) {
    result.error = error.what();
    CHECK_THROWS_WITH_AS(stream.read(to.data(), piece), result.error.c_str(), SourceError);
  }
  return result;
}

constexpr const char* damaged = "the compressed data is truncated or damaged; fetch the file again";
constexpr const char* trailing =
    "bytes that are not compressed follow the complete compressed data; remove them ('gzip -dc' "
    "ignores them), or fetch the file again";

/// The same by zlib's own reading of headers and checks.
Inflated expected_of(const std::string& bytes) {
  z_stream state{};
  REQUIRE(inflateInit2(&state, 15 + 16) == Z_OK);
  state.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  state.avail_in = static_cast<unsigned>(bytes.size());
  Inflated result;
  std::string to(50'000, '\0');
  while (result.error.empty()) {
    state.next_out = reinterpret_cast<unsigned char*>(to.data());
    state.avail_out = static_cast<unsigned>(to.size());
    const int status = inflate(&state, Z_NO_FLUSH);
    result.bytes.append(to, 0, to.size() - state.avail_out);
    if (status == Z_STREAM_END) {
      const std::string_view rest(reinterpret_cast<const char*>(state.next_in), state.avail_in);
      if (rest.empty() || rest.front() != '\x1f') {
        if (rest.find_first_not_of('\0') != rest.npos) result.error = trailing;
        break;
      }
      inflateReset(&state);
    } else if (status != Z_OK || (state.avail_in == 0 && state.avail_out != 0)) {
      result.error = damaged;
    }
  }
  inflateEnd(&state);
  return result;
}

std::string random_text(std::mt19937& random, std::size_t size) {
  const auto kind = random() % 5;
  std::string text;
  while (text.size() < size) {
    const std::size_t count = 1 + random() % 300;
    if (kind == 0) text += static_cast<char>(random());
    if (kind == 1) text += std::string(count, "ACGT"[random() % 4]);
    if (kind == 2) text += random_letters(random, count);
    if (kind == 3) {
      text += "@read\n" + random_letters(random, count) + "\n+\n" + random_qualities(random, count);
    }
    if (kind == 4) {  // copies from near and far
      const std::size_t back = 1 + random() % 40'000;
      text += back < text.size() ? text.substr(text.size() - back, count) : std::string("ACGTTGCA");
    }
  }
  text.resize(size);
  return text;
}

/// A member made in one of the ways that zlib has, with any of the optional parts of a header.
std::string random_member(std::mt19937& random, const std::string& text) {
  constexpr int strategies[] = {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED};
  constexpr int flushes[] = {Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK};
  z_stream state{};
  const int level = static_cast<int>(random() % 10), window = 9 + static_cast<int>(random() % 7);
  REQUIRE(deflateInit2(&state, level, Z_DEFLATED, window + 16, 1 + static_cast<int>(random() % 9),
                       strategies[random() % 5]) == Z_OK);
  std::string extra(random() % 300, 'x'), name(random() % 300, 'n'), comment(random() % 300, 'c');
  gz_header header{};
  header.hcrc = static_cast<int>(random() % 2);
  if (random() % 2 == 0) {
    header.extra = reinterpret_cast<unsigned char*>(extra.data());
    header.extra_len = static_cast<unsigned>(extra.size());
  }
  if (random() % 2 == 0) header.name = reinterpret_cast<unsigned char*>(name.data());
  if (random() % 2 == 0) header.comment = reinterpret_cast<unsigned char*>(comment.data());
  if (random() % 4 != 0) deflateSetHeader(&state, &header);
  std::string made(2 * text.size() + 100'000, '\0');
  state.next_out = reinterpret_cast<unsigned char*>(made.data());
  state.avail_out = static_cast<unsigned>(made.size());
  for (std::size_t at = 0, count = 0; at < text.size(); at += count) {
    count = std::min<std::size_t>(text.size() - at, 1 + random() % 100'000);
    state.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data() + at));
    state.avail_in = static_cast<unsigned>(count);
    REQUIRE(deflate(&state, flushes[random() % 5]) != Z_STREAM_ERROR);
    REQUIRE(state.avail_in == 0);
  }
  REQUIRE(deflate(&state, Z_FINISH) == Z_STREAM_END);
  made.resize(made.size() - state.avail_out);
  deflateEnd(&state);
  return made;
}

/// Checks all inflaters on one stream, by pieces of several sizes. If it is made of `text` and then
/// damaged, the fast inflater may find the error some bytes earlier or later than zlib does, but
/// gives as many bytes for pieces of any size. It takes some codes that zlib refuses; then the
/// checksum of the member shows that the bytes are right.
void check_stream(const std::string& bytes, const std::string& text, std::mt19937& random) {
  const Inflated expected = expected_of(bytes);
  constexpr std::size_t usual = GzipStream::usual_bytes;
  const Inflated usually = inflate_with(make_stream_inflater(), bytes, 1 << 20, usual);
  for (const std::size_t piece : {std::size_t{1} << 20, 1 + std::size_t{random()} % 100'000,
                                  500 + std::size_t{random()} % 500}) {
    CAPTURE(piece);
    const Inflated again = inflate_with(make_stream_inflater(), bytes, piece, usual);
    CHECK(again.bytes.size() == usually.bytes.size());
    CHECK(again.error == usually.error);
    for (const std::size_t packed : {usual, 1 + std::size_t{random()} % 50}) {
      CAPTURE(packed);
      CHECK((inflate_with(make_zlib_inflater(), bytes, piece, packed) == expected));
      const Inflated found = inflate_with(make_stream_inflater(), bytes, piece, packed);
      const bool right = found.bytes == text;
      CHECK((right || found.error == expected.error));
      CHECK((right || found.bytes == expected.bytes || found.error == damaged));
    }
  }
}

std::string number32(std::uint32_t number) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>(number >> shift);
  return bytes;
}

}  // namespace

TEST_CASE("members made in every way of zlib, and what follows them") {
  std::mt19937 random(seed());
  for (int round = 0; round < rounds(60); ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    std::string bytes, text;
    for (auto members = 1 + random() % 3; members != 0; --members) {
      const std::size_t size = random() % 3 == 0 ? random() % 300'000 : random() % 3000;
      const std::string part = random_text(random, random() % 5 == 0 ? 0 : size);
      bytes += random_member(random, part);
      text += part;
    }
    CHECK((expected_of(bytes) == Inflated{text, ""}));
    check_stream(bytes, "", random);
    if (round % 3 == 0) check_stream(bytes + std::string(random() % 9000, '\0'), "", random);
    if (round % 3 == 1) check_stream(bytes + std::string(random() % 9000, '\0') + "x", "", random);
  }
}

TEST_CASE("small members cut at every length, and with any bit changed") {
  std::mt19937 random(seed());
  for (int round = 0; round < rounds(6); ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    const std::string first = random_text(random, random() % 400);
    const std::string second = random_text(random, random() % 100);
    const std::string bytes = random_member(random, first) + random_member(random, second);
    for (std::size_t length = 1; length < bytes.size();
         length += 1 + random() % (thinned() ? 20 : 3)) {
      CAPTURE(length);
      const std::string cut = bytes.substr(0, length);
      check_stream(cut, first + second, random);
      const Inflated found = inflate_with(make_stream_inflater(), cut, 1 << 20, 1 << 18);
      CHECK(expected_of(cut).bytes.starts_with(found.bytes));
    }
    for (std::size_t at = 0; at < bytes.size(); at += thinned() ? 7 : 1) {
      CAPTURE(at);
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8));
      // The first bytes tell that it is gzip at all.
      if (changed.starts_with("\x1f\x8b")) check_stream(changed, first + second, random);
    }
  }
}

TEST_CASE("a large damaged member gives as many bytes before the error in pieces of any size") {
  std::mt19937 random(seed());
  for (int round = 0; round < rounds(20); ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    const std::string text = random_text(random, 200'000 + random() % 500'000);
    std::string bytes = random_member(random, text);
    bytes[100 + random() % (bytes.size() - 100)] ^= static_cast<char>(1 + random() % 255);
    if (round % 2 == 0) bytes.resize(bytes.size() - random() % (bytes.size() / 2));
    check_stream(bytes, text, random);
  }
}

TEST_CASE("the checks of a member: CRC, length, header") {
  std::mt19937 random(seed());
  const std::string text = random_text(random, 5000);
  const std::string sound = random_member(random, text);
  const std::string stream = sound.substr(0, sound.size() - 8);
  const auto crc = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const unsigned char*>(text.data()), 5000));
  CHECK((stream + number32(crc) + number32(5000) == sound));
  for (const auto& make : {make_zlib_inflater, make_stream_inflater}) {
    const auto result_of = [&](const std::string& bytes) {
      return inflate_with(make(), bytes, 1 << 20, 1 << 18);
    };
    CHECK((result_of(sound) == Inflated{text, ""}));
    CHECK((result_of(stream + number32(crc ^ 1) + number32(5000)) == Inflated{text, damaged}));
    CHECK((result_of(stream + number32(crc) + number32(5001)) == Inflated{text, damaged}));
    CHECK((result_of(stream + number32(crc) + "\x88\x13") == Inflated{text, damaged}));
    CHECK((result_of(sound + sound.substr(0, 1)) == Inflated{text, damaged}));
    // A method other than deflate, and a flag that has no meaning yet.
    for (const std::size_t at : {2, 3}) {
      std::string header = sound;
      header[at] = static_cast<char>(header[at] ^ 0x40);
      CHECK((result_of(header) == Inflated{"", damaged}));
    }
  }
}
