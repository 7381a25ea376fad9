#include "plugins/spank/srun/other_sruns.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

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

// A program of that name, of job 4711, until the end of its scope.
class OtherSrun {
  public:
    explicit OtherSrun(const char* cluster) {
        EXPECT_NE(mkdtemp(folder_.data()), nullptr);
        const std::string program = folder_ + "/srun";
        std::filesystem::create_symlink("/bin/sleep", program);
        pid_ = fork();
        if (pid_ == 0) {
            setenv("SLURM_JOB_ID", "4711", 1);
            unsetenv("SLURM_CLUSTER_NAME");
            if (cluster != nullptr) {
                setenv("SLURM_CLUSTER_NAME", cluster, 1);
            }
            execl(program.c_str(), "srun", "100", nullptr);
            _exit(127);
        }
    }
    OtherSrun(const OtherSrun&) = delete;
    OtherSrun& operator=(const OtherSrun&) = delete;
    ~OtherSrun() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        std::filesystem::remove_all(folder_);
    }

    // Until then it is a copy of this program.
    void wait_for_exec() const {
        constexpr timespec pause{.tv_sec = 0, .tv_nsec = 2'000'000};
        const auto has_name = [&] {
            std::string name;
            std::ifstream("/proc/" + std::to_string(pid_) + "/comm") >> name;
            return name == "srun";
        };
        for (int tries = 0; tries < 5000 && !has_name(); ++tries) {
            nanosleep(&pause, nullptr);
        }
        ASSERT_TRUE(has_name());
    }

  private:
    std::string folder_ = testing::TempDir() + "hora-srun-XXXXXX";
    pid_t pid_ = 0;
};

TEST(OtherSruns, AnotherOfTheJobIsSeenAndOneOfAnotherClusterIsNot) {
    struct Case {
        const char* cluster;  // of the other one
        const char* job;
        bool is_beside;
    };
    const Case cases[] = {
        {"blue", "4711", true},   {nullptr, "4711", true}, {"red", "4711", false},
        {"bluer", "4711", false}, {"blue", "471", false},
    };
    setenv("SLURM_CLUSTER_NAME", "blue", 1);
    const auto before = std::signal(SIGINT, SIG_DFL);
    for (const Case& one : cases) {
        const OtherSrun other(one.cluster);
        other.wait_for_exec();
        EXPECT_EQ(runs_beside_others(one.job), one.is_beside)
            << (one.cluster != nullptr ? one.cluster : "no cluster") << ", job " << one.job;
    }
    std::signal(SIGINT, before);
    unsetenv("SLURM_CLUSTER_NAME");
}

}  // namespace
}  // namespace hora::spank
