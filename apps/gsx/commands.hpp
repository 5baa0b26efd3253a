// The subcommands: each registers itself with the parser, and knows how to run.
#pragma once

#include <functional>

#include "options/command_line.hpp"

namespace gsx::app {

struct Session;

/// A parsed subcommand; runs with the session that the parser has filled.
using Run = std::function<void(Session&)>;

/// Sets `run` to `work` if the command line names the command.
void set_work(CLI::App& command, Run& run, const Run& work);

/// Each adds one subcommand to `app`. If the command line names it, it sets `run`.
void add_index_command(CLI::App& app, Session& session, Run& run);
void add_sa_command(CLI::App& app, Session& session, Run& run);
void add_bwt_command(CLI::App& app, Session& session, Run& run);
void add_count_command(CLI::App& app, Session& session, Run& run);
void add_locate_command(CLI::App& app, Session& session, Run& run);
void add_mem_command(CLI::App& app, Session& session, Run& run);
void add_ms_command(CLI::App& app, Session& session, Run& run);
void add_mappability_command(CLI::App& app, Session& session, Run& run);
void add_repeats_command(CLI::App& app, Session& session, Run& run);
void add_neighbors_command(CLI::App& app, Session& session, Run& run);
void add_prefix_command(CLI::App& app, Session& session, Run& run);
void add_filter_command(CLI::App& app, Session& session, Run& run);
void add_offtarget_command(CLI::App& app, Session& session, Run& run);
void add_amplicon_command(CLI::App& app, Session& session, Run& run);
void add_merge_command(CLI::App& app, Session& session, Run& run);
void add_extract_command(CLI::App& app, Session& session, Run& run);
void add_lz77_command(CLI::App& app, Session& session, Run& run);
void add_info_command(CLI::App& app, Session& session, Run& run);
void add_report_command(CLI::App& app, Session& session, Run& run);
void add_verify_command(CLI::App& app, Session& session, Run& run);
void add_bench_command(CLI::App& app, Session& session, Run& run);
void add_doctor_command(CLI::App& app, Session& session, Run& run);

}  // namespace gsx::app
