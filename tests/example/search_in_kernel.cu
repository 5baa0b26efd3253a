// Counts each suffix of a pattern in a kernel:  search_in_kernel GENOME.fa PATTERN
#include <cstring>
#include <gsx/device.cuh>
#include <iostream>
__managed__ char pattern[1024];
__managed__ std::uint64_t counts[1024];

__global__ void count_suffixes(gsx::DeviceIndexView index) {
  auto rows = index.all();
  for (unsigned i = blockDim.x; i-- > threadIdx.x;)
    rows = index.extend(rows, index.code(pattern[i]));
  counts[threadIdx.x] = rows.count();
}
int main(int, char** argv) {
  const gsx::DeviceIndex index(gsx::build_index(gsx::read_text({argv[1]})));
  std::strncpy(pattern, argv[2], sizeof pattern - 1);
  count_suffixes<<<1, std::strlen(pattern)>>>(index.view());
  cudaDeviceSynchronize();
  for (std::size_t i = 0; pattern[i] != '\0'; ++i)
    std::cout << pattern + i << '\t' << counts[i] << '\n';
}
