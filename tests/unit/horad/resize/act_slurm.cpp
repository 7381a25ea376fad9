// Does each restart have a number of its own in the file that keeps its job?
#include "scripts/horad/resize/act_slurm.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

TEST(LiveSlurm, TwoStartsWithinASecondNumberTheirRestartsApart) {
    const tests::ScratchFolder folder;
    const slurm::RestartLocks locks(slurm::restart_locks_folder(folder.path()));
    std::filesystem::create_directory(locks.folder());
    const auto number_of_a_restart = [&] {
        LiveSlurm slurm(folder.path());
        slurm.yield_times(17, 1001);
        const auto lock = locks.of(17, geteuid(), std::time(nullptr));
        return lock ? lock->number : 0;
    };
    const std::uint64_t first = number_of_a_restart();
    EXPECT_NE(first, 0U);
    EXPECT_GT(number_of_a_restart(), first);
}

}  // namespace
}  // namespace hora::horad
