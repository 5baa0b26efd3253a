# Debian has neither spdlog nor fmt as a static library; their headers hold all of them.
find_package(Threads REQUIRED)
add_library(spdlog::spdlog INTERFACE IMPORTED)
target_compile_definitions(spdlog::spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
target_link_libraries(spdlog::spdlog INTERFACE Threads::Threads)
