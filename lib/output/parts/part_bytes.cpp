#include "output/parts/part_bytes.hpp"

#include <algorithm>

#include "base/little_endian.hpp"
#include "output/parts/part_format.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

std::uint64_t number_at(std::string_view bytes, int count) {
  return little_endian(reinterpret_cast<const std::uint8_t*>(bytes.data()), count);
}

}  // namespace

PartBytes::PartBytes(PartSource source) : source_(std::move(source)) {
  std::string start;
  read_bytes(part_magic.size() + 4, start);
  const std::uint64_t version = number_at(std::string_view(start).substr(part_magic.size()), 4);
  if (version != part_version)
    fail("it is a part of format version " + std::to_string(version) + ", and this gsx reads " +
         std::to_string(part_version) + ": merge with the gsx that made it, or make it again");
}

void PartBytes::fail(const std::string& what) const {
  throw input_error(label(), 0, {}, 0, what);
}

void PartBytes::fail_damaged(const std::string& what) const {
  fail("the part is damaged: " + what + "; make it again");
}

void PartBytes::read_bytes(std::size_t size, std::string& bytes) {
  bytes.resize(size);
  try {
    for (std::size_t have = 0; have < size;) {
      const std::size_t more = source_.bytes->read(bytes.data() + have, size - have);
      if (more == 0) fail("the file ends early: the part is not whole; make it again");
      have += more;
    }
  } catch (const SourceError& error) {
    fail(error.what());
  }
}

void PartBytes::read_frame() {
  if (ended_) fail_damaged("its content ends early");
  std::string frame, rest;
  read_bytes(4, frame);
  const std::uint64_t size = number_at(frame, 4);
  if (size > part_frame_bytes) fail_damaged("a frame is too long");
  read_bytes(size + part_sum_bytes, rest);
  frame.append(rest, 0, size);
  if (frame_sum(frame, frames_++) != number_at(std::string_view(rest).substr(size), 8))
    fail_damaged("a checksum is wrong");
  rest.resize(size);
  content_ = std::move(rest);
  at_ = 0;
  ended_ = size < part_frame_bytes;
  if (size == 0) fail_damaged("its content ends early");
}

std::uint64_t PartBytes::varint() {
  std::uint64_t value = 0;
  if (read_varint([this] { return byte(); }, value)) return value;
  fail_damaged("a number is too large");
}

std::uint64_t PartBytes::number(int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= std::uint64_t{byte()} << (8 * i);
  return value;
}

void PartBytes::read(std::uint64_t size, std::string& text) {
  text.clear();
  while (text.size() < size) {
    if (at_ == content_.size()) read_frame();
    const std::uint64_t some = std::min<std::uint64_t>(size - text.size(), content_.size() - at_);
    text.append(content_, at_, some);
    at_ += some;
  }
}

std::string PartBytes::text(std::uint64_t most) {
  std::string all;
  const std::uint64_t size = varint();
  if (size > most) fail_damaged("a text is too long");
  read(size, all);
  return all;
}

void PartBytes::require_end() {
  if (at_ != content_.size()) fail_damaged("something follows its end");
  // A stream that fills its frames ends with an empty one.
  if (!ended_) {
    std::string last;
    read_bytes(4 + part_sum_bytes, last);
    const std::string_view frame = std::string_view(last).substr(0, 4);
    if (number_at(frame, 4) != 0 ||
        frame_sum(frame, frames_) != number_at(std::string_view(last).substr(4), 8))
      fail_damaged("a checksum is wrong");
  }
  try {
    if (!source_.bytes->peek().empty()) fail_damaged("something follows its end");
  } catch (const SourceError& error) {
    fail(error.what());
  }
}

}  // namespace gsx
