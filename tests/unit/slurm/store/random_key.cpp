#include "plugins/slurm/store/random_key.hpp"

#include <gtest/gtest.h>

#include <set>

#include "plugins/slurm/store/lock_key.hpp"

namespace hora::slurm {
namespace {

TEST(RandomKey, HasItsDigitsAndIsNoOther) {
    std::set<std::string> keys;
    for (int i = 0; i < 100; ++i) {
        const auto key = random_key(lock_key_length);
        ASSERT_TRUE(key) << key.error().message;
        EXPECT_TRUE(is_lock_key(*key)) << *key;
        keys.insert(*key);
    }
    EXPECT_EQ(keys.size(), 100U);
    EXPECT_EQ(random_key(10)->size(), 10U);
}

}  // namespace
}  // namespace hora::slurm
