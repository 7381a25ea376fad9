#include "scripts/watch-job/watch.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <new>

#include "libplanner/read/file.hpp"
#include "tests/unit/sanitized.hpp"
#include "tests/unit/scratch_folder.hpp"
#include "tests/unit/watch_job/shell.hpp"

namespace hora::watch {
namespace {

constexpr std::size_t large = std::size_t{1} << 20;  // as the list of starts is read

// From here on this process gets nothing large, and may have what is small.
void leave_little_memory() {
    void* const spare = std::malloc(large / 8);
    const rlimit none{large, large};
    setrlimit(RLIMIT_AS, &none);
    const void* volatile taken = nullptr;
    do {
        taken = std::malloc(large);
    } while (taken != nullptr);
    std::free(spare);
}

// Ends where it first looks for a later start of the job, before it asks slurmctld.
void watch_in_little_memory(const tests::ScratchFolder& folder, pid_t shell) {
    Options options;
    options.job = 12;
    options.restarts = 2;
    options.shell = shell;
    options.folder = folder.path();
    options.requeues = true;
    leave_little_memory();
    try {
        watch(options);
    } catch (const std::bad_alloc&) {
        _exit(0);
    }
    _exit(1);
}

constexpr const char* ends_by_itself =
    "AddressSanitizer ends a process without memory in its own way";

TEST(Watch, WritesToTheLogOfTheJobThatItRequeuesItNoMore) {
    if (tests::is_sanitized()) {
        GTEST_SKIP() << ends_by_itself;
    }
    const tests::ScratchFolder folder;
    const Shell shell("sleep 100; true");
    shell.wait_for_sleep(2);
    EXPECT_EXIT(watch_in_little_memory(folder, shell.pid()), testing::ExitedWithCode(0), "");
    const std::string log = read::read_file(folder.path() + "/hora.log").value_or("");
    EXPECT_NE(log.find(" start 2: not requeued at any checkpoint from here on: std::bad_alloc\n"),
              std::string::npos)
        << log;
    EXPECT_FALSE(is_stopped(shell.pid()));
}

TEST(Watch, RemovesTheReadyOfAnEarlierStartThatWasCountedAsThisOne) {
    if (tests::is_sanitized()) {
        GTEST_SKIP() << ends_by_itself;
    }
    const struct {
        const char* sentence;
        const char* ready;
        bool stays;
    } cases[] = {
        {"a killed slurmctld has forgotten the start that wrote it", "500 2\n", false},
        {"its start was another by its count", "500 1\n", true},
        {"it is none of the contract's", "soon\n", true},
    };
    for (const auto& row : cases) {
        const tests::ScratchFolder folder;
        folder.append("READY", row.ready);
        const Shell shell("sleep 100; true");
        EXPECT_EXIT(watch_in_little_memory(folder, shell.pid()), testing::ExitedWithCode(0), "")
            << row.sentence;
        EXPECT_EQ(std::filesystem::exists(folder.path() + "/READY"), row.stays) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::watch
