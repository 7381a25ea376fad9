// Does `hora status` print what stands in tests/golden/status? UPDATE_GOLDEN=1 rewrites it.
#include "libplanner/report/jobs/status.hpp"

#include <gtest/gtest.h>

#include "libplanner/report/text/text_table.hpp"
#include "tests/unit/read/some_status.hpp"
#include "tests/unit/report/golden.hpp"

namespace hora::report {
namespace {

using hora::testing::expect_golden;

StatusView busy() {
    StatusView view{hora::testing::small_status(), 1700000002, 0};
    domain::Status& status = view.status;
    domain::StatusJob rigid;
    rigid.id = 13;
    rigid.squeue_id = "12_1";
    rigid.uid = 1001;
    rigid.name = "a name that is much longer than a column";
    rigid.partition = "gpu";
    rigid.state = "RUNNING";
    rigid.gpus = 2;
    rigid.nodes = 1;
    rigid.requested = 2;
    rigid.min = 2;
    rigid.max = 2;
    rigid.submitted = 1699990000;
    rigid.started = 1699990000;
    rigid.step = 1234;
    rigid.gain = Seconds(-90);
    rigid.ends = 1700000001;
    rigid.held = domain::StatusHold{2, 1, "on fewer it would not end within its time limit"};
    status.jobs.push_back(rigid);
    domain::StatusJob waiting;
    waiting.id = 14;
    waiting.uid = 1002;
    waiting.user = "grace";
    waiting.name = "日本語\x1b[2J";
    waiting.partition = "gpu";
    waiting.state = "PENDING";
    waiting.is_elastic = true;
    waiting.requested = 2;
    waiting.min = 1;
    waiting.max = 8;
    waiting.sizes = "powers";
    waiting.submitted = 1699999999;
    waiting.decision = domain::StatusDecision{1699999999, 1, false, "one GPU will be free"};
    waiting.stays = "pending until 2 GPUs are free; 1 idle of titanx of gpu";
    status.jobs.push_back(waiting);
    status.next.push_back({14, 0, 1, std::nullopt, "job 13 ends"});
    status.next.push_back({14, 1, 2, 1700000000, "its cooldown is over"});
    status.next.push_back({13, 2, 3, std::nullopt, "idle GPUs"});
    status.others_waiting = 1;
    status.others_gpus = 4;
    status.remarks = {"slurmctld did not answer for 12 s"};
    return view;
}

TEST(Status, FitsTheTerminalWhereItCan) {
    for (const std::size_t width : {80U, 90U, 100U, 110U, 200U}) {
        StatusView view = busy();
        view.width = width;
        const std::string text = to_text(view);
        const std::string table = text.substr(text.find("JOB "));
        std::size_t begin = 0;
        for (std::size_t i = 0; i < view.status.jobs.size() + 1; ++i) {
            const std::string line = table.substr(begin, table.find('\n', begin) - begin);
            EXPECT_LE(terminal_width(line), width) << line;
            begin += line.size() + 1;
        }
    }
}

TEST(Status, PrintsWhatItPrinted) {
    expect_golden("status/busy.txt", to_text(busy()));
    expect_golden("status/busy.json", to_json(busy()));
    StatusView narrow = busy();
    narrow.width = 80;
    expect_golden("status/narrow.txt", to_text(narrow));
    StatusView idle{{}, 1700000001, 0};
    idle.status.cluster = "lab";
    idle.status.host = "controller";
    idle.status.operating = "observe";
    idle.status.policy = "hora";
    idle.status.written = 1700000000;
    idle.status.gpus = 1;
    idle.status.idle = 1;
    expect_golden("status/idle.txt", to_text(idle));
    idle.is_part = true;
    expect_golden("status/nobodys.txt", to_text(idle));
}

TEST(Status, ShortensNothingWithoutATerminal) {
    StatusView view{{}, 1700000002, 0};
    domain::StatusJob job;
    job.id = 13;
    job.user = "a-user-with-a-long-name";
    job.name = "pretraining-of-a-large-language-model";
    job.partition = "gpu-with-large-memory";
    job.state = "STAGE_OUT_FAILED";
    job.is_elastic = true;
    job.min = 1;
    job.max = 64;
    job.sizes = "1,2,3,4,6,8,12,16,24,32,48,64";
    view.status.jobs.push_back(job);
    const std::string piped = to_text(view);
    view.width = 200;
    const std::string shown = to_text(view);
    for (const std::string& text : {job.user, job.name, job.partition, job.state, job.sizes}) {
        EXPECT_NE(piped.find("  " + text + "  "), std::string::npos) << text;
        EXPECT_EQ(shown.find(text), std::string::npos) << text;
    }
}

// 100 times 0.29 is a little less than 29.
TEST(Status, ShowsTheWholePercentsThatAreDone) {
    const auto shows = [](double share, const std::string& done) {
        StatusView view{{}, 1700000002, 0};
        domain::StatusJob job;
        job.id = 13;
        job.share = share;
        view.status.jobs.push_back(job);
        return to_text(view).find("  " + done + " ") != std::string::npos;
    };
    for (int percent = 0; percent <= 100; ++percent) {
        EXPECT_TRUE(shows(percent / 100.0, std::to_string(percent) + " %")) << percent;
    }
    EXPECT_TRUE(shows(0.2999, "29 %"));
    EXPECT_TRUE(shows(0.99999, "99 %"));
}

struct Case {
    const char* sentence;
    std::int64_t age;
    double interval;
    bool is_stale;
};

const Case cases[] = {
    {"just written", 0, 5, false},
    {"written a little in the future, for the clocks differ", -30, 5, false},
    {"too far in the future", -31, 5, true},
    {"a slow daemon's clock may be ahead as far as it may be silent", -240, 60, false},
    {"a busy controller makes it wait", 30, 5, false},
    {"too long even for that", 31, 5, true},
    {"a slow daemon may take four of its intervals", 240, 60, false},
    {"and no more", 241, 60, true},
};

TEST(Status, SaysThatItWasWrittenInTheFuture) {
    StatusView view;
    view.status.host = "ctl";
    view.status.written = 1700000000;
    for (const auto& [ahead, words] : {std::pair(7200, true), std::pair(30, false)}) {
        view.now = view.status.written - ahead;
        EXPECT_EQ(to_text(view).find("written 2 h in the future") != std::string::npos, words);
        EXPECT_EQ(to_text(view).find(", 0 s ago") == std::string::npos, words) << to_text(view);
    }
    view.now = view.status.written - 7200;
    EXPECT_EQ(staleness(view),
              "the status of horad on ctl was written 2 h in the future; does its clock differ, or "
              "was the clock set back? 'systemctl status horad' there says whether it is alive");
}

TEST(Status, IsStaleWhenTheDaemonIsSilent) {
    for (const Case& c : cases) {
        SCOPED_TRACE(c.sentence);
        StatusView view;
        view.status.interval = Seconds(c.interval);
        view.status.written = 1700000000;
        view.now = view.status.written + c.age;
        EXPECT_EQ(is_stale(view), c.is_stale);
    }
}

}  // namespace
}  // namespace hora::report
