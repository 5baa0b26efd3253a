// With libFuzzer, GSX_FUZZ_SEEDS=FOLDER writes the seeds of the target to the folder, as a corpus.
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("GSX_FUZZ_SEEDS");
  if (folder == nullptr) return 0;
  int number = 0;
  for (const std::string& seed : gsx::fuzzing::seeds())
    gsx::testing::write_file(std::string(folder) + "/seed" + std::to_string(++number), seed);
  std::exit(0);
}
