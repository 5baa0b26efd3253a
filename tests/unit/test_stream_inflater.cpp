// Inflaters of raw deflate streams, through their interface: zlib's, and ISA-L's if there is one.
#include "bytes/compression/stream_inflater.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <memory>
#include <string>
#include <vector>

#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Status = StreamInflater::Status;

/// A raw deflate stream, behind bytes that an inflater may give back.
std::string deflated(const std::string& text) {
  z_stream state{};
  REQUIRE(deflateInit2(&state, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string stream(deflateBound(&state, text.size()), '\0');
  state.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<unsigned>(text.size());
  state.next_out = reinterpret_cast<unsigned char*>(stream.data());
  state.avail_out = static_cast<unsigned>(stream.size());
  REQUIRE(deflate(&state, Z_FINISH) == Z_STREAM_END);
  stream.resize(state.total_out);
  deflateEnd(&state);
  return stream;
}

struct Inflated {
  std::string bytes;
  Status status;
  std::size_t taken;
};

/// What comes of `stream` into room for `most` bytes.
Inflated inflate(StreamInflater& inflater, const std::string& stream, std::size_t most) {
  const std::string bytes = std::string(StreamInflater::bytes_back, '\0') + stream;
  const auto* const begin =
      reinterpret_cast<const unsigned char*>(bytes.data()) + StreamInflater::bytes_back;
  const unsigned char* in = begin;
  std::string to(most, '\0');
  char* out = to.data();
  Status status = Status::more;
  for (const char* before = nullptr; status == Status::more && out != before;) {
    before = out;
    status = inflater.inflate(in, begin + stream.size(), out, to.data() + most);
  }
  return {to.substr(0, static_cast<std::size_t>(out - to.data())), status,
          static_cast<std::size_t>(in - begin)};
}

}  // namespace

TEST_CASE("an inflater begins anew after streams that were damaged, cut, or left half read") {
  Random random(71);
  const std::string text = random_string(random, 50'000, "ACGTN\n");
  const std::string stream = deflated(text);
  std::string damaged = stream;
  damaged.replace(damaged.size() / 2, 200, 200, '\xFF');
  for (const auto& make : {make_zlib_inflater, make_stream_inflater}) {
    const std::unique_ptr<StreamInflater> inflater = make();
    const auto check_whole = [&] {
      inflater->reset();
      const Inflated whole = inflate(*inflater, stream + "behind it", 2 * text.size());
      CHECK(whole.status == Status::ended);
      CHECK(whole.bytes == text);
      CHECK(whole.taken == stream.size());
    };
    check_whole();
    CHECK(inflate(*inflater, std::string(64, '\xFF'), 1000).bytes.empty());
    check_whole();
    inflater->reset();
    CHECK(inflate(*inflater, std::string(64, '\xFF'), 1000).status == Status::damaged);
    check_whole();
    inflater->reset();
    CHECK(inflate(*inflater, damaged, 2 * text.size()).bytes != text);
    check_whole();
    inflater->reset();
    CHECK(inflate(*inflater, stream.substr(0, 5000), 2 * text.size()).status == Status::more);
    check_whole();
    inflater->reset();
    CHECK(inflate(*inflater, stream, 100).bytes == text.substr(0, 100));
    check_whole();
    CHECK(inflater->checksum(inflater->checksum(0, "GATT"), "ACA") ==
          crc32(0, reinterpret_cast<const unsigned char*>("GATTACA"), 7));
  }
}
