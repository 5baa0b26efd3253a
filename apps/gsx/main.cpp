// gsx: indexes biological sequences and searches them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "arguments.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/mapped_file.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "index/store/index_changed.hpp"
#include "pages/help.hpp"
#include "pages/pages.hpp"
#include "process/process.hpp"
#include "process/session.hpp"

namespace {

using namespace gsx;
using namespace gsx::app;

constexpr const char* description =
    "gsx indexes biological sequences and finds matches in them, exactly or with mismatches.";
constexpr const char* epilogue =
    "gsx COMMAND --help explains a command.\n\n"
    "Examples:\n"
    "  gsx index genome.fa              write genome.gsx\n"
    "  gsx count reads.fq               count each read on both strands\n"
    "  gsx locate reads.fq.gz --bed     find where each read occurs\n"
    "  gsx extract genome.gsx chr1      write a record back, symbol for symbol";

std::string join(int argc, char** argv) {
  std::string line = "gsx";
  for (int i = 1; i < argc; ++i)
    line += ' ' + printable(argv[i]);
  return line;
}

int fail(Session& session, ErrorKind kind, const std::string& what) {
  session.clear_progress();
  std::fprintf(stderr, "error: %s\n", what.c_str());
  return static_cast<int>(kind);
}

/// The same of a failure that bytes of an index may have led to.
int fail_by_chance(Session& session, ErrorKind kind, const std::string& what) {
  if (has_written_map()) return fail(session, ErrorKind::index_corrupt, written_index);
  return fail(session, kind, what);
}

/// Does the work and returns the exit code; reports an error on standard error.
int guarded(Session& session, const std::function<void()>& work) {
  try {
    work();
    return 0;
  } catch (const BrokenPipe&) {
    session.clear_progress();
    end_by_signal(SIGPIPE);
    return 128 + SIGPIPE;
  } catch (const DeviceError& error) {  // a DeviceError ends a run only if a GPU was demanded
    return fail_by_chance(session, error.kind(),
                          error.what() + std::string("; use --device cpu or auto"));
  } catch (const ResourceError& error) {
    return fail_by_chance(session, error.kind(), error.what());
  } catch (const RuntimeError& error) {
    return fail_by_chance(session, error.kind(), error.what());
  } catch (const IndexChangedError& error) {
    return fail(session, error.kind(), error.what());
  } catch (const CorruptIndexError& error) {
    return fail_by_chance(session, error.kind(), error.what());
  } catch (const Error& error) {
    return fail(session, error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    return fail_by_chance(session, ErrorKind::resources, "out of memory");
  } catch (const std::exception& error) {
    return fail_by_chance(session, ErrorKind::runtime, error.what());
  }
}

void print(const std::string& text) {
  Output out("-");
  out.write(text);
  out.commit();
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  handle_signals();
  silence_htslib();

  CLI::App app(description, "gsx");
  app.footer(epilogue);
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "Show this page");
  app.set_version_flag("-V,--version", std::string("gsx " GSX_VERSION))
      ->description("Show the version");
  for (CLI::Option* option : app.get_options())
    option->group("General");
  Session session;
  session.command_line = join(argc, argv);
  Run run;
  add_index_command(app, session, run);
  add_count_command(app, session, run);
  add_locate_command(app, session, run);
  add_mem_command(app, session, run);
  add_ms_command(app, session, run);
  add_filter_command(app, session, run);
  add_offtarget_command(app, session, run);
  add_amplicon_command(app, session, run);
  add_mappability_command(app, session, run);
  add_repeats_command(app, session, run);
  add_neighbors_command(app, session, run);
  add_prefix_command(app, session, run);
  add_merge_command(app, session, run);
  add_extract_command(app, session, run);
  add_sa_command(app, session, run);
  add_bwt_command(app, session, run);
  add_lz77_command(app, session, run);
  add_info_command(app, session, run);
  add_report_command(app, session, run);
  add_verify_command(app, session, run);
  add_bench_command(app, session, run);
  add_doctor_command(app, session, run);
  Pages pages;
  add_help_command(app, pages);
  add_completion_command(app, pages);
  std::optional<std::string> text;
  const int code = guarded(session, [&] {
    text = read_arguments(app, {argv + std::min(argc, 1), argv + argc}, "gsx " GSX_VERSION "\n",
                          pages);
  });
  if (code != 0) return code;
  if (text) return guarded(session, [&] { print(*text); });
  return guarded(session, [&] {
    session.start();
    run(session);
    session.finish();
  });
}
