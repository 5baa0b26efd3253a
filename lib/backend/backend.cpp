#include "backend/backend.hpp"

namespace gsx {

std::string HostMemory::shortage(std::uint64_t bytes, const std::string& use) const {
  return "too little memory: " + use + " takes at least " + std::to_string(total(bytes)) +
         " bytes of the host's in all, and " + limited_by + " allows " + std::to_string(limit);
}

void Backend::stream_suffix_array(const TextView& text, const BuildOptions& options,
                                  const OnSuffixBlock& on_block) {
  const SuffixArray rows = build_suffix_array(text, options);
  on_block(block_of(rows));
}

void Backend::stream_bwt(const TextView& text, const BuildOptions& options,
                         const OnCodes& on_codes) {
  const Buffer<std::uint8_t> codes = build_bwt(text, options);
  on_codes(codes.span());
}

}  // namespace gsx
