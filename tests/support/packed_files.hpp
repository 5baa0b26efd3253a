// Files in the formats that gsx reads besides FASTA and FASTQ, plain and in gzip.
#pragma once

#include <bzlib.h>
#include <doctest/doctest.h>
#include <htslib/sam.h>
#include <lzma.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gsx::testing {

inline std::string bzip2_bytes(const std::string& text) {
  auto size = static_cast<unsigned>(text.size() + text.size() / 50 + 700);
  std::string packed(size, '\0');
  REQUIRE(BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                                   static_cast<unsigned>(text.size()), 1, 0, 0) == BZ_OK);
  packed.resize(size);
  return packed;
}

inline std::string xz_bytes(const std::string& text, std::uint32_t dictionary = 1 << 20) {
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 1);
  options.dict_size = dictionary;
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  REQUIRE(lzma_stream_buffer_encode(const_cast<lzma_filter*>(filters), LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(packed.data()), &size,
                                    packed.size()) == LZMA_OK);
  packed.resize(size);
  return packed;
}

/// `window` is the binary logarithm of the window; 0 leaves it to the library.
inline std::string zstd_bytes(const std::string& text, int window = 0) {
  ZSTD_CCtx* state = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(state, ZSTD_c_checksumFlag, 1);
  if (window != 0) {
    ZSTD_CCtx_setParameter(state, ZSTD_c_windowLog, window);
    ZSTD_CCtx_setParameter(state, ZSTD_c_contentSizeFlag, 0);
  }
  std::string packed(ZSTD_compressBound(text.size()) + 64, '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  // Not the simple call: it would lower the window to the size of the text.
  REQUIRE(ZSTD_compressStream2(state, &out, &in, ZSTD_e_continue) != ~std::size_t{0});
  REQUIRE(ZSTD_compressStream2(state, &out, &in, ZSTD_e_end) == 0);
  ZSTD_freeCCtx(state);
  packed.resize(out.pos);
  return packed;
}

struct TwoBitOptions {
  std::uint32_t version = 0;
  bool swapped = false;    ///< numbers in the other byte order
  bool backwards = false;  ///< the last sequence comes first in the file
};

/// A 2bit file of (name, bases), where lower case is masked, and other letters than A C G T are N.
class TwoBitWriter {
 public:
  explicit TwoBitWriter(const TwoBitOptions& options) : options_(options) {}

  std::string operator()(const std::vector<std::pair<std::string, std::string>>& sequences) {
    const std::size_t offset_bytes = options_.version == 0 ? 4 : 8;
    std::size_t at = 16;
    std::vector<std::string> parts;
    for (const auto& [name, bases] : sequences) {
      at += 1 + name.size() + offset_bytes;
      parts.push_back(packed(bases));
    }
    std::vector<std::size_t> offsets(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::size_t one = options_.backwards ? parts.size() - 1 - i : i;
      offsets[one] = at;
      at += parts[one].size();
    }
    std::string file = number(0x1A412743) + number(options_.version) +
                       number(static_cast<std::uint32_t>(parts.size())) + number(0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      file += static_cast<char>(sequences[i].first.size());
      file += sequences[i].first;
      const auto low = static_cast<std::uint32_t>(offsets[i]);
      if (options_.version == 0) file += number(low);
      if (options_.version == 1)
        file += options_.swapped ? number(0) + number(low) : number(low) + number(0);
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      file += parts[options_.backwards ? parts.size() - 1 - i : i];
    return file;
  }

  std::string number(std::uint32_t value) const {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    if (options_.swapped) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }

 private:
  template <class IsInside>
  std::string intervals(const std::string& bases, const IsInside& is_inside) const {
    std::string begins, sizes;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < bases.size(); ++count) {
      while (i < bases.size() && !is_inside(bases[i]))
        ++i;
      if (i == bases.size()) break;
      std::size_t end = i;
      while (end < bases.size() && is_inside(bases[end]))
        ++end;
      begins += number(static_cast<std::uint32_t>(i));
      sizes += number(static_cast<std::uint32_t>(end - i));
      i = end;
    }
    return number(count) + begins + sizes;
  }

  std::string packed(const std::string& bases) const {
    constexpr std::string_view codes = "TCAG";
    const auto upper = [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; };
    std::string part = number(static_cast<std::uint32_t>(bases.size()));
    part += intervals(bases, [&](char c) { return codes.find(upper(c)) == codes.npos; });
    part += intervals(bases, [](char c) { return c >= 'a'; });
    part += number(0);
    std::string bytes((bases.size() + 3) / 4, '\0');
    for (std::size_t i = 0; i < bases.size(); ++i) {
      const std::size_t code = codes.find(upper(bases[i]));
      if (code == codes.npos) continue;
      bytes[i / 4] =
          static_cast<char>(static_cast<unsigned char>(bytes[i / 4]) | code << (6 - 2 * (i % 4)));
    }
    return part + bytes;
  }

  TwoBitOptions options_;
};

inline std::string two_bit_bytes(const std::vector<std::pair<std::string, std::string>>& sequences,
                                 const TwoBitOptions& options = {}) {
  return TwoBitWriter(options)(sequences);
}

/// Writes SAM as the format that `mode` names: "wb" for BAM, "wc" for CRAM. `reference` is the
/// FASTA file of CRAM; without one, CRAM holds the symbols themselves.
inline void write_alignments(const std::string& path, const std::string& sam, const char* mode,
                             const std::string& reference = {}) {
  const int fd = memfd_create("sam", MFD_CLOEXEC);
  REQUIRE(write(fd, sam.data(), sam.size()) == static_cast<ssize_t>(sam.size()));
  samFile* in = sam_open(("/proc/self/fd/" + std::to_string(fd)).c_str(), "r");
  REQUIRE(in != nullptr);
  sam_hdr_t* header = sam_hdr_read(in);
  REQUIRE(header != nullptr);
  samFile* out = sam_open(path.c_str(), mode);
  REQUIRE(out != nullptr);
  if (mode[1] == 'c' && reference.empty()) hts_set_opt(out, CRAM_OPT_NO_REF, 1);
  if (!reference.empty()) REQUIRE(hts_set_opt(out, CRAM_OPT_REFERENCE, reference.c_str()) == 0);
  REQUIRE(sam_hdr_write(out, header) == 0);
  bam1_t* line = bam_init1();
  while (sam_read1(in, header, line) >= 0)
    REQUIRE(sam_write1(out, header, line) >= 0);
  bam_destroy1(line);
  sam_hdr_destroy(header);
  REQUIRE(sam_close(in) == 0);
  REQUIRE(sam_close(out) == 0);
  close(fd);
}

}  // namespace gsx::testing
