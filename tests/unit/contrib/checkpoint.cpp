#include "contrib/trainer/checkpoint.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>

#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

const Identity identity{
    .seed = 1, .batch = 64, .samples = 1437, .data_checksum = 7, .parameters = 3, .rate = 0.05};

Checkpoint at_step(std::uint64_t step) {
    return {.step = step,
            .work = 1.5 * static_cast<double>(step),
            .epoch = 3,
            .position = 128,
            .noise = {.signal = 0.25, .noise = 80, .weight = 0.75, .value = 320},
            .epoch_loss = 0.5,
            .last_loss = 0.25,
            .seconds = 2,
            .parameters = {1, 2, static_cast<double>(step)},
            .velocity = {4, 5, 6}};
}

struct Case {
    const char* sentence;
    std::function<void(const tests::ScratchFolder&)> harm;
    std::uint64_t step;  // 0: none is left
    std::size_t skipped;
};

void truncate_newest(const tests::ScratchFolder& folder, std::size_t size) {
    std::filesystem::resize_file(folder.file("checkpoint-0000000020"), size);
}

const Case cases[] = {
    {"the newest is taken", [](const tests::ScratchFolder&) {}, 20, 0},
    {"a truncated one is skipped", [](const tests::ScratchFolder& f) { truncate_newest(f, 100); },
     10, 1},
    {"an empty one is skipped", [](const tests::ScratchFolder& f) { truncate_newest(f, 0); }, 10,
     1},
    {"one flipped bit is seen",
     [](const tests::ScratchFolder& f) {
         std::string bytes = f.read("checkpoint-0000000020");
         bytes[bytes.size() / 2] ^= 1;
         f.write("checkpoint-0000000020", bytes);
     },
     10, 1},
    {"something appended is seen",
     [](const tests::ScratchFolder& f) {
         f.write("checkpoint-0000000020", f.read("checkpoint-0000000020") + "x");
     },
     10, 1},
    {"a file of somebody else is skipped",
     [](const tests::ScratchFolder& f) { f.write("checkpoint-9999999999", "shopping list\n"); }, 20,
     1},
    {"an endless file is skipped",
     [](const tests::ScratchFolder& f) {
         f.write("checkpoint-9999999999", std::string(1 << 20, 'x'));
     },
     20, 1},
    {"a folder of that name is skipped",
     [](const tests::ScratchFolder& f) {
         std::filesystem::create_directory(f.file("checkpoint-3"));
     },
     20, 1},
    {"an unfinished one does not count",
     [](const tests::ScratchFolder& f) { f.write(".unfinished-checkpoint-0000000030", "x"); }, 20,
     0},
    {"with all of them damaged training starts anew",
     [](const tests::ScratchFolder& f) {
         truncate_newest(f, 10);
         f.write("checkpoint-0000000010", "x");
     },
     0, 2},
};

TEST(CheckpointFolder, ResumesFromTheNewestCompleteOne) {
    for (const Case& test : cases) {
        const tests::ScratchFolder scratch;
        const CheckpointFolder folder(scratch.path());
        ASSERT_TRUE(folder.write(at_step(10), identity).has_value());
        ASSERT_TRUE(folder.write(at_step(20), identity).has_value());
        test.harm(scratch);
        std::vector<std::string> skipped;
        const auto found = folder.newest(identity, skipped);
        ASSERT_TRUE(found.has_value()) << test.sentence;
        EXPECT_EQ(skipped.size(), test.skipped) << test.sentence;
        ASSERT_EQ(found->has_value(), test.step != 0) << test.sentence;
        if (test.step != 0) {
            EXPECT_EQ((*found)->step, test.step) << test.sentence;
            EXPECT_EQ((*found)->parameters, at_step(test.step).parameters) << test.sentence;
            EXPECT_EQ((*found)->velocity, at_step(test.step).velocity) << test.sentence;
            EXPECT_EQ((*found)->last_loss, 0.25) << test.sentence;
            EXPECT_EQ((*found)->work, at_step(test.step).work) << test.sentence;
            EXPECT_EQ((*found)->epoch, 3u) << test.sentence;
            EXPECT_EQ((*found)->position, 128u) << test.sentence;
            EXPECT_EQ((*found)->noise, at_step(test.step).noise) << test.sentence;
        }
    }
}

TEST(CheckpointFolder, KeepsNothingOfAnOptimiserWithoutState) {
    const tests::ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path());
    Checkpoint checkpoint = at_step(10);
    checkpoint.velocity.clear();
    ASSERT_TRUE(folder.write(checkpoint, identity).has_value());
    std::vector<std::string> skipped;
    const auto found = folder.newest(identity, skipped);
    ASSERT_TRUE(found.has_value() && found->has_value());
    EXPECT_EQ((*found)->parameters, checkpoint.parameters);
    EXPECT_TRUE((*found)->velocity.empty());
}

// As releases wrote it whose trainers had one batch.
std::string old_checkpoint(std::uint64_t step) {
    std::string bytes = "digits\n1";
    const auto append = [&](const auto& value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    append(identity);
    append(step);
    for (const double value : {0.5, 0.25, 2.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
        append(value);
    }
    append(std::uint64_t{crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size())});
    return bytes;
}

struct OldCase {
    std::uint64_t step;
    std::uint64_t epoch;
    std::uint64_t position;
};

// An epoch of 1437 samples has 22 steps of 64, and one of 29.
const OldCase old_cases[] = {{0, 0, 0}, {1, 0, 64}, {22, 0, 1408}, {23, 1, 0}, {47, 2, 64}};

TEST(CheckpointFolder, ReadsThoseOfTrainingsThatHadOneBatch) {
    for (const OldCase& test : old_cases) {
        const tests::ScratchFolder scratch;
        scratch.write("checkpoint-0000000010", old_checkpoint(test.step));
        std::vector<std::string> skipped;
        const auto found = CheckpointFolder(scratch.path()).newest(identity, skipped);
        ASSERT_TRUE(found.has_value() && found->has_value()) << test.step;
        const Checkpoint& checkpoint = **found;
        EXPECT_EQ(checkpoint.step, test.step);
        EXPECT_EQ(checkpoint.work, static_cast<double>(test.step));
        EXPECT_EQ(checkpoint.epoch, test.epoch) << test.step;
        EXPECT_EQ(checkpoint.position, test.position) << test.step;
        EXPECT_EQ(checkpoint.noise, NoiseScale::State{});
        EXPECT_EQ(checkpoint.epoch_loss, 0.5);
        EXPECT_EQ(checkpoint.last_loss, 0.25);
        EXPECT_EQ(checkpoint.seconds, 2);
        EXPECT_EQ(checkpoint.parameters, (std::vector<double>{1, 2, 3}));
        EXPECT_EQ(checkpoint.velocity, (std::vector<double>{4, 5, 6}));
    }
}

struct ImpossibleCase {
    const char* sentence;
    std::function<void(Checkpoint&)> change;
};

const ImpossibleCase impossible_cases[] = {
    {"behind the last sample", [](Checkpoint& one) { one.position = identity.samples; }},
    {"less than no work", [](Checkpoint& one) { one.work = -1; }},
    {"endless work", [](Checkpoint& one) { one.work = HUGE_VAL; }},
    {"a noise scale that is no number", [](Checkpoint& one) { one.noise.value = std::nan(""); }},
    {"more than the whole weight", [](Checkpoint& one) { one.noise.weight = 2; }},
};

TEST(CheckpointFolder, SkipsWhatNoTrainingCanGoOnFrom) {
    for (const ImpossibleCase& test : impossible_cases) {
        const tests::ScratchFolder scratch;
        const CheckpointFolder folder(scratch.path());
        Checkpoint checkpoint = at_step(10);
        test.change(checkpoint);
        ASSERT_TRUE(folder.write(checkpoint, identity).has_value());
        std::vector<std::string> skipped;
        const auto found = folder.newest(identity, skipped);
        ASSERT_TRUE(found.has_value()) << test.sentence;
        EXPECT_FALSE(found->has_value()) << test.sentence;
        EXPECT_EQ(skipped.size(), 1u) << test.sentence;
    }
}

TEST(CheckpointFolder, RefusesThatOfAnotherTraining) {
    const tests::ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path());
    ASSERT_TRUE(folder.write(at_step(10), identity).has_value());
    Identity other = identity;
    other.seed = 2;
    std::vector<std::string> skipped;
    const auto found = folder.newest(other, skipped);
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().message,
              "the checkpoint \"" + scratch.file("checkpoint-0000000010") +
                  "\" is of another training (seed 1, batch 64, rate 0.05, 1437 samples, 3 "
                  "parameters); use its settings and data, or another folder");
}

TEST(CheckpointFolder, RefusesThatOfALargerNetwork) {
    const tests::ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path());
    Checkpoint large = at_step(10);
    large.parameters.assign(100'000, 1.5);
    large.velocity.clear();
    Identity other = identity;
    other.parameters = large.parameters.size();
    ASSERT_TRUE(folder.write(large, other).has_value());
    std::vector<std::string> skipped;
    const auto found = folder.newest(identity, skipped);
    ASSERT_FALSE(found.has_value());
    EXPECT_NE(found.error().message.find("100000 parameters"), std::string::npos)
        << found.error().message;
    EXPECT_TRUE(skipped.empty());
}

TEST(CheckpointFolder, KeepsTheNewestTwoAndWhatIsNotItsOwn) {
    const tests::ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path());
    scratch.write("checkpoint-9999999999", "not ours");
    for (const std::uint64_t step : {10, 20, 30}) {
        ASSERT_TRUE(folder.write(at_step(step), identity).has_value());
    }
    EXPECT_FALSE(std::filesystem::exists(scratch.file("checkpoint-0000000010")));
    EXPECT_TRUE(std::filesystem::exists(scratch.file("checkpoint-0000000020")));
    EXPECT_TRUE(std::filesystem::exists(scratch.file("checkpoint-0000000030")));
    EXPECT_TRUE(std::filesystem::exists(scratch.file("checkpoint-9999999999")));
}

TEST(CheckpointFolder, AnnouncesStepAndRestartCount) {
    const tests::ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path());
    EXPECT_FALSE(folder.is_announced());
    ASSERT_TRUE(folder.announce(42, "3").has_value());
    EXPECT_EQ(scratch.read("READY"), "42 3\n");
    EXPECT_TRUE(folder.is_announced());
    folder.withdraw();
    EXPECT_FALSE(folder.is_announced());
}

TEST(CheckpointFolder, ClearsAwayWhatAnInterruptedRunLeft) {
    const tests::ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path());
    scratch.write(".unfinished-checkpoint-0000000010", "x");
    scratch.write("READY", "10 0\n");
    ASSERT_TRUE(folder.prepare().has_value());
    EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

// Without the names in it a training would begin anew.
TEST(CheckpointFolder, SaysWhyItCannotBeRead) {
    const tests::ScratchFolder scratch;
    const CheckpointFolder folder(scratch.path());
    ASSERT_TRUE(folder.write(at_step(10), identity).has_value());
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(next);
    const rlimit none_left{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none_left), 0);
    const auto prepared = folder.prepare();
    std::vector<std::string> skipped;
    const auto newest = folder.newest(identity, skipped);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    const std::string why =
        "cannot read the checkpoint folder \"" + scratch.path() + "\": Too many open files";
    ASSERT_FALSE(prepared.has_value());
    EXPECT_EQ(prepared.error().message, why);
    ASSERT_FALSE(newest.has_value());
    EXPECT_EQ(newest.error().message, why);
}

TEST(CheckpointFolder, SaysWhyItCannotWrite) {
    const tests::ScratchFolder scratch;
    const CheckpointFolder folder(scratch.file("gone"));
    const auto written = folder.write(at_step(10), identity);
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().message, "no checkpoint, training goes on: cannot write \"" +
                                           scratch.file("gone/.unfinished-checkpoint-0000000010") +
                                           "\": No such file or directory");
}

}  // namespace
}  // namespace hora::trainer
