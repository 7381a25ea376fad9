#include "libplanner/read/state/status.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "libplanner/report/jobs/status_json.hpp"
#include "tests/unit/read/some_status.hpp"

namespace hora::read {
namespace {

using domain::Status;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from << " is not in " << text;
    return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

TEST(Status, ComesBackAsItWasWritten) {
    EXPECT_TRUE(rc::check([] {
        const Status status = hora::testing::some_status();
        const std::string text = report::to_json(status);
        const auto back = read_status(text);
        if (!back) {
            RC_FAIL(back.error().message + " in " + text);
        }
        RC_ASSERT(*back == status);
    }));
}

TEST(Status, TornTextIsAnError) {
    EXPECT_TRUE(rc::check([] {
        const std::string text = report::to_json(hora::testing::some_status());
        const auto length = *rc::gen::inRange<std::size_t>(0, text.size() - 1);
        RC_ASSERT(!read_status(text.substr(0, length)).has_value());
    }));
}

// Whatever stands in the file, what is read can be shown on a terminal.
TEST(Status, CorruptTextIsAnErrorOrPrintable) {
    EXPECT_TRUE(rc::check([] {
        std::string text = report::to_json(hora::testing::some_status());
        for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
            const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
            text[place] = *rc::gen::oneOf(rc::gen::arbitrary<char>(),
                                          rc::gen::elementOf(std::string("0123456789-,\"[]{}")));
        }
        const auto status = read_status(text);
        if (!status) {
            return;
        }
        for (const domain::StatusJob& job : status->jobs) {
            for (const char letter : job.name + job.user + job.state) {
                RC_ASSERT(static_cast<unsigned char>(letter) >= 0x20);
            }
        }
    }));
}

struct Case {
    const char* sentence;
    const char* from;
    const char* to;
    const char* message;
};

const Case cases[] = {
    {"another format", "hora-status", "hora-snapshot", "status.format is not \"hora-status\""},
    {"a later version", "\"version\":1", "\"version\":2", "status.version is 2, this reads 1"},
    {"a key too many", "\"idle\":1", "\"idle\":1,\"colour\":1", "status.\"colour\" is not known"},
    {"a key too few", "\"idle\":1,", "", "status.idle is missing"},
    {"a negative count", "\"gpus\":4", "\"gpus\":-4",
     "status.gpus is no whole number up to 4294967295"},
    {"a share beyond all", "\"share\":0.25", "\"share\":1.25",
     "jobs[0].share is no number between 0 and 1"},
    {"a time beyond all bounds", "\"ends\":1700002000", "\"ends\":1e300",
     "jobs[0].ends is no whole number up to 1099511627776"},
    {"a gain that is no number", "\"gain\":600.0", "\"gain\":\"600\"",
     "jobs[0].gain is no number between -1000000000000 and 1000000000000"},
    {"a name that clears the screen", "\"resnet\"", "\"\\u001b[2J\"",
     "jobs[0].name holds a control character"},
    {"a name that does so with one character of Unicode", "\"resnet\"", "\"\\u009b2J\"",
     "jobs[0].name holds a control character"},
    {"a job that is no object", "\"jobs\":[", "\"jobs\":[7,", "jobs[0] is no object"},
    {"a decision that is no object", "\"decision\":{", "\"decision\":7,\"was\":{",
     "decision[0] is no object"},
    {"a resize without its state", "\"state\":\"checkpoint requested\",", "",
     "resize[0].state is missing"},
};

TEST(Status, SaysWhatIsWrongAndWhere) {
    const std::string good = report::to_json(hora::testing::small_status());
    ASSERT_TRUE(read_status(good).has_value());
    for (const Case& c : cases) {
        SCOPED_TRACE(c.sentence);
        const auto status = read_status(replaced(good, c.from, c.to));
        ASSERT_FALSE(status.has_value());
        EXPECT_EQ(status.error().message, c.message);
    }
}

TEST(Status, TextBeyondTheBoundsIsRefused) {
    const std::string good = report::to_json(hora::testing::small_status());
    const std::string longest(max_status_text + 1, 'x');
    EXPECT_FALSE(read_status(replaced(good, "\"resnet\"", "\"" + longest + "\"")).has_value());
    EXPECT_FALSE(read_status(std::string(max_status_size + 1, ' ')).has_value());
    EXPECT_FALSE(read_status("").has_value());
    EXPECT_FALSE(read_status("[]").has_value());
    EXPECT_FALSE(read_status(std::string(100000, '[')).has_value());
}

// What a user chooses may be anything; the file is whole and readable nevertheless.
TEST(Status, HostileTextIsWrittenHarmlessly) {
    EXPECT_TRUE(rc::check([] {
        Status status = hora::testing::small_status();
        status.jobs[0].name = *rc::gen::arbitrary<std::string>();
        status.jobs[0].user = std::string(2000, *rc::gen::arbitrary<char>());
        const auto back = read_status(report::to_json(status));
        RC_ASSERT(back.has_value());
        RC_ASSERT(back->jobs.size() == 1U);
        RC_ASSERT(back->jobs[0].user.size() <= max_status_text);
    }));
    Status status = hora::testing::small_status();
    status.jobs[0].name = "\x1b[2J\xff \xe2\x80\xae 日本\n";
    const auto back = read_status(report::to_json(status));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->jobs[0].name, " [2J\xef\xbf\xbd \xef\xbf\xbd 日本 ");
}

}  // namespace
}  // namespace hora::read
