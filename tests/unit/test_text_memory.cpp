// The memory limit of texts that a user of the library makes.
#include <doctest/doctest.h>

#include <string>

#include "gsx/error.hpp"
#include "gsx/index.hpp"
#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("a text beyond its memory limit is refused") {
  const std::string symbols(100'000, 'G');
  const Sequence sequence{"g", symbols};
  const TemporaryFolder folder;
  const std::string file = folder.write("g.fa", ">g\n" + symbols + "\n");
  const ReadTextOptions little{.memory_limit = 1}, much{.memory_limit = std::uint64_t{1} << 44};
  CHECK_THROWS_WITH_AS(make_text({&sequence, 1}, little),
                       doctest::Contains("the memory limit allows 1"), ResourceError);
  CHECK_THROWS_WITH_AS(read_text({file}, little, {}),
                       doctest::Contains("the memory limit allows 1"), ResourceError);
  CHECK(make_text({&sequence, 1}, much).length() == 100'001);
  CHECK(read_text({file}, much, {}).length() == 100'001);
}
