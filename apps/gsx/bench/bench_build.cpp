// gsx bench: building.
#include "bench/bench.hpp"
#include "device/products.hpp"
#include "index/bwt/bwt.hpp"

namespace gsx::app {
namespace {

/// The row of a build. Its traffic is the bytes of input and result, per second.
template <class Build>
Row measure_build(const std::string& work, const Text& text, int repeat, const Build& build) {
  std::uint64_t result = 0;
  Row row = measure(work, static_cast<double>(text.length()), "symbols/s", repeat,
                    [&] { result = build(); });
  row.traffic = {static_cast<double>(text.symbols.bytes().size() + result) / row.seconds, "B/s"};
  return row;
}

std::uint64_t bytes_of(const FmIndex& fm) {
  std::uint64_t bytes = fm.samples().bytes().size() + fm.kmers().bounds().bytes().size();
  for (const QuadVector& level : fm.wavelet().levels())
    bytes += level.blocks().bytes() + level.superblocks().bytes();
  return bytes;
}

}  // namespace

void bench_builds(const BenchOptions& options, Backend& backend, const Text& text, Session& session,
                  Report& report) {
  BuildOptions build;
  build.threads = session.threads;
  const TextView view = text.view();
  const std::uint64_t entry = is_wide(text.length(), PositionWidth::automatic) ? 8 : 4;
  if (options.builds("sa")) {
    report.rows.push_back(measure_build("suffix array", text, options.repeat, [&] {
      return entry * build_suffix_array(backend, view, build).size();
    }));
  }
  if (options.builds("bwt")) {
    report.rows.push_back(measure_build("BWT", text, options.repeat, [&] {
      return std::uint64_t{build_bwt(backend, view, build).size()};
    }));
  }
  if (options.does("inverse")) {
    const Buffer<std::uint8_t> codes = build_bwt(backend, view, build);
    const auto bwt = BwtBytes::with_separators(codes.span(), Bwt::separator);
    Row row = measure("inverse BWT", static_cast<double>(text.length()), "symbols/s",
                      options.repeat, [&] { (void)backend.invert(bwt, build); });
    row.traffic = {2.0 * static_cast<double>(codes.size()) / row.seconds, "B/s"};
    report.rows.push_back(std::move(row));
  }
  if (options.builds("fm")) {
    report.rows.push_back(measure_build("FM-index", text, options.repeat, [&] {
      return bytes_of(backend.build_index(view, build));
    }));
  }
  session.used(backend);
  const auto symbols = static_cast<double>(text.length());
  report.rows.push_back(
      {peak_host_memory, 0, static_cast<double>(peak_host_bytes()) / symbols, memory_unit});
  report.rows.push_back({"peak device memory", 0,
                         static_cast<double>(session.peak_device_bytes) / symbols, memory_unit});
}

}  // namespace gsx::app
