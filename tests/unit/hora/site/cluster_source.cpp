// Is a cluster file distinguished from a snapshot, wherever it comes from?
#include "scripts/hora/site/cluster_source.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>

#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

constexpr std::string_view cluster = "[[node]]\nname = 'n[1-2]'\ngpu = 'v100'\ncount = 4\n";

TEST(ClusterSource, ReadsAFileThatCanBeReadOnce) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    ASSERT_EQ(::write(ends[1], cluster.data(), cluster.size()),
              static_cast<ssize_t>(cluster.size()));
    ::close(ends[1]);
    const auto loaded = load_cluster(fmt::format("/dev/fd/{}", ends[0]), read::Settings());
    ::close(ends[0]);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->gpus.size(), 8U);
}

TEST(ClusterSource, SaysWhatIsWrongInWhichFile) {
    const tests::ScratchFolder folder;
    struct Case {
        const char* sentence;
        std::string text;
        const char* problem;
    };
    const Case cases[] = {
        {"a snapshot, by its first letter", " \r\n\t{", "JSON"},
        {"nothing", "", "no [[node]] table"},
        {"blanks", " \n", "no [[node]] table"},
        {"a cluster file, with a comment first", "# {\n[[node]]\n", "\"name\""},
    };
    for (const Case& row : cases) {
        folder.write("cluster", row.text);
        const auto loaded = load_cluster(folder.file("cluster"), read::Settings());
        ASSERT_FALSE(loaded) << row.sentence;
        for (const std::string& part : {folder.file("cluster"), std::string(row.problem)}) {
            EXPECT_NE(loaded.error().message.find(part), std::string::npos)
                << row.sentence << ": " << loaded.error().message;
        }
    }
    const auto missing = load_cluster("no-such-file.toml", read::Settings());
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message,
              "cannot open \"no-such-file.toml\": No such file or directory");
}

}  // namespace
}  // namespace hora::scripts
