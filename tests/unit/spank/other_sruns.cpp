#include "plugins/spank/other_sruns.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace hora::spank {
namespace {

TEST(OtherSruns, TheOwnWordsStartWithTheProgram) {
    const auto words = own_words();
    ASSERT_TRUE(words);
    ASSERT_FALSE(words->empty());
    EXPECT_TRUE(words->front().ends_with("spank")) << words->front();
}

TEST(OtherSruns, AShellsBackgroundIsToldByItsSignals) {
    const auto before = std::signal(SIGINT, SIG_DFL);
    EXPECT_FALSE(runs_beside_others("no job"));
    std::signal(SIGINT, SIG_IGN);
    EXPECT_TRUE(runs_beside_others("no job"));
    std::signal(SIGINT, before);
}

}  // namespace
}  // namespace hora::spank
