// Which rows of sacct become jobs, and what of each is kept?
#include "libplanner/read/slurm/sacct.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

constexpr const char* columns =
    "JobID|User|Partition|Submit|Eligible|Start|ElapsedRaw|AllocTRES|ReqTRES|State|Timelimit\n";

// "7 ann@p: 2x4 0+10 5" of id, user, partition, nodes and GPUs, submission, length and limit.
std::string text_of(const domain::AccountedJob& job) {
    const auto number = [](Seconds time) {
        return std::to_string(static_cast<long>(time.count()));
    };
    return job.id + " " + job.user + "@" + job.partition + ": " + std::to_string(job.nodes) + "x" +
           std::to_string(job.gpus) + " " + number(job.submitted) + ">" + number(job.started) +
           "+" + number(job.elapsed) + (job.limit ? " limit " + number(*job.limit) : "") +
           (job.has_timed_out ? " timeout" : "") + (job.is_part ? " part" : "");
}

// What the row becomes, or how it is counted.
std::string read_row(const std::string& row) {
    const auto read = read_sacct(columns + row + "\n", "");
    if (!read) {
        return read.error().message;
    }
    std::string text;
    for (const domain::AccountedJob& job : read->jobs) {
        text += text_of(job);
    }
    return text + (read->steps > 0 ? "step" : "") + (read->without_gpus > 0 ? "no GPUs" : "") +
           (read->never_ran > 0 ? "never ran" : "");
}

struct Case {
    const char* sentence;
    const char* row;
    const char* is;
};

const Case cases[] = {
    {"a job", "7|ann|p|100|110|120|30|cpu=8,gres/gpu=8,node=2||COMPLETED|00:10:00",
     "7 ann@p: 2x8 110>120+30 limit 600"},
    {"a time limit that ended it", "7|ann|p|100|100|120|30|gres/gpu=8,node=2||TIMEOUT|00:10:00",
     "7 ann@p: 2x8 100>120+30 limit 600 timeout"},
    {"without a limit nothing ends by one",
     "7|ann|p|100|100|120|30|gres/gpu=8,node=2||TIMEOUT|UNLIMITED", "7 ann@p: 2x8 100>120+30"},
    {"a step", "7.batch|ann|p|100|100|120|30|gres/gpu=8||COMPLETED|", "step"},
    {"a task of an array", "7_3|ann|p|100|100|120|30|gres/gpu=1,node=1||COMPLETED|1",
     "7_3 ann@p: 1x1 100>120+30 limit 60 part"},
    {"a part of a heterogeneous job", "7+1|ann|p|100|100|120|30|gres/gpu=1,node=1||COMPLETED|1",
     "7+1 ann@p: 1x1 100>120+30 limit 60 part"},
    {"no GPUs", "7|ann|p|100|100|120|30|cpu=8,node=2||COMPLETED|1", "no GPUs"},
    {"cancelled before it had any", "7|ann|p|100|100|None|0||cpu=1,gres/gpu=2|CANCELLED|1",
     "never ran"},
    {"nor wanted any", "7|ann|p|100|100|None|0||cpu=1|CANCELLED|1", "no GPUs"},
    {"pending", "7|ann|p|100|100|Unknown|0|gres/gpu=2||PENDING|1", "never ran"},
    {"started and not for a second", "7|ann|p|100|100|120|0|gres/gpu=2||FAILED|1", "never ran"},
    {"more nodes than GPUs", "7|ann|p|100|100|120|30|gres/gpu=2,node=9||COMPLETED|1",
     "7 ann@p: 2x2 100>120+30 limit 60"},
    {"eligible before it was submitted", "7|ann|p|100|50|120|30|gres/gpu=2,node=1||COMPLETED|1",
     "7 ann@p: 1x2 100>120+30 limit 60"},
    {"started before, by a changed clock", "7|ann|p|200|200|120|30|gres/gpu=2,node=1||COMPLETED|1",
     "7 ann@p: 1x2 120>120+30 limit 60"},
    {"a time that is none", "7|ann|p|yesterday|100|120|30|gres/gpu=2||COMPLETED|1",
     "line 2: Submit \"yesterday\" is no time"},
    {"a start that is none", "7|ann|p|100|100|soon|30|gres/gpu=2||COMPLETED|1",
     "line 2: Start \"soon\" is no time"},
    {"a length that is none", "7|ann|p|100|100|120|long|gres/gpu=2||COMPLETED|1",
     "line 2: ElapsedRaw \"long\" is no length of time"},
    {"a limit that is none", "7|ann|p|100|100|120|30|gres/gpu=2||COMPLETED|short",
     "line 2: Timelimit \"short\" is no time limit"},
    {"a count that is none", "7|ann|p|100|100|120|30|gres/gpu=x||COMPLETED|1",
     "line 2: AllocTRES \"gres/gpu=x\" has a count that is no number"},
};

TEST(Sacct, ReadsARow) {
    for (const Case& test : cases) {
        EXPECT_EQ(read_row(test.row), test.is) << test.sentence;
    }
}

std::string ids_of(const Accounting& read) {
    std::string ids;
    for (const domain::AccountedJob& job : read.jobs) {
        ids += job.id + " ";
    }
    return ids;
}

TEST(Sacct, SortsBySubmissionAndKeepsToAPartition) {
    const std::string text = std::string(columns) +
                             "9|ann|p|300|300|300|30|gres/gpu=2||COMPLETED|1\n"
                             "7|ann|q|100|100|120|30|gres/gpu=2||COMPLETED|1\n"
                             "8|ann|p|100|100|110|30|gres/gpu=2||COMPLETED|1\n"
                             "6|ann|p|200|200|220|30|gres/gpu=2||COMPLETED|1\n";
    EXPECT_EQ(ids_of(*read_sacct(text, "")), "7 8 6 9 ") << "of two at once the first row's";
    const auto one = read_sacct(text, "p");
    EXPECT_EQ(ids_of(*one), "8 6 9 ");
    EXPECT_EQ(one->partitions, (std::set<std::string, std::less<>>{"p", "q"}));
    EXPECT_EQ(ids_of(*read_sacct(text, "r")), "");
}

TEST(Sacct, SaysWhichColumnIsMissing) {
    const auto without = read_sacct("JobID|Submit|Start|ElapsedRaw\n7|100|120|30\n", "");
    ASSERT_FALSE(without);
    EXPECT_NE(without.error().message.find("AllocTRES"), std::string::npos);
    const std::string few =
        "AllocTRES|Elapsed|Start|Submit|JobIDRaw\ngres/gpu=2|00:00:30|120|100|7\n";
    EXPECT_EQ(ids_of(*read_sacct(few, "")), "7 ");
    EXPECT_EQ(read_sacct(few, "p").error().message,
              "line 1: has no column Partition to choose from");
    EXPECT_FALSE(read_sacct("", ""));
}

}  // namespace
}  // namespace hora::read
