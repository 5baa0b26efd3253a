#!/usr/bin/env python3
"""Checks that the library calls nothing that changes the process that it is in, or speaks for it.

  scripts/check_library.py ARCHIVE.a... [PROGRAM]

Looks with nm at the symbols that the objects of the library take from elsewhere, and with readelf for
code that runs before main, which only the registration of device code may do. PROGRAM handles
signals: if this check does not find that, it is blind. Nor does the library hold parts of the
benchmark. Exit code 1 if something is found.
"""

import re
import subprocess
import sys

FORBIDDEN = {
    "signals": "signal sigaction bsd_signal sigset siginterrupt sigaltstack sigprocmask raise alarm "
               "setitimer timer_create",
    "locale": "setlocale uselocale _ZNSt6locale6globalERKS_",
    "environment": "setenv putenv unsetenv clearenv getenv secure_getenv",
    "allocator": "mallopt malloc_trim",
    "end of the process": "exit _exit _Exit quick_exit abort atexit at_quick_exit on_exit "
                          "_ZSt13set_terminatePFvvE _ZSt15set_new_handlerPFvvE",
    "surroundings": "umask chdir fchdir chroot setrlimit setrlimit64 prlimit setpriority nice prctl "
                    "setpgid setsid sched_setaffinity sched_setscheduler pthread_setname_np "
                    "pthread_setaffinity_np fesetround fesetenv",
    "other processes": "fork vfork system popen posix_spawn execv execve execvp execl execlp",
    "random numbers": "srand rand srandom random srand48 drand48",
    "standard streams": "stdin stdout stderr printf vprintf puts putchar perror __printf_chk "
                        "__vprintf_chk _ZSt4cout _ZSt4cerr _ZSt4clog _ZSt3cin dup2 dup3 "
                        "_ZNSt8ios_base15sync_with_stdioEb",
    "logs": "hts_verbose hts_set_log_level openlog syslog",
    "loggers": r"_ZN6spdlog(9set_level|18set_default_logger|15register_logger|8shutdown|"
               r"14default_logger|7details8registry)\w*",
    "devices": "cudaDeviceSetLimit cudaDeviceReset cudaSetDeviceFlags cudaDeviceSetCacheConfig "
               "cudaDeviceSetMemPool",
}
# In objects that nvcc has made: atexit for the registration, exit in the host's empty halves of
# device functions, getenv in the profiler's hooks that CUB includes.
BY_NVCC = {"atexit", "exit", "getenv"}
ALLOWED = {
    # An error names CUDA_VISIBLE_DEVICES, which the driver has read. Joined sources are named after the first.
    ("device.cpp.o", "getenv"),
    ("background_copy.cpp.o", "getenv"),
    # What was freed is given back to the system before work is refused: no setting changes.
    ("resources.cpp.o", "malloc_trim"),
    ("buffer.cpp.o", "malloc_trim"),
}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def calls(archive):
    """(object, symbol) for all that each object of an archive takes from elsewhere."""
    for line in output_of("nm", "--print-file-name", "--undefined-only", archive).splitlines():
        place, symbol = line.rsplit(None, 2)[0], line.rsplit(None, 1)[1]
        yield place.split(":")[-2 if place.endswith(":") else 1], symbol.split("@")[0]


def faults_of(archive):
    words = {word: what for what, names in FORBIDDEN.items() for word in names.split()}
    patterns = {re.compile(name): what for name, what in words.items() if "(" in name}
    for member, symbol in sorted(set(calls(archive))):
        what = words.get(symbol) or next(
            (what for pattern, what in patterns.items() if pattern.fullmatch(symbol)), None)
        if what is None or (member, symbol) in ALLOWED:
            continue
        if member.endswith(".cu.o") and symbol in BY_NVCC:
            continue
        yield f"{member} refers to {symbol} ({what})"


def early_code(archive):
    """The objects with code that runs before main."""
    member = archive
    for line in output_of("readelf", "--section-headers", "--wide", archive).splitlines():
        if line.startswith("File: "):
            member = line[line.rfind("(") + 1:-1]
        elif re.search(r"\s\.(init_array|ctors)\b", line) and not member.endswith(".cu.o"):
            yield f"{member} runs code before main"


def benchmark_parts(archive):
    """Objects that only the benchmark needs."""
    for member in output_of("ar", "t", archive).splitlines():
        if re.match(r"(synthetic|device_bench|cpu_ceilings|ceilings|query_rates|cuda_bench)", member):
            yield f"{member} is a part of the benchmark"


def main(arguments):
    archives = [argument for argument in arguments if argument.endswith(".a")]
    programs = [argument for argument in arguments if not argument.endswith(".a")]
    if not archives or len(programs) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    faults = []
    for archive in archives:
        faults += [*faults_of(archive), *sorted(set(early_code(archive))), *benchmark_parts(archive)]
    for program in programs:
        if not any(symbol.split("@")[0] == "sigaction" for symbol in
                   output_of("nm", "--undefined-only", "--dynamic", program).split()):
            faults.append(f"{program} handles signals, and nm does not show it")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
