// How gsx handles what it gets from the system: standard streams, signals and memory.
#pragma once

#include <string>

namespace gsx::app {

/// Opens descriptors 0, 1 and 2 if they are closed, so that using them fails. Otherwise the next
/// file opened would get such a number, and with it the data of a standard stream.
void open_standard_streams();

/// From now on, htslib writes no messages of its own to standard error: errors are reported anyway.
void silence_htslib();

/// From now on, any signal that ends the program and can be caught removes its temporary files
/// first, unless the signal is ignored (nohup). A closed pipe and a file size limit become errors
/// of the write. An index that loses its pages while mapped, or is written to so that a wrong
/// address is read, ends the program with an error line.
void handle_signals();

/// What an error line says of an index that was written to, whatever failed because of it.
inline constexpr const char* written_index =
    "the index was written to while it was in use; run the command again, and replace an index by "
    "renaming a new file to its name (as gsx index does), not by copying over it";

/// Raises the limit of open files, so far as the system lets the program, so that `files` more may
/// be open than a run without them has.
void allow_open_files(std::uint64_t files);

/// Ends the program as the signal would have, without leaving temporary files.
void end_by_signal(int signal);

/// From now on, arrays of so many bytes return to the system as soon as they are freed, so that a
/// build takes only the memory that it has planned. Not for searches, unless their memory is
/// limited: the arrays of each batch would be mapped, and their pages zeroed, again and again.
void give_memory_back(int bytes = 4 << 20);
/// give_memory_back() for a run that may take `limit` bytes: what is freed in pieces of memory that
/// stay allocated would add up to half of a small limit.
void give_memory_back_within(std::uint64_t limit);

/// Throws UsageError if the output ("" and "-" are standard output) is a terminal, which `what`,
/// binary data, would garble. `remedy` says what to do instead.
void refuse_terminal(const std::string& output, const std::string& what, const std::string& remedy);

}  // namespace gsx::app
