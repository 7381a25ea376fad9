#include "plugins/slurm/guarded_thread.hpp"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

namespace hora::slurm {
namespace {

TEST(GuardedThread, AnExceptionIsTakenUpByAnotherThread) {
    std::promise<void> failed;
    GuardedThread thread([] { throw std::runtime_error("a bug"); }, [&] { failed.set_value(); });
    failed.get_future().wait();
    EXPECT_THROW(thread.rethrow(), std::runtime_error);
    thread.join();
    GuardedThread good([] {}, [] { FAIL(); });
    good.join();
    EXPECT_NO_THROW(good.rethrow());
}

}  // namespace
}  // namespace hora::slurm
