#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "libplanner/report/jobs/explanation.hpp"

namespace hora::submit {
namespace {

domain::Decision decision() {
    domain::Decision decision;
    decision.operating = "act";
    decision.options = {{"hora-model", "resnet50"}, {"hora-batch", "64"}};
    decision.partition = "p";
    decision.has_plan = true;
    decision.mode = domain::Mode::sync;
    decision.gpus = 8;
    decision.gpus_if_idle = 12;
    decision.nodes = 2;
    decision.where = "n[1-2]";
    decision.seconds = Seconds(60);
    decision.step_seconds = Seconds(0.25);
    decision.breakdown = {Seconds(0.2), Seconds(0.05), Seconds(0)};
    decision.exchange = {
        .kind = domain::Exchange::ring, .bytes = Bytes(4.12e7), .sample_rate = 0.1};
    decision.uses = {{"titanx", FlopRate(10e12), domain::Bound::compute}};
    decision.rejected = {
        {domain::Mode::independent, 1, "1 x titanx on n1", Seconds(300), "5.0 times as long"}};
    decision.changes = {{"num_tasks", "", "8"}};
    return decision;
}

TEST(Token, IsOneWordAndComesBackTheSame) {
    domain::Decision written = decision();
    written.remark = "a \"quoted\\ remark\n";
    const std::string token = report::to_token(written);
    EXPECT_EQ(token.find_first_of(" \t\n\\"), std::string::npos) << token;
    const auto read = read::find_decision("site=x " + token + " note");
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->mode, domain::Mode::sync);
    EXPECT_EQ((*read)->gpus_if_idle, 12U);
    EXPECT_EQ((*read)->where, "n[1-2]");
    EXPECT_EQ((*read)->rejected.front().where, "1 x titanx on n1");
    EXPECT_EQ((*read)->changes, written.changes);
    EXPECT_EQ((*read)->exchange, written.exchange);
    EXPECT_EQ(report::to_token(**read), token);
}

TEST(Token, KnowsEveryExchange) {
    for (const domain::Exchange kind : {domain::Exchange::ring, domain::Exchange::tree,
                                        domain::Exchange::server, domain::Exchange::hierarchy}) {
        domain::Decision written = decision();
        written.exchange.kind = kind;
        const auto read = read::find_decision(report::to_token(written));
        ASSERT_TRUE(read && *read) << name_of(kind);
        EXPECT_EQ((*read)->exchange, written.exchange) << name_of(kind);
    }
}

TEST(Token, TakesNoRateThatIsNone) {
    for (const double rate : {-0.1, 1.5, 1e300, std::nan("")}) {
        domain::Decision written = decision();
        written.exchange.sample_rate = rate;
        const auto read = read::find_decision(report::to_token(written));
        ASSERT_TRUE(read && *read) << rate;
        EXPECT_EQ((*read)->exchange.sample_rate, 1) << rate;
    }
}

TEST(Token, KeepsTheFormatThatAPlanCountsOn) {
    domain::Decision written = decision();
    written.uses.push_back({"a100", FlopRate(20e12), domain::Bound::memory, true});
    const std::string token = report::to_token(written);
    const auto read = read::find_decision(token);
    ASSERT_TRUE(read && *read);
    EXPECT_FALSE((*read)->uses.front().takes_tf32);
    EXPECT_TRUE((*read)->uses.back().takes_tf32);
    EXPECT_EQ(report::to_token(**read), token);
}

TEST(Token, KeepsWhatWasDoneForThePlaces) {
    domain::Decision written = decision();
    written.placement = {.promise = domain::Promise::guaranteed,
                         .what = "each node's 2 GPUs on one switch",
                         .is_enforced = true,
                         .is_free = false,
                         .wait = Seconds(90),
                         .relaxed = 1'700'000'000};
    const std::string token = report::to_token(written);
    const auto read = read::find_decision(token);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->placement, written.placement);
    EXPECT_EQ(report::to_token(**read), token);
}

TEST(Token, KeepsWhatAStepIsExpectedToWait) {
    domain::Decision written = decision();
    EXPECT_EQ(report::to_token(written).find("late"), std::string::npos);
    written.lateness = domain::Lateness{.waiting = Seconds(0.0125), .bypassed = Seconds(0.008)};
    const std::string token = report::to_token(written);
    const auto read = read::find_decision(token);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->lateness, written.lateness);
    EXPECT_EQ(report::to_token(**read), token);
}

TEST(Token, KeepsThatItWasMadeAnew) {
    domain::Decision written = decision();
    written.replanned = {.when = 1'700'000'000,
                         .times = 3,
                         .from = "8 x titanx on n[1-2]",
                         .why = "no usable nodes can give it any more"};
    const std::string token = report::to_token(written);
    const auto read = read::find_decision(token);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->replanned, written.replanned);
    EXPECT_EQ(report::to_token(**read), token);
    EXPECT_EQ(report::to_token(decision()).find("replanned"), std::string::npos);
}

TEST(Token, OfAnEarlierReleaseSaysNothingOfPlaces) {
    const std::string token = report::to_token(decision());
    EXPECT_EQ(token.find("placement"), std::string::npos);
    const auto read = read::find_decision(token);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->placement, domain::Placement());
}

TEST(Token, StaysWithinItsBound) {
    domain::Decision huge = decision();
    huge.rejected.assign(500, huge.rejected.front());
    huge.changes.assign(500, huge.changes.front());
    EXPECT_LE(report::to_token(huge).size(), report::longest_token);
}

TEST(Token, RefusesWhatIsTornAndPassesOverWhatIsNotOurs) {
    EXPECT_FALSE(read::find_decision("hora={\"version\":1").has_value());
    EXPECT_FALSE(read::find_decision("hora={\"version\":2}").has_value());
    const auto none = read::find_decision("xhora={} note");
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->has_value());
}

TEST(Record, IsNotReadWithANumberThatDoesNotFit) {
    const auto record = nlohmann::json::parse(report::to_record(decision()));
    for (const char* place : {"/submitted", "/snapshot", "/plan/gpus", "/plan/nodes"}) {
        for (const char* number : {"1e30", "-1e30", "0.5", "18446744073709551615", "true"}) {
            auto other = record;
            other.at(nlohmann::json::json_pointer(place)) = nlohmann::json::parse(number);
            EXPECT_FALSE(read::read_record(other.dump())) << place << ": " << number;
        }
    }
}

TEST(Record, IsTheTokenWithMoreRoom) {
    domain::Decision huge = decision();
    EXPECT_EQ("hora=" + report::to_record(huge), report::to_token(huge));
    huge.rejected.assign(100, huge.rejected.front());
    EXPECT_GT(report::to_record(huge).size(), report::longest_token);
    const auto read = read::read_record(report::to_record(huge));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->rejected.size(), 100U);
    huge.rejected.assign(1000, huge.rejected.front());
    EXPECT_LE(report::to_record(huge).size(), report::longest_record);
    const auto cut = read::read_record(report::to_record(huge));
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->changes, huge.changes) << "what was rejected goes first";
}

TEST(Record, IsRefusedWhereItIsTorn) {
    const std::string whole = report::to_record(decision());
    for (const std::size_t size : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
        EXPECT_FALSE(read::read_record(whole.substr(0, size))) << size;
    }
    EXPECT_FALSE(read::read_record(whole + "}"));
    EXPECT_FALSE(read::read_record("{\"version\":2}"));
}

constexpr std::string_view key = "69221a2b-0123456789";

domain::Decision decision_with(const std::string& type, std::uint32_t gpus, std::uint32_t nodes,
                               Seconds step, std::optional<Seconds> seconds) {
    domain::Decision changed = decision();
    changed.uses.front().type = type;
    changed.gpus = gpus;
    changed.nodes = nodes;
    changed.step_seconds = step;
    changed.seconds = seconds;
    return changed;
}

TEST(Word, SaysWhatMattersInFewLetters) {
    EXPECT_EQ(report::to_word(key, decision()),
              "hora=69221a2b-0123456789,act,8xtitanx,2n,sync,step=0.25s,total=60s");
    domain::Decision none = decision();
    none.has_plan = false;
    EXPECT_EQ(report::to_word(key, none), "hora=69221a2b-0123456789,act,none");
}

TEST(Word, IsShortAndComesBackWhateverTheNames) {
    struct Case {
        const char* sentence;
        domain::Decision decision;
        std::string type;  // that comes back
    };
    constexpr std::uint32_t most = 0xffffffffU;
    const Seconds tiny(1.23456789e-300);
    const std::string endless(5000, 'x');
    domain::Decision scattered = decision();
    scattered.where = "n[" + endless + "]";
    scattered.operating = endless;
    domain::Decision untyped = decision();
    untyped.uses.clear();
    const Case cases[] = {
        {"an ordinary plan", decision(), "titanx"},
        {"a type of letters that part words",
         decision_with("a b,c=d\n\"\\|{}", 2, 1, Seconds(1), std::nullopt), "a_b_c_d______"},
        {"a type that looks like a number", decision_with("2x3n", 2, 1, Seconds(1), Seconds(2)),
         "2x3n"},
        {"letters of several bytes", decision_with("\xc3\xa4\xff", 2, 1, Seconds(1), Seconds(2)),
         "___"},
        {"the largest numbers", decision_with("h100", most, most, tiny, tiny), "h100"},
        {"many nodes, and a mode that there is not", scattered, "titanx"},
        {"no type", untyped, "gpu"},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(test.sentence);
        const std::string word = report::to_word(key, test.decision);
        EXPECT_LE(word.size(), report::longest_word) << word;
        EXPECT_EQ(word.find_first_of(" \t\n\"\\'|"), std::string::npos) << word;
        const auto read = read::find_plan_word("JS1:abc= " + word + " note");
        ASSERT_TRUE(read) << word;
        EXPECT_EQ(read->key, key);
        EXPECT_EQ(read->gpus, test.decision.gpus);
        EXPECT_EQ(read->nodes, test.decision.nodes);
        EXPECT_EQ(read->mode, domain::Mode::sync);
        EXPECT_EQ(read->type, test.type);
        EXPECT_EQ(read->seconds.has_value(), test.decision.seconds.has_value());
    }
    const domain::Decision endless_type = decision_with(endless, most, most, tiny, tiny);
    EXPECT_EQ(report::to_word(key, endless_type).size(), report::longest_word);
    EXPECT_TRUE(read::find_plan_word(report::to_word(key, endless_type)));
}

TEST(Word, IsToldFromOthersWords) {
    const char* const others[] = {"",
                                  "xhora=1a,act,none",
                                  "hora=",
                                  "hora=ZZ,act,none",
                                  "hora=../x",
                                  "hora={}",
                                  "hora=1a",
                                  "hora=1a,act,8x,2n",
                                  "hora=1a,act,8xh,2n,sync,step=nans"};
    for (const char* const comment : others) {
        EXPECT_FALSE(read::find_plan_word(comment)) << comment;
    }
    EXPECT_TRUE(read::find_plan_word("hora=mine hora=1a,act,none"));
    const auto both = read::find_decision("a " + report::to_word(key, decision()));
    ASSERT_TRUE(both);
    EXPECT_FALSE(*both) << "the whole decision is not in it";
}

TEST(Word, TakesThePlaceOfEitherKind) {
    const std::string word = report::to_word(key, decision());
    const std::string token = report::to_token(decision());
    EXPECT_EQ(report::with_token("JS1:x= " + token + " note", word), "JS1:x= note " + word);
    EXPECT_EQ(report::with_token("JS1:x= " + word + " hora=mine", token),
              "JS1:x= hora=mine " + token);
}

TEST(Explanation, PutsPredictionBesideMeasurement) {
    const report::ExplainedJob job{
        .id = "12",
        .name = "train",
        .state = "RUNNING",
        .decision = decision(),
        .measured =
            cost::Measured{
                .steps = 100, .samples = 6400, .spent = Seconds(30), .step_seconds = Seconds(0.3)},
        .is_freed = false,
        .rescales = {}};
    const std::string text = report::to_text(job);
    EXPECT_NE(text.find("plan        8 x titanx on n[1-2], sync: 250 ms a step, 1 min in all"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("measured    300 ms a step over 100 steps, 30 s so far; predicted 250 ms "
                        "(+20 %)"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace hora::submit
