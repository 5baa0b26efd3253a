// CRAM: its reference comes from local files, and from nowhere else.
#include <arpa/inet.h>
#include <htslib/faidx.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <filesystem>

#include "support/packed_files.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// A server that notices whether anybody connects.
class Listener {
 public:
  Listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(socket_, 9) == 0);
    REQUIRE(getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~Listener() { close(socket_); }
  const std::string& url() const { return url_; }
  bool was_called() const {
    pollfd one{.fd = socket_, .events = POLLIN, .revents = 0};
    return poll(&one, 1, 0) != 0;
  }

 private:
  int socket_;
  std::string url_;
};

/// A folder with reads in CRAM, without what it was made of, and where to find that.
struct Place {
  TemporaryFolder folder;
  std::string bases, checksum;
  Listener listener;

  Place() {
    Random random(3);
    bases = random_string(random, 2000, "ACGT");
    folder.write("ref.fa", ">chr\n" + bases + "\n");
    REQUIRE(fai_build((folder / "ref.fa").c_str()) == 0);
    std::string sam = "@HD\tVN:1.6\n@SQ\tSN:chr\tLN:2000\n";
    for (std::size_t i = 0; i < 20; ++i)
      sam += "r" + std::to_string(i) + "\t0\tchr\t" + std::to_string(i * 50 + 1) +
             "\t9\t60M\t*\t0\t0\t" + bases.substr(i * 50, 60) + "\t" + std::string(60, 'I') + "\n";
    write_alignments(folder / "r.cram", sam, "wc", folder / "ref.fa");
    write_alignments(folder / "r.bam", sam, "wb");
    checksum = md5_in_header();
    std::filesystem::create_directories(folder / ("refs/" + checksum.substr(0, 2)));
    folder.write("refs/" + checksum.substr(0, 2) + "/" + checksum.substr(2), bases);
    std::filesystem::create_directories(folder / "elsewhere");
    for (const char* name : {"ref.fa", "ref.fa.fai"})
      std::filesystem::rename(folder / name, folder / (std::string("elsewhere/") + name));
    REQUIRE(run({"index", "-q", "-o", folder / "g.gsx", folder / "elsewhere/ref.fa"}).exit_code ==
            0);
  }

  std::string md5_in_header() const {
    samFile* file = sam_open((folder / "r.cram").c_str(), "r");
    sam_hdr_t* header = sam_hdr_read(file);
    kstring_t found = KS_INITIALIZE;
    REQUIRE(sam_hdr_find_tag_id(header, "SQ", "SN", "chr", "M5", &found) == 0);
    std::string sum = found.s;
    ks_free(&found);
    sam_hdr_destroy(header);
    sam_close(file);
    return sum;
  }

  Outcome count(std::vector<std::string> environment, const Arguments& more = {}) const {
    environment.push_back("HOME=" + folder.path());
    Arguments command = {"count", "-q", "--no-header", "g.gsx", "r.cram"};
    command.insert(command.end(), more.begin(), more.end());
    return run(command, {.folder = folder.path(), .environment = std::move(environment)});
  }
};

void check_refused(const Outcome& outcome) {
  check_failure(outcome, 3,
                {"r.cram: the reads cannot be decoded without the reference", "samtools faidx",
                 "--cram-reference", "gsx fetches nothing"});
}

}  // namespace

TEST_CASE(
    "CRAM takes its reference by option, from REF_CACHE, REF_PATH, or where its header says") {
  const Place place;
  const Outcome want =
      run({"count", "-q", "--no-header", "g.gsx", "r.bam"}, {.folder = place.folder.path()});
  REQUIRE(want.exit_code == 0);
  const std::string places = place.folder / "refs/%2s/%s";
  const auto check = [&](const Outcome& got) {
    CHECK(got.exit_code == 0);
    CHECK(got.out == want.out);
    CHECK(got.err.empty());
  };
  check(place.count({}, {"--cram-reference", "elsewhere/ref.fa"}));
  // A reference that is not there is noticed before the index is opened.
  check_failure(run({"count", "-q", "--device", "cpu", "-x", "none.gsx", "-p", "A",
                     "--cram-reference", "none.fa"}),
                3, {"none.fa"});
  check(place.count({"REF_CACHE=" + places}));
  check(place.count({"REF_PATH=" + places}));
  check(place.count({"REF_PATH=/nonexistent:" + places + ":" + place.listener.url() + "/%s"}));
  std::filesystem::create_directories(
      place.folder /
      (".cache/hts-ref/" + place.checksum.substr(0, 2) + "/" + place.checksum.substr(2, 2)));
  place.folder.write(".cache/hts-ref/" + place.checksum.substr(0, 2) + "/" +
                         place.checksum.substr(2, 2) + "/" + place.checksum.substr(4),
                     place.bases);
  check(place.count({}));
  std::filesystem::remove_all(place.folder / ".cache");
  for (const char* name : {"ref.fa", "ref.fa.fai"})
    std::filesystem::rename(place.folder / (std::string("elsewhere/") + name), place.folder / name);
  check(place.count({}));
  CHECK_FALSE(place.listener.was_called());
}

TEST_CASE("no output replaces the reference of CRAM, or its index") {
  const Place place;
  const std::string fasta = place.folder.read("elsewhere/ref.fa");
  const RunOptions here{.folder = place.folder.path(),
                        .environment = {"HOME=" + place.folder.path()}};
  for (const std::string name : {"elsewhere/ref.fa", "elsewhere/ref.fa.fai"}) {
    const std::vector<Arguments> commands = {{"count", "g.gsx", "r.cram", "-o", name},
                                             {"count", "g.gsx", "r.cram", "--summary", name},
                                             {"count", "g.gsx", "r.cram", "--unmatched", name},
                                             {"locate", "g.gsx", "r.cram", "-o", name},
                                             {"filter", "g.gsx", "r.cram", "--keep", "-o", name},
                                             {"index", "r.cram", "--force", "-o", name},
                                             {"sa", "r.cram", "--text", "-o", name},
                                             {"sa", "r.cram", "--text", "-o", "out", "--lcp", name},
                                             {"bwt", "r.cram", "-o", name},
                                             {"mappability", "r.cram", "-K", "5", "-o", name},
                                             {"repeats", "r.cram", "-o", name},
                                             {"lz77", "r.cram", "--tsv", "-o", name}};
    for (Arguments command : commands) {
      CAPTURE(command[0]);
      CAPTURE(command.back());
      command.insert(command.end(), {"--cram-reference", "elsewhere/ref.fa"});
      check_failure(run(command, here), 2, {"would replace the input", name});
    }
  }
  CHECK(place.folder.read("elsewhere/ref.fa") == fasta);
}

TEST_CASE("verify --against takes the reference of CRAM, too") {
  const Place place;
  const RunOptions here{.folder = place.folder.path(),
                        .environment = {"HOME=" + place.folder.path()}};
  REQUIRE(run({"index", "-q", "-o", "r.gsx", "r.bam"}, here).exit_code == 0);
  check_failure(run({"verify", "-q", "--against", "r.cram", "r.gsx"}, here), 3,
                {"r.cram", "--cram-reference"});
  const Outcome outcome =
      run({"verify", "-q", "--against", "r.cram", "--cram-reference", "elsewhere/ref.fa", "r.gsx"},
          here);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("input") != std::string::npos);
}

TEST_CASE("nothing is fetched from a network for CRAM") {
  const Place place;
  const std::string& url = place.listener.url();
  check_refused(place.count({}));
  // Where htslib would ask a server, this would be on its way.
  check_refused(place.count({"https_proxy=" + url, "http_proxy=" + url, "all_proxy=" + url}));
  for (const std::string& path : {url, url + "/%s", "/nonexistent:" + url + "/%s", "URL=" + url,
                                  "|" + url, url + "/%s:" + place.folder.path() + "/refs/%2s/%s"}) {
    CAPTURE(path);
    check_refused(place.count({"REF_PATH=" + path}));
  }
  check_failure(place.count({}, {"--cram-reference", url + "/ref.fa"}), 3, {"there is no file"});
  CHECK_FALSE(place.listener.was_called());
  CHECK_FALSE(place.folder.has(".cache"));
}

TEST_CASE("a reference without an index gets none from gsx, and a wrong one is noticed") {
  const Place place;
  place.folder.write("bare.fa", ">chr\n" + place.bases + "\n");
  check_failure(place.count({}, {"--cram-reference", "bare.fa"}), 3,
                {"its reference 'bare.fa' has no index; run: samtools faidx"});
  CHECK_FALSE(place.folder.has("bare.fa.fai"));
  place.folder.write("wrong.fa", ">chr\n" + std::string(2000, 'A') + "\n");
  REQUIRE(fai_build((place.folder / "wrong.fa").c_str()) == 0);
  check_failure(place.count({}, {"--cram-reference", "wrong.fa"}), 3,
                {"cannot be decoded: it is damaged, or this is not its reference"});
}
