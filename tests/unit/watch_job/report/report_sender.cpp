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

// As a daemon of an earlier Hora takes reports, or one that is down, or lost one.
TEST(ReportSender, SendsWhatIsKnownToADaemonThatWasNotUpdated) {
    enum class Daemon { same, earlier, down, loses_the_first };
    const struct {
        const char* name;
        Daemon daemon;
        std::vector<std::optional<double>> said;
        std::vector<std::optional<double>> sent;  // with these
        bool is_taken;
    } cases[] = {
        {"the same Hora gets the lateness", Daemon::same, {0.5, 0.5}, {0.5, 0.5}, true},
        {"an earlier one gets the rest, and three times the lateness",
         Daemon::earlier,
         {0.5, 0.5, 0.5, 0.5, 0.75},
         {0.5, {}, 0.5, {}, 0.5, {}, {}, 0.75, {}},
         true},
        {"one that lost a report gets it again",
         Daemon::loses_the_first,
         {0.5, 0.5, 0.5},
         {0.5, {}, 0.5, 0.5},
         true},
        {"nothing is left out for it where nothing is late", Daemon::earlier, {{}}, {{}}, true},
        {"one that is down gets it later", Daemon::down, {0.5, 0.5}, {0.5, {}, 0.5, {}}, false},
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        std::vector<std::optional<double>> sent;
        ReportSender sender(
            [] { return slurm::ReportPlace(); },
            [&](const slurm::Report& report, const slurm::ReportPlace&) {
                sent.push_back(report.late ? std::optional(report.late->count()) : std::nullopt);
                return each.daemon == Daemon::same ||
                       (each.daemon == Daemon::earlier && !report.late) ||
                       (each.daemon == Daemon::loses_the_first && sent.size() > 1);
            });
        for (const auto& late : each.said) {
            slurm::Report report;
            report.step = 12;
            report.late = late ? std::optional(Seconds(*late)) : std::nullopt;
            EXPECT_EQ(sender(report), each.is_taken);
        }
        EXPECT_EQ(sent, each.sent);
    }
}

}  // namespace
}  // namespace hora::watch
