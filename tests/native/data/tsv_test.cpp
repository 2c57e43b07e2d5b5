#include "native/data/tsv.hpp"

#include <zlib.h>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/native/matchers.hpp"
#include "tests/native/temporary_folder.hpp"

using namespace softalign;
using testing::contains;
using testing::starts_with;
using testing::TemporaryFolder;

namespace {

std::string gzipped(const std::string& text) {
    z_stream stream{};
    constexpr int kGzip = 15 + 16;
    REQUIRE(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string result(deflateBound(&stream, text.size()) + 64, '\0');
    std::string input = text;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    result.resize(stream.total_out);
    deflateEnd(&stream);
    return result;
}

/// What is said of a file with these bytes.
std::string refusal(const std::string& bytes) {
    const TemporaryFolder folder;
    const std::string path = folder.file("data.tsv", bytes);
    try {
        read_parallel(path);
    } catch (const Error& error) {
        std::string message = error.what();
        const std::size_t at = message.find(path);
        return at == std::string::npos ? message : message.replace(at, path.size(), "data.tsv");
    }
    return "";
}

}  // namespace

TEST_CASE("lines are cut into source, target and further references") {
    const TemporaryFolder folder;
    const auto pairs = read_parallel(folder.file("a", "The cat\tLe chat\nGo\tVa !\tAllez !\t\nlast\tdernier"));
    REQUIRE(pairs.size() == 3);
    CHECK(pairs[0].source == "The cat");
    CHECK(pairs[0].targets == std::vector<std::string>{"Le chat"});
    CHECK(pairs[1].targets == std::vector<std::string>{"Va !", "Allez !"});
    CHECK(pairs[2].targets == std::vector<std::string>{"dernier"});
}

TEST_CASE("a byte order mark and CRLF are no text") {
    const TemporaryFolder folder;
    const auto pairs = read_parallel(folder.file("a", "\xEF\xBB\xBFGo\tVa\r\nRun\tCours\r\n"));
    REQUIRE(pairs.size() == 2);
    CHECK(pairs[0].source == "Go");
    CHECK(pairs[1].targets.front() == "Cours");
}

TEST_CASE("lines that end with CR alone, as spreadsheets have them, are lines") {
    const TemporaryFolder folder;
    const auto pairs = read_parallel(folder.file("cr.tsv", "a b\tc d\rb a\td c\rc\td\r"));
    REQUIRE(pairs.size() == 3);
    CHECK(pairs[1].source == "b a");
    CHECK(pairs[2].targets.front() == "d");
    CHECK(read_parallel(folder.file("cr.tsv", "a\tb\rc\td")).size() == 2);
    CHECK_THAT(refusal("a\tb\rc\td\r" + std::string(70'000, 'e') + "\tf\ng\th\n"),
               starts_with("data.tsv:3:") && contains("CR"));
    // Within a line of a file that has LF it is a space like others.
    CHECK(read_parallel(folder.file("mixed.tsv", "a\rb\tc\nd\te\n")).size() == 2);
    // The end of the first block falls between CR and LF.
    CHECK(read_parallel(folder.file("crlf.tsv", std::string(65'533, 'a') + "\tb\r\nc\td\r\n")).size() == 2);
}

TEST_CASE("a line without end is refused, gzipped or not, before it fills the memory") {
    const std::string endless = "a\tb\n" + std::string((std::size_t{1} << 24U) + 1, 'x');
    CHECK_THAT(refusal(endless), starts_with("data.tsv:2: the line is longer than 16 MiB"));
    CHECK_THAT(refusal(gzipped(endless)), starts_with("data.tsv:2: the line is longer than 16 MiB"));
}

TEST_CASE("a gzipped file reads like the text in it, whatever its name") {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "source " + std::to_string(i) + "\ttarget\n";
    const auto pairs = read_parallel(folder.file("a.tsv", gzipped(text)));
    REQUIRE(pairs.size() == 20000);
    CHECK(pairs.back().source == "source 19999");
}

TEST_CASE("a bad file is refused with its name, the line and the reason") {
    CHECK_THAT(refusal("a\tb\nno tab\n"), starts_with("data.tsv:2: missing column"));
    CHECK_THAT(refusal("a\tb\n\nc\td\n"), starts_with("data.tsv:2: missing column"));
    CHECK_THAT(refusal("a\tb\nc\t\xff\n"), starts_with("data.tsv:2: invalid UTF-8"));
    CHECK_THAT(refusal("\tb\n"), starts_with("data.tsv:1: the source column is empty"));
    CHECK_THAT(refusal("a\t \tb\n"), starts_with("data.tsv:1: the target column is empty"));
    CHECK_THAT(refusal(""), starts_with("'data.tsv' is empty"));
    CHECK_THAT(refusal(gzipped("")), starts_with("'data.tsv' is empty"));
}

TEST_CASE("a truncated or damaged gzip is refused, not read as far as it goes") {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "s" + std::to_string(i * 7919) + "\tt\n";
    std::string bytes = gzipped(text);
    CHECK_THAT(refusal(bytes.substr(0, bytes.size() / 2)), contains("truncated"));
    CHECK_THAT(refusal(bytes.substr(0, bytes.size() - 4)), contains("truncated"));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    CHECK_THAT(refusal(bytes), contains("data.tsv:") && !contains("missing column"));
}

TEST_CASE("a missing file and a folder are refused with the system's reason") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(read_parallel(folder / "none"), contains("No such file"));
    CHECK_THROWS_AS(read_parallel(folder / ""), Error);
}
