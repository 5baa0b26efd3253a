// The GPU finds a suffix array or an index wrong exactly when the CPU does, with the same message.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "bytes/output.hpp"
#include "device/fallback.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "device_calls/memory_hog.hpp"
#include "index/store/writer.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/index/fm/bwt_walker.hpp"
#include "kernels/index/fm/device_fm.hpp"
#include "kernels/text/device_text.hpp"
#include "support/gpu.hpp"
#include "support/index_file.hpp"
#include "support/wrong_arrays.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const std::string letters = "ACDEFGHIKLMNPQRSTVWY";

void check_arrays(const Text& text, Random& random, int each) {
  const auto cpu = make_cpu_verifier();
  const auto gpu = make_cuda_verifier(0);
  const TextView view = text.view();
  const auto right = entries_of(build_suffix_array(*make_cpu_backend(), view, {}));
  auto arrays = wrong_arrays(right, view.segments.count, random, each);
  arrays.push_back(right);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    CAPTURE(i);
    for (const PositionWidth width : {PositionWidth::narrow, PositionWidth::wide}) {
      const SuffixArray rows = as_suffix_array(arrays[i], width);
      const auto expected = cpu->find_wrong_row(view, rows, 2);
      REQUIRE(expected.has_value() == (entries_of(rows) != right));
      REQUIRE(gpu->find_wrong_row(view, rows, 2) == expected);
    }
  }
}

/// The file of the index of a text.
IndexFile index_of(const TemporaryFolder& folder, const Text& text, std::uint32_t rate) {
  BuildOptions options;
  options.threads = 2;
  options.sample_rate = rate;
  Output out(folder / "built.gsx");
  write_index(out, text, make_cpu_backend()->build_index(text.view(), options), 2);
  out.commit();
  return IndexFile(folder.read("built.gsx"));
}

/// What a verifier says of an index; empty if it finds nothing wrong.
std::string verdict(Verifier& verifier, const Index& index) {
  try {
    verifier.verify_bwt(index, 2, {});
  } catch (const CorruptIndexError& error) {
    return error.what();
  }
  return {};
}

/// Compares verdicts on an index with random changes, one at a time. Returns how many were found.
int check_index(const Text& text, std::uint32_t rate, Random& random, int damages) {
  const TemporaryFolder folder;
  const auto cpu = make_cpu_verifier();
  const auto gpu = make_cuda_verifier(0);
  const IndexFile whole = index_of(folder, text, rate);
  {
    const Index index = Index::open(folder / "built.gsx", Load::map, 2);
    CHECK(gpu->verify_bwt(index, 2, {}) == cpu->verify_bwt(index, 2, {}));
  }
  int found = 0;
  for (int i = 0; i < damages; ++i) {
    IndexFile file = whole;
    const SectionEntry entry = file.entry(below(random, file.header().sections));
    if (entry.bytes == 0) continue;
    const std::uint64_t at = below(random, entry.bytes);
    CAPTURE(entry.name);
    CAPTURE(at);
    if (i % 3 == 0 && at + 8 <= entry.bytes) {
      file.set(entry.offset + at / 8 * 8, random() >> below(random, 64));
    } else {
      file.bytes[entry.offset + at] ^= static_cast<char>(1 << below(random, 8));
    }
    file.seal();
    folder.write("bad.gsx", file.bytes);
    try {
      const Index index = Index::open(folder / "bad.gsx", Load::map, 2);
      const std::string expected = verdict(*cpu, index);
      REQUIRE(verdict(*gpu, index) == expected);
      found += expected != "";
    } catch (const CorruptIndexError&) {  // refused before any back end sees it
    } catch (const ForeignIndexError&) {
    }
  }
  return found;
}

/// Exchanges two codes of the BWT in the index of a text, and makes its counts right again.
bool walks_on_device(const Text& text, std::uint32_t rate, std::uint64_t a, std::uint64_t b) {
  const auto cpu = make_cpu_backend();
  BuildOptions options;
  options.sample_rate = rate;
  const FmIndex built = cpu->build_index(text.view(), options);
  Buffer<std::uint8_t> codes = build_bwt(*cpu, text.view(), options);
  std::swap(codes[a], codes[b]);
  const WaveletMatrix bwt(
      codes.size(), text.alphabet.bits(),
      [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
        std::copy(codes.begin() + begin, codes.begin() + end, out);
      },
      2);
  FmView fm;
  fm.bwt = bwt.view();
  fm.segments = text.segments.view();
  const auto c_offset = c_offsets_of(fm.bwt, text.alphabet.size(), fm.segments.count);
  fm.c_offset = c_offset.data();
  fm.samples = built.samples().view();
  fm.hole_segments = built.hole_segments().view();
  fm.sampling = RowSampling(rate);
  fm.sigma = text.alphabet.size();
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  const cuda::DeviceText d_text(text.view(), gpu.transfer(2), gpu.stream());
  const cuda::DeviceFm d_fm(fm, gpu.transfer(2), gpu.stream());
  const BwtWalk walk(d_fm.view(d_text.view().segments), d_text.view());
  const auto narrow = cuda::longest_walk(walk, PositionWidth::narrow, gpu.stream());
  CHECK(cuda::longest_walk(walk, PositionWidth::wide, gpu.stream()) == narrow);
  return narrow.has_value();
}

}  // namespace

TEST_CASE("suffix arrays: right ones and all kinds of wrong ones, narrow and wide") {
  GSX_NEED_GPU();
  Random random(51);
  const auto collections = adversarial_collections(6);
  for (std::size_t i = 0; i < collections.size(); i += test_share())
    check_arrays(make_text(collections[i]), random, 4);
  check_arrays(make_text({random_string(random, 900, letters), "AAA"}, SymbolPolicy::protein),
               random, 20);
  check_arrays(make_text({random_string(random, 900, every_symbol()), "a"}, SymbolPolicy::bytes),
               random, 20);
}

TEST_CASE("one wrong pair at every border of a warp and a block") {
  GSX_NEED_GPU();
  Random random(52);
  const auto cpu = make_cpu_verifier();
  const auto gpu = make_cuda_verifier(0);
  const Text text = make_text({random_string(random, 3000, "ACGT"), "ACGTACGT"});
  const auto right = entries_of(build_suffix_array(*make_cpu_backend(), text.view(), {}));
  for (const PositionWidth width : {PositionWidth::narrow, PositionWidth::wide}) {
    for (std::size_t row = 0; row + 1 < right.size(); row += test_share()) {
      auto swapped = right;
      std::swap(swapped[row], swapped[row + 1]);
      const SuffixArray rows = as_suffix_array(swapped, width);
      const auto wrong = gpu->find_wrong_row(text.view(), rows, 2);
      REQUIRE(wrong.has_value());
      REQUIRE(wrong == cpu->find_wrong_row(text.view(), rows, 2));
    }
  }
}

TEST_CASE("a large suffix array with one fault") {
  GSX_NEED_GPU();
  Random random(53);
  const auto cpu = make_cpu_verifier();
  const auto gpu = make_cuda_verifier(0);
  std::vector<std::string> sequences;
  for (std::uint64_t i = 0; i < share_of(40); ++i)
    sequences.push_back(mutated_copies(random, 50000, 2, 1000, "ACGT"));
  const Text text = make_text(sequences);
  BuildOptions options;
  options.threads = 2;
  const auto right = entries_of(build_suffix_array(*make_cpu_backend(), text.view(), options));
  CHECK_FALSE(gpu->find_wrong_row(text.view(), as_suffix_array(right, PositionWidth::narrow), 2));
  CHECK_FALSE(gpu->find_wrong_row(text.view(), as_suffix_array(right, PositionWidth::wide), 2));
  for (std::uint64_t i = 0; i < share_of(8); ++i) {
    auto wrong = right;
    const std::uint64_t row = below(random, right.size() - 1);
    std::swap(wrong[row], wrong[row + 1]);
    const SuffixArray rows = as_suffix_array(wrong, PositionWidth::narrow);
    const auto found = gpu->find_wrong_row(text.view(), rows, 2);
    REQUIRE(found.has_value());
    CHECK(found == cpu->find_wrong_row(text.view(), rows, 2));
  }
}

TEST_CASE("indexes, sound and damaged under right checksums") {
  GSX_NEED_GPU();
  Random random(54);
  int found = 0;
  const int damages = static_cast<int>(share_of(60, 5));
  for (const std::uint32_t rate : {1u, 3u, 16u, 1000000u}) {
    CAPTURE(rate);
    found += check_index(make_text({random_string(random, 30000, "ACGT"), "ACGT", "T"}), rate,
                         random, damages);
    found += check_index(make_text(adversarial_collections(7)[14]), rate, random, damages);
    found += check_index(
        make_text({random_string(random, 26000, letters), "MKV"}, SymbolPolicy::protein), rate,
        random, damages);
    found +=
        check_index(make_text({random_string(random, 3000, every_symbol())}, SymbolPolicy::bytes),
                    rate, random, damages);
  }
  if (full_tests()) CHECK(found > 100);
}

TEST_CASE("indexes of every kind of text are right") {
  GSX_NEED_GPU();
  Random random(55);
  const auto collections = adversarial_collections(8);
  for (std::size_t i = 0; i < collections.size(); i += test_share()) {
    for (const std::uint32_t rate : {1u, 5u, 64u})
      check_index(make_text(collections[i]), rate, random, 0);
  }
}

TEST_CASE("two exchanged symbols of the BWT are found, with 32-bit and 64-bit positions") {
  GSX_NEED_GPU();
  Random random(56);
  for (const std::uint32_t rate : {1u, 16u, 1000u}) {
    const Text text = make_text({random_string(random, 40000, "ACGT"), std::string(500, 'A')});
    CHECK(walks_on_device(text, rate, 7, 7));
    const auto codes = build_bwt(*make_cpu_backend(), text.view(), {});
    for (std::uint64_t i = 0; i < share_of(20, 2); ++i) {
      const std::uint64_t a = below(random, codes.size()), b = below(random, codes.size());
      CHECK(walks_on_device(text, rate, a, b) == (codes[a] == codes[b]));
    }
  }
}

TEST_CASE("without room on the GPU: cuda says what is missing, auto takes the CPU") {
  GSX_NEED_GPU();
  Random random(57);
  const Text text = make_text({random_string(random, share_of(20'000'000, 8'000'000), "ACGT")});
  const TemporaryFolder folder;
  const auto cpu = make_cpu_verifier();
  BuildOptions options;
  options.threads = 4;
  const SuffixArray rows = build_suffix_array(*make_cpu_backend(), text.view(), options);
  {
    Output out(folder / "g.gsx");
    write_index(out, text, make_cpu_backend()->build_index(text.view(), options), 4);
    out.commit();
  }
  const Index index = Index::open(folder / "g.gsx", Load::map, 4);
  const auto gpu = make_cuda_verifier(0);
  const auto either = make_fallback_verifier(make_cuda_verifier(0), make_cpu_verifier());
  {
    const MemoryHog hog(std::size_t{4} << 20);
    CHECK_THROWS_AS(gpu->find_wrong_row(text.view(), rows, 2), ResourceError);
    CHECK_THROWS_AS(gpu->verify_bwt(index, 2, {}), ResourceError);
    CHECK_FALSE(either->find_wrong_row(text.view(), rows, 2).has_value());
    CHECK(either->name().ends_with(", then cpu"));
    CHECK(verdict(*either, index) == "");
    CHECK(either->name().ends_with(", then cpu"));
  }
  CHECK_FALSE(gpu->find_wrong_row(text.view(), rows, 2).has_value());
  CHECK(verdict(*gpu, index) == "");
}
