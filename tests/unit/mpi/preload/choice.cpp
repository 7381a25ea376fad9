// What do the variables ask of the library?
#include "plugins/mpi/preload/choice.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace hora::mpi {
namespace {

using domain::Allreduce;

struct Case {
    const char* sentence;
    std::map<std::string, std::string> variables;
    Choice choice;
};

const Case cases[] = {
    {"nothing is set", {}, {}},
    {"MPI's own", {{"HORA_ALLREDUCE", "mpi"}}, {}},
    {"no name", {{"HORA_ALLREDUCE", "Ring"}}, {}},
    {"an empty name", {{"HORA_ALLREDUCE", ""}}, {}},
    {"the ring", {{"HORA_ALLREDUCE", "ring"}}, {Allreduce::ring, true, false}},
    {"only what blocks",
     {{"HORA_ALLREDUCE", "ring"}, {"HORA_ALLREDUCE_NONBLOCKING", "mpi"}},
     {Allreduce::ring, false, false}},
    {"the same bits in every run",
     {{"HORA_ALLREDUCE", "ring"}, {"HORA_DETERMINISTIC", "1"}},
     {Allreduce::ring, true, true}},
    {"bits that may differ",
     {{"HORA_ALLREDUCE", "ring"}, {"HORA_DETERMINISTIC", "0"}},
     {Allreduce::ring, true, false}},
    {"additions on threads",
     {{"HORA_ALLREDUCE", "bypass"}, {"HORA_ALLREDUCE_THREAD", "1"}},
     {Allreduce::bypass_to_owner, true, false, true}},
    {"no additions on threads",
     {{"HORA_ALLREDUCE", "bypass"}, {"HORA_ALLREDUCE_THREAD", "0"}},
     {Allreduce::bypass_to_owner, true, false, false}},
    {"a bypass goes to the owner",
     {{"HORA_ALLREDUCE", "bypass"}},
     {Allreduce::bypass_to_owner, true, false}},
    {"a bypass to the owner",
     {{"HORA_ALLREDUCE", "bypass=owner"}},
     {Allreduce::bypass_to_owner, true, false}},
    {"a bypass to the successor",
     {{"HORA_ALLREDUCE", "bypass=successor"}},
     {Allreduce::bypass_to_successor, true, false}},
    {"MPI's own, deterministic or not",
     {{"HORA_ALLREDUCE", "mpi"}, {"HORA_DETERMINISTIC", "1"}},
     {}},
};

TEST(Choice, FollowsFromTheVariables) {
    for (const Case& test : cases) {
        const auto variable = [&](const char* name) {
            const auto found = test.variables.find(name);
            return found == test.variables.end() ? nullptr : found->second.c_str();
        };
        EXPECT_TRUE(read_choice(variable) == test.choice) << test.sentence;
    }
}

TEST(Choice, ThatIsNoNameIsNoticed) {
    EXPECT_TRUE(is_known(nullptr));
    EXPECT_TRUE(is_known("ring"));
    EXPECT_FALSE(is_known("rung"));
    EXPECT_FALSE(is_known(""));
}

TEST(Choice, BitsDoNotDependOnWhatWasMeasured) {
    const MessageTimes measured(
        {{Bytes(0), Seconds(1), Seconds(0)}, {Bytes(1), Seconds(2), Seconds(1)}});
    EXPECT_EQ(settings_of({Allreduce::ring, true, false}, measured).times.latency(), Seconds(1));
    EXPECT_EQ(settings_of({Allreduce::ring, true, true}, measured).times.latency(),
              Settings{}.times.latency());
}

TEST(Choice, GoesAheadOfLateRanksWhereBitsMayDiffer) {
    const MessageTimes times = Settings{}.times;
    EXPECT_FALSE(settings_of({Allreduce::ring, true, false}, times).bypass);
    EXPECT_EQ(settings_of({Allreduce::bypass_to_owner, true, false}, times).bypass,
              LatePartials::to_owner);
    EXPECT_EQ(settings_of({Allreduce::bypass_to_successor, true, false}, times).bypass,
              LatePartials::to_successor);
    EXPECT_FALSE(settings_of({Allreduce::bypass_to_owner, true, true}, times).bypass);
}

}  // namespace
}  // namespace hora::mpi
