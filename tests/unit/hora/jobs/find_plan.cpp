// Is a plan found wherever it is kept, and otherwise said why not?
#include "scripts/hora/jobs/find_plan.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "libplanner/report/jobs/decision_token.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

domain::Decision decision(const char* remark) {
    domain::Decision decision;
    decision.operating = "act";
    decision.remark = remark;
    return decision;
}

class FindPlanTest : public testing::Test {
  protected:
    FindPlanTest()
        : places_{.spool = slurm::PlanSpool(folder_.file("plans")), .slurm_user = ::geteuid()} {
        std::filesystem::create_directory(folder_.file("plans"));
        auto opened = history::Database::open(folder_.file("history.db"), history::Access::write);
        EXPECT_TRUE(opened);
        database_.emplace(*std::move(opened));
        places_.database = &*database_;
    }

    void spool(const char* key, const std::string& record) const {
        folder_.write(std::string("plans/") + key, record);
    }
    void keep(const char* key, const std::string& record) {
        EXPECT_TRUE(database_->record(
            std::vector<history::KeptPlan>{{.key = key, .when = 1, .record = record}}));
    }
    // The remark of the plan, or why there is none; "": no word of Hora's.
    std::string found(std::string_view comment) const {
        const auto plan = find_plan(comment, places_);
        return !plan ? plan.error().message : *plan ? (*plan)->remark : std::string();
    }

    const tests::ScratchFolder folder_;
    PlanPlaces places_;
    std::optional<history::Database> database_;
};

TEST_F(FindPlanTest, IsTheWholeDecisionOfTheCommentWhereItHasIt) {
    EXPECT_EQ(found("JS1:x " + report::to_token(decision("whole"))), "whole");
    for (const char* const none :
         {"", "JS1:x", "hora=", "hora=../../etc/passwd,act,none", "hora=1a", "xhora=1a,act,none"}) {
        EXPECT_EQ(found(none), "") << none;
    }
    EXPECT_NE(found("hora={\"v\":"), "");
}

TEST_F(FindPlanTest, IsTheRecordOfTheKeyTheWaitingOneFirst) {
    const std::string old = report::to_record(decision("taken"));
    const std::string waiting = report::to_record(decision("waiting"));
    keep("1a", old);
    EXPECT_EQ(found("hora=1a,act,none"), "taken");
    spool("1a", waiting);
    EXPECT_EQ(found("hora=1a,act,none"), "waiting");
    places_.database = nullptr;
    EXPECT_EQ(found("hora=1a,act,none"), "waiting");
}

TEST_F(FindPlanTest, SaysThatNeitherHasIt) {
    EXPECT_EQ(found("hora=1a,act,none"), "the plan \"1a\" is not in horad's database");
    places_.database = nullptr;
    EXPECT_EQ(found("hora=1a,act,none"), "the plan \"1a\" is not in horad's database");
    std::filesystem::remove(folder_.file("plans"));
    EXPECT_EQ(found("hora=1a,act,none"), "the plan \"1a\" is not in horad's database");
}

// One that waits and is not to be trusted is not missing.
TEST_F(FindPlanTest, SaysWhyAWaitingRecordIsNotTaken) {
    const std::string record = report::to_record(decision("waiting"));
    struct Case {
        const char* sentence;
        void (*spoil)(const std::string& file);
        const char* said;
    };
    const Case cases[] = {
        {"others may write it", [](const std::string& file) { ::chmod(file.c_str(), 0666); },
         "can be written by others"},
        {"a link",
         [](const std::string& file) {
             std::filesystem::rename(file, file + ".away");
             std::filesystem::create_symlink(file + ".away", file);
         },
         "is a symbolic link"},
        {"a folder",
         [](const std::string& file) {
             std::filesystem::remove(file);
             std::filesystem::create_directory(file);
         },
         "is not a regular file"},
    };
    for (const Case& row : cases) {
        SCOPED_TRACE(row.sentence);
        for (history::Database* const database :
             {&*database_, static_cast<history::Database*>(nullptr)}) {
            places_.database = database;
            std::filesystem::remove_all(folder_.file("plans"));
            std::filesystem::create_directory(folder_.file("plans"));
            spool("1a", record);
            row.spoil(folder_.file("plans/1a"));
            EXPECT_NE(found("hora=1a,act,none").find(row.said), std::string::npos)
                << found("hora=1a,act,none");
        }
    }
    keep("1a", report::to_record(decision("taken")));
    places_.database = &*database_;
    EXPECT_EQ(found("hora=1a,act,none"), "taken") << "the database has it all the same";
}

TEST_F(FindPlanTest, RefusesRecordsThatAreTornOrStrange) {
    const std::string record = report::to_record(decision("whole"));
    for (const std::string& text :
         {std::string(), record.substr(0, record.size() / 2), std::string("{}"), std::string("[]"),
          std::string("\0", 1), std::string("\xff\xfe"), std::string(100'000, '[')}) {
        spool("1a", text);
        const auto plan = find_plan("hora=1a,act,none", places_);
        EXPECT_FALSE(plan) << text.substr(0, 20);
    }
}

}  // namespace
}  // namespace hora::scripts
