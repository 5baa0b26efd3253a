// What gsx makes of the surroundings that it is started in: standard streams, signals and memory.
#pragma once

#include <string>

namespace gsx::app {

/// Opens those of descriptors 0, 1 and 2 that are closed, in a way in which using them fails: the
/// next file opened would else take such a number, and get what is meant for a standard stream.
void open_standard_streams();

/// From now on every signal that ends the program, and can be caught, removes its temporary files
/// first, unless the signal is ignored (nohup); a closed pipe and a file size limit are errors of
/// the write; and an index that loses its pages while it is mapped ends the program with an error
/// line.
void handle_signals();

/// Ends the program the way the signal would have, without leaving temporary files.
void end_by_signal(int signal);

/// From now on large arrays go back to the system as soon as they are freed, whatever has been
/// allocated before, so that a build takes the memory that it has planned. Not for searches: the
/// arrays of each batch would be mapped, and their pages zeroed, anew.
void give_memory_back();

/// Throws UsageError when the output of that name ("" and "-" are standard output) is a terminal,
/// which `what`, bytes that are no text, would garble. `remedy` says what to do instead.
void refuse_terminal(const std::string& output, const std::string& what, const std::string& remedy);

}  // namespace gsx::app
