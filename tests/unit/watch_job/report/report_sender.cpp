#include "scripts/watch-job/report/report_sender.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hora::watch {
namespace {

TEST(ReportSender, AsksForThePlaceUntilItIsFoundAndNoMore) {
    int asked = 0;
    std::vector<std::string> hosts;
    ReportSender sender(
        [&]() -> std::optional<slurm::ReportPlace> {
            if (++asked < 3) {
                return std::nullopt;
            }
            return slurm::ReportPlace{.hosts = {"controller"}, .port = 1, .munge_socket = {}};
        },
        [&](const slurm::Report&, const slurm::ReportPlace& place) {
            hosts.push_back(place.hosts.front());
            return true;
        });
    // The first report may be that of a checkpoint, right after which the watcher is killed.
    EXPECT_EQ(asked, 1) << "before any report";
    EXPECT_FALSE(sender({}));
    EXPECT_TRUE(hosts.empty());
    EXPECT_TRUE(sender({}));
    EXPECT_TRUE(sender({}));
    EXPECT_EQ(asked, 3);
    EXPECT_EQ(hosts, (std::vector<std::string>{"controller", "controller"}));
}

TEST(ReportSender, SaysThatNobodyTookAReport) {
    ReportSender sender([] { return slurm::ReportPlace(); },
                        [](const slurm::Report&, const slurm::ReportPlace&) { return false; });
    EXPECT_FALSE(sender({}));
}

}  // namespace
}  // namespace hora::watch
