#include "commands/lcp_output.hpp"

#include <span>
#include <utility>

#include "base/little_endian.hpp"
#include "index/lcp/lcp_builder.hpp"
#include "output/lines/text_format.hpp"

namespace gsx::app {

class LcpOutput::Builder {
 public:
  virtual ~Builder() = default;
  virtual void add(const SuffixArray& rows) = 0;
  virtual LcpArray finish() = 0;
};

template <class Pos>
class LcpOutput::BuilderOf final : public Builder {
 public:
  BuilderOf(const TextView& text, int threads, RequireMemory require)
      : builder_(text, threads, std::move(require)) {}

  void add(const SuffixArray& rows) override {
    const std::span<const Pos> some = rows.entries<Pos>();
    builder_.add(some.data(), some.size());
  }
  LcpArray finish() override { return builder_.finish(); }

 private:
  LcpBuilder<Pos> builder_;
};

LcpOutput::LcpOutput(Output& out, int threads) : out_(out), threads_(threads) {}
LcpOutput::~LcpOutput() = default;

void LcpOutput::begin(const TextView& text, BuildOptions& build) {
  build.memory.used += LcpBuilder<std::uint32_t>::bytes(text.length());
  auto require =
      build.memory.require_as_needed("the LCP array of a text with so many long repeats");
  if (is_wide(text.length(), build.width)) {
    builder_ = std::make_unique<BuilderOf<std::uint64_t>>(text, threads_, std::move(require));
  } else {
    builder_ = std::make_unique<BuilderOf<std::uint32_t>>(text, threads_, std::move(require));
  }
}

void LcpOutput::add(const SuffixArray& rows) {
  builder_->add(rows);
}

LcpArray LcpOutput::finish() {
  LcpArray lcp = builder_->finish();
  builder_.reset();
  return lcp;
}

void LcpOutput::write(const LcpArray& lcp, const TextView& text, const LcpFormat& format) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 18;
  std::string piece = format.text ? "lcp\n" : "";
  lcp.for_each(format.separators ? 0 : text.segments.count, lcp.size(),
               [&](std::uint64_t, std::uint64_t value) {
                 if (format.text) {
                   append_number(piece, value);
                   piece += '\n';
                 } else {
                   append_little_endian(piece, value, format.width);
                 }
                 if (piece.size() < piece_bytes) return;
                 out_.write(piece);
                 piece.clear();
               });
  out_.write(piece);
}

}  // namespace gsx::app
