// gsx: indexes biological sequences and searches them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/mapped_file.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "index/store/index_changed.hpp"
#include "pages/help.hpp"
#include "pages/page_parts.hpp"
#include "pages/pages.hpp"
#include "process/process.hpp"
#include "process/session.hpp"

namespace {

using namespace gsx;
using namespace gsx::app;

constexpr const char* description =
    "gsx indexes biological sequences and finds matches in them, exactly or with mismatches.";
constexpr const char* epilogue =
    "gsx COMMAND --help explains a command, gsx help tuning the options that few runs need.\n\n"
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

/// Ends with a failure that bytes of an index may have led to.
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

/// A command, by what adds it to the parser.
struct NamedCommand {
  std::string_view name;
  void (*add)(CLI::App& app, Session& session, Run& run);
};

/// All that do work, in the order of the help.
constexpr NamedCommand commands[] = {
    {"index", add_index_command},
    {"count", add_count_command},
    {"locate", add_locate_command},
    {"mem", add_mem_command},
    {"filter", add_filter_command},
    {"offtarget", add_offtarget_command},
    {"amplicon", add_amplicon_command},
    {"extract", add_extract_command},
    {"mappability", add_mappability_command},
    {"neighbors", add_neighbors_command},
    {"ms", add_ms_command},
    {"repeats", add_repeats_command},
    {"prefix", add_prefix_command},
    {"merge", add_merge_command},
    {"sa", add_sa_command},
    {"bwt", add_bwt_command},
    {"lz77", add_lz77_command},
    {"info", add_info_command},
    {"report", add_report_command},
    {"verify", add_verify_command},
    {"bench", add_bench_command},
    {"doctor", add_doctor_command},
};

/// So many of them are what most users come for; the help lists the others under "More commands".
constexpr std::size_t main_commands = 10;

/// The parser, and what it has read.
class Program {
 public:
  /// With all commands, or with one of them alone, which takes a tenth of the time.
  explicit Program(const NamedCommand* only = nullptr) : app_(description, "gsx") {
    app_.footer(epilogue);
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.set_help_flag("-h,--help", "Show this page");
    app_.set_version_flag("-V,--version", std::string("gsx " GSX_VERSION))
        ->description("Show the version");
    for (CLI::Option* option : app_.get_options())
      option->group("General");
    const std::span all(commands);
    for (const NamedCommand& command : only == nullptr ? all : std::span(only, 1))
      command.add(app_, session_, run_);
    if (only != nullptr) return;
    for (const NamedCommand& command : all.first(main_commands))
      app_.get_subcommand(std::string(command.name))->group(main_group);
    add_help_command(app_, pages_);
    add_completion_command(app_, pages_);
  }
  Program(const Program&) = delete;  // the options refer to it
  Program& operator=(const Program&) = delete;

  /// Returns the page that the arguments ask for; none if they ask for work.
  std::optional<std::string> read(const std::vector<std::string>& arguments) {
    return read_arguments(app_, arguments, pages_);
  }
  std::string help() const { return app_.help(); }
  void work(const std::string& command_line) {
    session_.command_line = command_line;
    session_.start();
    run_(session_);
    session_.finish();
  }
  Session& session() { return session_; }

 private:
  CLI::App app_;
  Session session_;
  Run run_;
  Pages pages_;
};

/// A program with the command that the arguments name, which are right for it; null if they name
/// none of those above, or are wrong: what is said of it then may speak of other commands.
std::unique_ptr<Program> program_of(const std::vector<std::string>& arguments,
                                    std::optional<std::string>& page) {
  const auto* const command = std::ranges::find_if(commands, [&](const NamedCommand& known) {
    return !arguments.empty() && known.name == arguments.front();
  });
  if (command == std::end(commands)) return nullptr;
  auto program = std::make_unique<Program>(command);
  try {
    page = program->read(arguments);
  } catch (const std::exception&) {
    return nullptr;
  }
  return program;
}

int run(const std::vector<std::string>& arguments, const std::string& command_line) {
  std::optional<std::string> page;
  std::unique_ptr<Program> program = program_of(arguments, page);
  if (program == nullptr) {
    program = std::make_unique<Program>();
    if (arguments.empty()) std::fprintf(stderr, "%s\n", program->help().c_str());
    const int code = guarded(program->session(), [&] { page = program->read(arguments); });
    if (code != 0) return code;
  }
  if (page) return guarded(program->session(), [&] { print(*page); });
  return guarded(program->session(), [&] { program->work(command_line); });
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  handle_signals();
  silence_htslib();
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (!asks_for_version(arguments)) return run(arguments, join(argc, argv));
  Session session;
  return guarded(session, [] { print("gsx " GSX_VERSION "\n"); });
}
