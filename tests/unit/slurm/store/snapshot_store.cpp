#include "plugins/slurm/store/snapshot_store.hpp"

#include <sys/wait.h>

#include <chrono>
#include <ctime>
#include <vector>

#include "tests/unit/slurm/snapshot_place.hpp"

namespace hora::slurm {
namespace {

// What the store reported, to be waited for.
class Reports {
  public:
    SnapshotStore::Report callback() {
        return [this](bool is_good, const std::string& message) {
            const std::lock_guard lock(mutex_);
            list_.emplace_back(is_good, message);
            changed_.notify_all();
        };
    }
    bool wait_for(std::size_t count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(20),
                                 [&] { return list_.size() >= count; });
    }
    std::pair<bool, std::string> at(std::size_t i) {
        const std::lock_guard lock(mutex_);
        return list_.at(i);
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::pair<bool, std::string>> list_;
};

class SnapshotStoreTest : public hora::testing::SnapshotPlace {
  protected:
    static std::int64_t now() { return static_cast<std::int64_t>(std::time(nullptr)); }
    Reports reports_;
};

TEST_F(SnapshotStoreTest, FollowsTheFile) {
    SnapshotStore store(source(), reports_.callback(), Seconds(0.01));
    ASSERT_TRUE(reports_.wait_for(1));
    EXPECT_FALSE(reports_.at(0).first);
    EXPECT_EQ(store.current(), nullptr);
    write(text(now()));
    ASSERT_TRUE(reports_.wait_for(2));
    EXPECT_TRUE(reports_.at(1).first);
    const SharedSnapshot kept = store.current();
    ASSERT_NE(kept, nullptr);
    write("{");
    ASSERT_TRUE(reports_.wait_for(3));
    EXPECT_FALSE(reports_.at(2).first);
    EXPECT_EQ(store.current(), nullptr);
    EXPECT_EQ(kept->cluster.nodes.size(), 2u) << "who has one keeps it";
}

TEST_F(SnapshotStoreTest, EndsAtOnce) {
    const auto start = std::chrono::steady_clock::now();
    {
        SnapshotStore store(source(), reports_.callback(), Seconds(3600));
        ASSERT_TRUE(reports_.wait_for(1));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(SnapshotStoreTest, AForkedChildMayDestroyItsCopy) {
    auto* store = new SnapshotStore(source(), reports_.callback(), Seconds(3600));
    ASSERT_TRUE(reports_.wait_for(1));
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(20);  // a child that hangs dies and fails the test
        delete store;
        ::_exit(0);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    delete store;
}

}  // namespace
}  // namespace hora::slurm
