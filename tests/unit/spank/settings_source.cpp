// Which settings hold, by the arguments in plugstack.conf and the file?
#include "plugins/spank/settings_source.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugins/spank/slurm_spank.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace {

std::vector<std::string> errors;

}  // namespace

// Slurm's log.
extern "C" void slurm_error(const char* format, ...) {
    std::array<char, 1024> line{};
    va_list values;
    va_start(values, format);
    std::vsnprintf(line.data(), line.size(), format, values);
    va_end(values);
    errors.emplace_back(line.data());
}

namespace hora::spank {
namespace {

SettingsSource source_of(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    errors.clear();
    return SettingsSource::from_arguments(static_cast<int>(arguments.size()), arguments.data());
}

TEST(SettingsSource, IsTheSitesFileWhereNothingIsSaid) {
    const SettingsSource source = source_of({});
    EXPECT_EQ(source.file, HORA_SYSCONFDIR "/hora.toml");
    EXPECT_FALSE(source.helper || source.watcher || source.mpi_library);
    EXPECT_TRUE(errors.empty());
}

TEST(SettingsSource, TakesWhatTheArgumentsSay) {
    const SettingsSource source =
        source_of({"settings=/a/hora.toml", "helper=/a/read", "watcher=", "mpi-library=/a/mpi.so"});
    EXPECT_EQ(source.file, "/a/hora.toml");
    EXPECT_EQ(source.helper, "/a/read");
    EXPECT_EQ(source.watcher, "") << "which stands for none";
    EXPECT_EQ(source.mpi_library, "/a/mpi.so");
    EXPECT_TRUE(errors.empty());
}

TEST(SettingsSource, NamesAnArgumentThatItDoesNotKnowAndTakesTheOthers) {
    const SettingsSource source = source_of({"setting=/a", "Helper=/b", "watcher=/c"});
    EXPECT_EQ(source.file, HORA_SYSCONFDIR "/hora.toml");
    EXPECT_FALSE(source.helper);
    EXPECT_EQ(source.watcher, "/c");
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0],
              "hora: plugstack.conf: unknown argument \"setting=/a\"; use settings=FILE, "
              "helper=PROGRAM, watcher=PROGRAM or mpi-library=FILE");
    EXPECT_NE(errors[1].find("\"Helper=/b\""), std::string::npos);
}

class SettingsFile : public testing::Test {
  protected:
    ComputeSettings load(std::vector<std::string> words) {
        words.push_back("settings=" + folder_.file("hora.toml"));
        return source_of(std::move(words)).load();
    }

    const tests::ScratchFolder folder_;
};

TEST_F(SettingsFile, YieldsToTheArguments) {
    folder_.write("hora.toml", "[model]\nreader = \"/f/read\"\n");
    const ComputeSettings by_file = load({});
    EXPECT_EQ(by_file.reader, "/f/read");
    EXPECT_EQ(by_file.watcher, ComputeSettings().watcher);
    EXPECT_EQ(by_file.file, folder_.file("hora.toml"));
    const ComputeSettings by_argument =
        load({"helper=/a/read", "watcher=", "mpi-library=/a/mpi.so"});
    EXPECT_EQ(by_argument.reader, "/a/read");
    EXPECT_EQ(by_argument.watcher, "");
    EXPECT_EQ(by_argument.mpi_library, "/a/mpi.so");
    EXPECT_TRUE(errors.empty());
}

TEST_F(SettingsFile, IsNamedIfItIsWrongAndTheDefaultsHold) {
    folder_.write("hora.toml", "[network]\ninterface = \"ib0\"\ncolour = \"red\"\n");
    const ComputeSettings settings = load({"helper=/a/read"});
    EXPECT_EQ(settings.socket_interface, ComputeSettings().socket_interface);
    EXPECT_EQ(settings.reader, "/a/read");
    EXPECT_EQ(settings.file, folder_.file("hora.toml"));
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_NE(errors[0].find(folder_.file("hora.toml")), std::string::npos) << errors[0];
    EXPECT_NE(errors[0].find("; the defaults hold"), std::string::npos) << errors[0];
}

TEST_F(SettingsFile, NeedNotBeThere) {
    EXPECT_EQ(load({}).reader, ComputeSettings().reader);
    EXPECT_TRUE(errors.empty());
}

}  // namespace
}  // namespace hora::spank
