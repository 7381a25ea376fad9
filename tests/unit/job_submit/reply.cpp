// Is what a client reads whole, or cut where a person can still read it?
#include "plugins/job_submit/reply.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/job_submit/daemon_log.hpp"
#include "tests/unit/job_submit/job.hpp"

namespace hora::submit {
namespace {

std::string replied(std::string_view text) {
    char* message = nullptr;
    tell(&message, text);
    return taken(message);
}

TEST(Reply, IsWholeUpTo4KiB) {
    for (const std::size_t size : {0U, 1U, 4095U, 4096U}) {
        EXPECT_EQ(replied(std::string(size, 'x')), std::string(size, 'x'));
    }
    for (const std::size_t size : {std::size_t{4097}, std::size_t{1} << 20}) {
        EXPECT_EQ(replied(std::string(size, 'x')), std::string(4096, 'x').append("..."));
    }
}

TEST(Reply, IsCutBetweenCharacters) {
    struct Case {
        const char* sentence;
        std::string tail;  // behind 4,093 bytes
        const char* kept;
    };
    const Case cases[] = {
        {"a character of two bytes", "xx\xc3\xa4yy", "xx"},
        {"one of three, of which one byte is left", "xx\xe2\x82\xacyy", "xx"},
        {"one of three, of which two are left", "x\xe2\x82\xacyy", "x"},
        {"one of four, of which three are left", "\xf0\x9f\x98\x80yy", ""},
        {"one that ends there", "\xe2\x82\xacyy", "\xe2\x82\xac"},
        {"one that begins behind it", "xxx\xc3\xa4", "xxx"},
        {"no UTF-8, a byte that continues nothing", "xx\x80\x80yy", "xx\x80"},
        {"no UTF-8, many of them", "\x80\x80\x80\x80\x80\x80", "\x80\x80\x80"},
        {"no UTF-8, a begin without its rest", "xx\xffyyyy", "xx\xff"},
    };
    const std::string before(4093, 'x');
    for (const Case& row : cases) {
        EXPECT_EQ(replied(before + row.tail), before + row.kept + "...") << row.sentence;
    }
}

TEST(Reply, TakesThePlaceOfWhatSlurmctldHadAndNeedsNoPlace) {
    char* message = nullptr;
    tell(&message, "first");
    tell(&message, "second");
    EXPECT_EQ(taken(message), "second");
    tell(nullptr, "no client reads it");
    EXPECT_EQ(refuse(nullptr, "too many GPUs", 2015), 2015);
}

TEST(Reply, OfARefusalIsLoggedWithWhoseItIs) {
    take_log();
    char* message = nullptr;
    EXPECT_EQ(refuse(&message, "too many GPUs", 2015, "user 7: "), 2015);
    EXPECT_EQ(taken(message), "hora: too many GPUs");
    EXPECT_EQ(take_log(), std::vector<std::string>{"hora: refused: user 7: too many GPUs"});
}

}  // namespace
}  // namespace hora::submit
