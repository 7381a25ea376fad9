// Does the history give back what it was given, newest first, and forget what is old?
#include "scripts/history/database.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scripts/history/schema.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::history {
namespace {

Sample sample(std::uint64_t job, std::int64_t when) {
    return {.of = {.job = job, .submitted = 1700000000, .restarts = 2},
            .uid = 1000,
            .model = "resnet50",
            .device = "a100-40gb",
            .gpus = 8,
            .nodes = 2,
            .where = "n[1-2]",
            .batch = 256,
            .predicted_compute = Seconds(0.25),
            .predicted_exchange = Seconds(0.0625),
            .step = Seconds(0.375),
            .steps = 1200,
            .lost = Seconds(12.5),
            .when = when,
            .late = Seconds(0.03125)};
}

Rescale rescale(std::uint64_t job, double asked) {
    return {.of = {.job = job, .submitted = 1700000000, .restarts = 0},
            .uid = 1000,
            .from = 2,
            .requested = 8,
            .to = 4,
            .why = "two GPUs idle",
            .outcome = "",
            .remark = "",
            .asked = asked,
            .ready = {},
            .started = {},
            .first_step = {},
            .lost = {},
            .step_before = Seconds(0.5),
            .step_after = {}};
}

class DatabaseTest : public ::testing::Test {
  protected:
    DatabaseTest() : database_(*Database::open(folder_.file("history.db"), Access::write)) {}

    std::vector<std::uint64_t> jobs(const Filter& filter) {
        std::vector<std::uint64_t> found;
        const auto samples = database_.samples(filter);
        for (const Sample& each : samples.value()) {
            found.push_back(each.of.job);
        }
        return found;
    }

    tests::ScratchFolder folder_;
    Database database_;
};

TEST_F(DatabaseTest, GivesASampleBackAsItWas) {
    ASSERT_TRUE(database_.record(std::vector{sample(7, 1700000100)}));
    auto reader = Database::open(folder_.file("history.db"), Access::read);
    ASSERT_TRUE(reader) << reader.error().message;
    const auto samples = reader->samples({});
    ASSERT_TRUE(samples);
    ASSERT_EQ(samples->size(), 1U);
    const Sample& found = samples->front();
    const Sample wanted = sample(7, 1700000100);
    EXPECT_EQ(found.of, wanted.of);
    EXPECT_EQ(found.uid, wanted.uid);
    EXPECT_EQ(found.model, wanted.model);
    EXPECT_EQ(found.device, wanted.device);
    EXPECT_EQ(found.gpus, wanted.gpus);
    EXPECT_EQ(found.nodes, wanted.nodes);
    EXPECT_EQ(found.where, wanted.where);
    EXPECT_EQ(found.batch, wanted.batch);
    EXPECT_EQ(found.predicted_compute, wanted.predicted_compute);
    EXPECT_EQ(found.predicted_exchange, wanted.predicted_exchange);
    EXPECT_EQ(found.step, wanted.step);
    EXPECT_EQ(found.steps, wanted.steps);
    EXPECT_EQ(found.lost, wanted.lost);
    EXPECT_EQ(found.late, wanted.late);
    EXPECT_EQ(found.when, wanted.when);
}

TEST_F(DatabaseTest, KeepsTheLatestSampleOfAnIncarnation) {
    Sample later = sample(7, 1700000200);
    later.steps = 2400;
    later.lost = {};
    later.late = {};
    Sample next = sample(7, 1700000300);
    next.of.restarts = 3;
    ASSERT_TRUE(database_.record(std::vector{sample(7, 1700000100), later, next}));
    const auto samples = database_.samples({});
    ASSERT_EQ(samples->size(), 2U);
    EXPECT_EQ((*samples)[0].of.restarts, 3U);
    EXPECT_EQ((*samples)[1].steps, 2400U);
    EXPECT_FALSE((*samples)[1].lost);
    EXPECT_FALSE((*samples)[1].late);
}

TEST_F(DatabaseTest, AnswersWhatWasAskedFor) {
    std::vector<Sample> samples;
    for (std::uint64_t job = 1; job <= 6; ++job) {
        samples.push_back(sample(job, static_cast<std::int64_t>(job) * 100));
        samples.back().uid = job % 2 == 0 ? 1000 : 1001;
    }
    ASSERT_TRUE(database_.record(samples));
    struct Case {
        const char* name;
        Filter filter;
        std::vector<std::uint64_t> wanted;
    };
    const Case cases[] = {
        {"all, newest first", {}, {6, 5, 4, 3, 2, 1}},
        {"of a job", {.job = 3, .uid = {}, .since = {}}, {3}},
        {"of a user", {.job = {}, .uid = 1000, .since = {}}, {6, 4, 2}},
        {"of a user since then", {.job = {}, .uid = 1000, .since = 400}, {6, 4}},
        {"so many", {.job = {}, .uid = {}, .since = {}, .most = 2}, {6, 5}},
        {"of nobody", {.job = {}, .uid = 7, .since = {}}, {}},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(jobs(each.filter), each.wanted) << each.name;
    }
}

TEST_F(DatabaseTest, FindsRowsOfAJobByTheirKey) {
    auto reader = Connection::open(folder_.file("history.db"), Access::read, schema);
    ASSERT_TRUE(reader) << reader.error().message;
    for (const auto& [table, time] : {std::pair("samples", "at"), std::pair("rescales", "asked")}) {
        for (const Filter& filter :
             {Filter{.job = 3, .uid = {}, .since = {}}, Filter{.job = 3, .uid = 1000, .since = 400},
              Filter{.job = {}, .uid = {}, .since = 400}}) {
            auto plan = reader->prepare("EXPLAIN QUERY PLAN " + selection_of(table, time, filter));
            ASSERT_TRUE(plan) << plan.error().message;
            std::string text;
            while (*plan->step()) {
                text += plan->text(3) + "; ";
            }
            EXPECT_EQ(text.find(filter.job ? "SEARCH " + std::string(table) +
                                                 " USING INDEX sqlite_autoindex_" + table
                                           : "SEARCH " + std::string(table) + " USING INDEX " +
                                                 table + "_" + time),
                      0U)
                << text;
            EXPECT_EQ(text.find("SCAN"), std::string::npos) << text;
        }
    }
}

TEST_F(DatabaseTest, FollowsARescaleFromTheWishToTheFirstStep) {
    ASSERT_TRUE(database_.record(rescale(7, 100.5)));
    Rescale done = rescale(7, 100.5);
    done.outcome = "running";
    done.remark = "it got 4 GPUs";
    done.ready = 101.25;
    done.started = 103;
    done.first_step = 104.75;
    done.lost = Seconds(4.25);
    done.step_after = Seconds(0.3125);
    ASSERT_TRUE(database_.record(done));
    ASSERT_TRUE(database_.record(rescale(8, 90)));
    const auto rescales = database_.rescales({});
    ASSERT_EQ(rescales->size(), 2U);
    const Rescale& found = rescales->front();
    EXPECT_EQ(found.of, done.of);
    EXPECT_EQ(found.from, 2U);
    EXPECT_EQ(found.requested, 8U);
    EXPECT_EQ(found.to, 4U);
    EXPECT_EQ(found.why, done.why);
    EXPECT_EQ(found.remark, "it got 4 GPUs");
    EXPECT_EQ(found.outcome, "running");
    EXPECT_EQ(found.asked, 100.5);
    EXPECT_EQ(found.ready, 101.25);
    EXPECT_EQ(found.started, 103);
    EXPECT_EQ(found.first_step, 104.75);
    EXPECT_EQ(found.lost, Seconds(4.25));
    EXPECT_EQ(found.step_before, Seconds(0.5));
    EXPECT_EQ(found.step_after, Seconds(0.3125));
    EXPECT_FALSE((*rescales)[1].ready);
}

TEST_F(DatabaseTest, KeepsEachRescaleOfAStartApart) {
    Rescale first = rescale(7, 100.5);
    first.outcome = "no checkpoint";
    Rescale second = rescale(7, 200.25);
    second.outcome = "done";
    ASSERT_TRUE(database_.record(first));
    ASSERT_TRUE(database_.record(second));
    second.step_after = Seconds(0.3125);
    ASSERT_TRUE(database_.record(second));
    const auto rescales = database_.rescales({});
    ASSERT_EQ(rescales->size(), 2U);
    EXPECT_EQ((*rescales)[0].outcome, "done");
    EXPECT_EQ((*rescales)[0].step_after, Seconds(0.3125));
    EXPECT_EQ((*rescales)[1].outcome, "no checkpoint");
    EXPECT_FALSE((*rescales)[1].step_after);
}

// As the first version wrote it: one rescale a start.
void make_first_version(const std::string& path) {
    sqlite3* raw = nullptr;
    sqlite3_open(path.c_str(), &raw);
    EXPECT_EQ(sqlite3_exec(raw, R"(
        CREATE TABLE samples (
            job INTEGER NOT NULL, submitted INTEGER NOT NULL, restarts INTEGER NOT NULL,
            uid INTEGER NOT NULL, model TEXT NOT NULL, device TEXT NOT NULL,
            gpus INTEGER NOT NULL, nodes INTEGER NOT NULL, place TEXT NOT NULL,
            batch INTEGER NOT NULL, predicted_compute REAL NOT NULL,
            predicted_exchange REAL NOT NULL, step REAL NOT NULL, steps INTEGER NOT NULL,
            lost REAL, at INTEGER NOT NULL,
            PRIMARY KEY (job, submitted, restarts));
        CREATE INDEX samples_at ON samples (at);
        CREATE TABLE rescales (
            job INTEGER NOT NULL, submitted INTEGER NOT NULL, restarts INTEGER NOT NULL,
            uid INTEGER NOT NULL, gpus_from INTEGER NOT NULL, gpus_to INTEGER NOT NULL,
            why TEXT NOT NULL, outcome TEXT NOT NULL, asked REAL NOT NULL, ready REAL,
            started REAL, first_step REAL, lost REAL, step_before REAL, step_after REAL,
            PRIMARY KEY (job, submitted, restarts));
        CREATE INDEX rescales_asked ON rescales (asked);
        INSERT INTO samples VALUES (7, 50, 0, 1000, 'resnet50', 'titanx', 2, 1, 'n1', 64, 0.3,
            0.1, 0.5, 100, NULL, 90);
        INSERT INTO rescales VALUES (7, 50, 0, 1000, 2, 4, 'idle GPUs', 'done', 100.5, 101, 103,
            104.75, 4.25, 0.5, 0.25);
        INSERT INTO rescales VALUES (7, 50, 1, 1000, 4, 4, 'by hand', 'unanswered', 200.5, NULL,
            NULL, NULL, NULL, NULL, NULL);
        PRAGMA application_id = 1215263329; PRAGMA user_version = 1;)",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(raw);
}

TEST(DatabaseOfTheFirstVersion, KeepsWhatItHoldsAndTakesMore) {
    const tests::ScratchFolder folder;
    const std::string path = folder.file("history.db");
    make_first_version(path);
    auto database = Database::open(path, Access::write);
    ASSERT_TRUE(database) << database.error().message;
    ASSERT_EQ(database->samples({})->size(), 1U);
    EXPECT_EQ(database->samples({})->front().late, std::nullopt);
    ASSERT_TRUE(database->record(std::vector{sample(8, 95)}));
    EXPECT_EQ(database->samples({})->front().late, sample(8, 95).late);
    Rescale more = rescale(7, 300);
    more.of = {.job = 7, .submitted = 50, .restarts = 1};
    ASSERT_TRUE(database->record(more));
    const auto rescales = database->rescales({});
    ASSERT_EQ(rescales->size(), 3U);
    EXPECT_EQ((*rescales)[1].outcome, "no checkpoint");
    EXPECT_EQ((*rescales)[1].asked, 200.5);
    EXPECT_EQ((*rescales)[1].requested, std::nullopt);
    EXPECT_EQ((*rescales)[1].remark, "");
    const Rescale& done = (*rescales)[2];
    EXPECT_EQ(done.of, (Incarnation{7, 50, 0}));
    EXPECT_EQ(done.uid, 1000U);
    EXPECT_EQ(done.from, 2U);
    EXPECT_EQ(done.requested, 4U);
    EXPECT_EQ(done.to, 4U);
    EXPECT_EQ(done.why, "idle GPUs");
    EXPECT_EQ(done.started, 103);
    EXPECT_EQ(done.step_after, Seconds(0.25));
    ASSERT_TRUE(database->record(std::vector<KeptPlan>{{"1a", 5, "{}"}}));
    auto reader = Database::open(path, Access::read);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ(*reader->plan("1a"), "{}");
}

TEST_F(DatabaseTest, ForgetsWhatIsOldAndWhatIsTooMuch) {
    for (std::uint64_t job = 1; job <= 6; ++job) {
        ASSERT_TRUE(database_.record(std::vector{sample(job, static_cast<std::int64_t>(job))}));
        ASSERT_TRUE(database_.record(rescale(job, static_cast<double>(job))));
    }
    ASSERT_TRUE(database_.forget(3));
    EXPECT_EQ(jobs({}), (std::vector<std::uint64_t>{6, 5, 4, 3}));
    ASSERT_TRUE(database_.forget(0, 2));
    EXPECT_EQ(jobs({}), (std::vector<std::uint64_t>{6, 5}));
    EXPECT_EQ(database_.rescales({})->size(), 2U);
}

TEST_F(DatabaseTest, KeepsTheFirstPlanOfAKey) {
    ASSERT_TRUE(database_.record(std::vector<KeptPlan>{{"1a", 5, "{\"a\": 'x'}"}, {"1b", 6, ""}}));
    ASSERT_TRUE(database_.record(std::vector<KeptPlan>{{"1a", 7, "another"}}));
    EXPECT_EQ(*database_.plan("1a"), "{\"a\": 'x'}");
    EXPECT_EQ(*database_.plan("1b"), "");
    EXPECT_EQ(*database_.plan("1c"), std::nullopt);
    EXPECT_EQ(*database_.oldest(), 5);
}

TEST_F(DatabaseTest, ForgetsNoPlanOfAJobThatLives) {
    std::vector<KeptPlan> plans;
    for (int i = 0; i < 10; ++i) {
        plans.push_back({"a" + std::to_string(i), 10'000 + i, "{}"});
    }
    ASSERT_TRUE(database_.record(plans));
    const auto left = [&] {
        std::string keys;
        for (const KeptPlan& plan : plans) {
            keys += *database_.plan(plan.key) ? plan.key : std::string();
        }
        return keys;
    };
    const std::vector<std::string> living = {"a1", "a3", "ff"};
    ASSERT_TRUE(database_.forget_plans(10'005, living, 10'020));
    EXPECT_EQ(left(), "a1a3a5a6a7a8a9") << "what is old";
    ASSERT_TRUE(database_.forget_plans(0, living, 10'020, 2));
    EXPECT_EQ(left(), "a1a3a8a9") << "what is too much";
    // A day later the age of what lives begins anew.
    ASSERT_TRUE(database_.forget_plans(0, living, 96'400));
    ASSERT_TRUE(database_.forget_plans(96'400, {}, 96'500));
    EXPECT_EQ(left(), "a1a3");
    const auto more = database_.forget_plans(100'000, {}, 100'000, 50'000, 1);
    ASSERT_TRUE(more);
    EXPECT_TRUE(*more) << "a little at a time";
    EXPECT_EQ(left().size(), 2U);
}

TEST_F(DatabaseTest, KnowsItsOldestRow) {
    EXPECT_EQ(*database_.oldest(), std::nullopt);
    ASSERT_TRUE(database_.record(std::vector{sample(1, 20), sample(2, 30)}));
    EXPECT_EQ(*database_.oldest(), 20);
    ASSERT_TRUE(database_.record(rescale(3, 10.75)));
    EXPECT_EQ(*database_.oldest(), 10);
}

TEST_F(DatabaseTest, ForgetsALittleAtATimeAndGivesTheRoomBack) {
    std::vector<Sample> many;
    for (std::uint64_t job = 1; job <= 5000; ++job) {
        many.push_back(sample(job, static_cast<std::int64_t>(job)));
        many.back().where = std::string(200, 'n');
    }
    ASSERT_TRUE(database_.record(many));
    const auto full = std::filesystem::file_size(folder_.file("history.db"));
    int calls = 1;
    for (auto more = database_.forget(4901, 200000, 1000); more && *more; ++calls) {
        more = database_.forget(4901, 200000, 1000);
    }
    EXPECT_EQ(calls, 5);
    EXPECT_EQ(database_.samples({})->size(), 100U);
    // What could not be given back in these calls is in the next.
    ASSERT_TRUE(database_.forget(4902));
    EXPECT_LT(std::filesystem::file_size(folder_.file("history.db")), full / 4);
}

TEST_F(DatabaseTest, LeavesOutWhatIsNoTimeAndCutsLongTexts) {
    Sample never = sample(1, 1);
    never.step = Seconds(std::nan(""));
    Sample backwards = sample(2, 1);
    backwards.step = Seconds(-1);
    Sample endless = sample(3, 1);
    endless.predicted_compute = Seconds(std::numeric_limits<double>::infinity());
    Sample long_winded = sample(4, 1);
    long_winded.model = std::string(Database::longest_text - 1, 'x') + "\xc3\xa4 and so on";
    ASSERT_TRUE(database_.record(std::vector{never, backwards, endless, long_winded}));
    const auto samples = database_.samples({});
    ASSERT_EQ(samples->size(), 1U);
    EXPECT_EQ(samples->front().model, std::string(Database::longest_text - 1, 'x'));
    Rescale refused = rescale(5, 1);
    refused.remark = std::string(100000, 'x');
    ASSERT_TRUE(database_.record(refused));
    EXPECT_EQ(database_.rescales({})->front().remark.size(), Database::longest_text);
}

TEST_F(DatabaseTest, TakesTextsForTexts) {
    Sample odd = sample(1, 1);
    odd.model = "'); DROP TABLE samples; --";
    ASSERT_TRUE(database_.record(std::vector{odd}));
    EXPECT_EQ(database_.samples({})->front().model, odd.model);
}

TEST_F(DatabaseTest, DoesNotWaitForAReaderForEver) {
    auto reader = Database::open(folder_.file("history.db"), Access::read);
    ASSERT_TRUE(database_.record(std::vector{sample(1, 1)}));
    sqlite3* raw = nullptr;
    sqlite3_open(folder_.file("history.db").c_str(), &raw);
    sqlite3_exec(raw, "BEGIN; SELECT * FROM samples", nullptr, nullptr, nullptr);
    const auto done = database_.record(std::vector{sample(2, 2)});
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("held by another program"), std::string::npos);
    sqlite3_exec(raw, "COMMIT", nullptr, nullptr, nullptr);
    sqlite3_close(raw);
    EXPECT_TRUE(database_.record(std::vector{sample(2, 2)}));
    EXPECT_EQ(jobs({}).size(), 2U);
}

}  // namespace
}  // namespace hora::history
