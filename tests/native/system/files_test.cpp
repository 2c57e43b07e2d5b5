#include "native/system/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

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

namespace {

std::filesystem::perms permissions_of(const std::string& path) {
    return std::filesystem::status(path).permissions();
}

}  // namespace

TEST_CASE("a file that is replaced keeps its permissions, through a link too") {
    using std::filesystem::perms;
    const TemporaryFolder folder;
    const perms own = perms::owner_read | perms::owner_write;
    const std::string path = folder.file("private", "old");
    std::filesystem::permissions(path, own);
    std::filesystem::create_symlink("private", folder / "link");
    write_file(path, "new");
    CHECK(permissions_of(path) == own);
    write_file(folder / "link", "newer");
    CHECK(permissions_of(path) == own);
    CHECK(folder.read("private") == "newer");

    const std::string shared = folder.file("shared", "old");
    std::filesystem::permissions(shared, perms::all);
    write_files({{shared, "new"}});
    CHECK(permissions_of(shared) == perms::all);
}

TEST_CASE("what a killed writer left is removed, what a living one writes and what others are called is not") {
    const TemporaryFolder folder;
    const pid_t dead = ::fork();
    if (dead == 0) ::_exit(0);
    ::waitpid(dead, nullptr, 0);
    folder.file("a.tmp-" + std::to_string(dead) + "-0", "half");
    folder.file("a.tmp-" + std::to_string(dead) + "-17", "half");
    const std::vector<std::string> others{"a.tmp-" + std::to_string(::getppid()) + "-0", "a.tmp-notes", "a.tmp-1-0x",
                                          "b.tmp-" + std::to_string(dead) + "-0"};
    for (const std::string& name : others) folder.file(name, "kept");
    write_file(folder / "a", "whole");
    CHECK(folder.files() == 1 + others.size());
    for (const std::string& name : others) CHECK(folder.read(name) == "kept");
}

TEST_CASE("the temporary file of a writer that holds its lock stays, whatever its number") {
    const TemporaryFolder folder;
    const std::string name = "a.tmp-" + std::to_string(::getpid()) + "-0";
    const int descriptor = ::open(folder.file(name, "half").c_str(), O_RDWR);
    REQUIRE(::flock(descriptor, LOCK_EX) == 0);
    write_file(folder / "a", "whole");
    CHECK(folder.read(name) == "half");
    ::close(descriptor);
    write_file(folder / "a", "whole");
    CHECK(folder.files() == 1);
}

TEST_CASE("a folder is made with those that it stands in, but not in the place of a file") {
    const TemporaryFolder folder;
    make_folder(folder / "a/b");
    make_folder(folder / "a/b");
    CHECK(std::filesystem::is_directory(folder / "a/b"));
    folder.file("file", "");
    CHECK_THROWS_AS(make_folder(folder / "file"), UsageError);
    CHECK_THROWS_WITH(make_folder(folder / "file/b"), contains("file/b"));
}
