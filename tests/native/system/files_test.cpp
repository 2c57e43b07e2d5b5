#include "native/system/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/native/matchers.hpp"
#include "tests/native/temporary_folder.hpp"

using namespace softalign;
using testing::contains;
using testing::TemporaryFolder;

TEST_CASE("a file is replaced as a whole and nothing is left beside it") {
    const TemporaryFolder folder;
    write_file(folder / "a", "first");
    write_file(folder / "a", std::string("second\0third", 12));
    CHECK(folder.read("a") == std::string("second\0third", 12));
    CHECK(read_text_file(folder / "a").size() == 12);
    CHECK(folder.files() == 1);
}

TEST_CASE("who has the old file open goes on reading the old file") {
    const TemporaryFolder folder;
    std::ifstream before(folder.file("a", "old"));
    write_file(folder / "a", "new");
    std::string text;
    before >> text;
    CHECK(text == "old");
    CHECK(folder.read("a") == "new");
}

TEST_CASE("a write that fails leaves the old file and no other") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "folder");
    CHECK_THROWS_AS(write_file(folder / "missing/a", "x"), Error);
    CHECK_THROWS_AS(write_file(folder / "folder", "x"), Error);
    CHECK(folder.files() == 1);
}

TEST_CASE("files that belong together are all written or none") {
    const TemporaryFolder folder;
    folder.file("a", "old");
    CHECK_THROWS_AS(write_files({{folder / "a", "new"}, {folder / "missing/b", "new"}}), Error);
    CHECK(folder.read("a") == "old");
    CHECK(folder.files() == 1);
    write_files({{folder / "a", "new"}, {folder / "b", "new"}});
    CHECK(folder.read("a") + folder.read("b") == "newnew");
    CHECK(folder.files() == 2);
}

TEST_CASE("a symbolic link stays one, and what it points to is replaced") {
    const TemporaryFolder folder;
    const std::string target = folder.file("target", "old");
    REQUIRE(::symlink("target", (folder / "link").c_str()) == 0);
    write_file(folder / "link", "new");
    CHECK(folder.read("target") == "new");
    CHECK(std::filesystem::is_symlink(folder / "link"));
}

TEST_CASE("a device is written to, not replaced") {
    write_file("/dev/null", "anything");
    CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a file that cannot be read is named, with the reason") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(read_file(folder / "none"), contains("none'") && contains("No such file"));
    CHECK_THROWS_WITH(read_file(folder / ""), contains("Is a directory"));
}
