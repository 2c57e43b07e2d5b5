#include "native/system/file_lock.hpp"

#include <unistd.h>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/native/matchers.hpp"
#include "tests/native/temporary_folder.hpp"

using namespace softalign;
using namespace softalign::testing;

TEST_CASE("a lock is held by one at a time, and the second hears by whom") {
    const TemporaryFolder folder;
    {
        const FileLock first(folder / "lock", "'model'");
        CHECK_THROWS_WITH(FileLock(folder / "lock", "'model'"),
                          contains("'model'") && contains(std::to_string(::getpid())));
        const FileLock other(folder / "another", "'another'");
    }
    CHECK(folder.files() == 0);
    const FileLock again(folder / "lock", "'model'");
}

TEST_CASE("the file that a killed process left behind is no lock") {
    const TemporaryFolder folder;
    folder.file("lock", "123456789");
    const FileLock lock(folder / "lock", "'model'");
    CHECK(folder.read("lock") == std::to_string(::getpid()));
}

TEST_CASE("a lock that cannot be made is told") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(FileLock(folder / "missing/lock", "'model'"), contains("missing/lock"));
}
