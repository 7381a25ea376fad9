// Is only what may be a credential shown to munge, and its absence said?
#include "plugins/slurm/report/report_credential.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace hora::slurm {
namespace {

TEST(ReportCredential, IsWrittenInBase64BetweenItsMarks) {
    const std::pair<std::string, bool> cases[] = {
        {"MUNGE:AwQFAAB+/=:", true},
        {"MUNGE:A:", true},
        {"MUNGE::", false},
        {"MUNGE:", false},
        {"MUNGE", false},
        {"", false},
        {":", false},
        {"MUNGE:A", false},
        {"munge:A:", false},
        {" MUNGE:A:", false},
        {"MUNGE:A: ", false},
        {"MUNGE:A:\n", false},
        {"MUNGE:A:B:", false},
        {"MUNGE:A B:", false},
        {"MUNGE:A-_:", false},
        {std::string("MUNGE:A\0B:", 10), false},
        {"MUNGE:\xc3\xa4:", false},
        {"MUNGE:" + std::string(1 << 20, 'A') + ":", true},
    };
    for (const auto& [line, is_one] : cases) {
        EXPECT_EQ(is_written_as_credential(line), is_one) << line.substr(0, 40);
    }
}

TEST(MungeSocket, IsWhatAuthInfoNames) {
    const std::pair<const char*, const char*> cases[] = {
        {"", ""},
        {"/run/munge.socket", "/run/munge.socket"},
        {"socket=/run/munge.socket", "/run/munge.socket"},
        {"ttl=60,socket=/run/munge.socket", "/run/munge.socket"},
        {"socket=/run/munge.socket,cred_expire=100", "/run/munge.socket"},
        {"cred_expire=100", ""},
        {"socket=", ""},
        {"mysocket=/run/other", ""},
    };
    for (const auto& [info, socket] : cases) {
        EXPECT_EQ(munge_socket_of(info), socket) << info;
    }
}

TEST(ReportCredential, NeedsItsDaemon) {
    const std::string nowhere = "/nowhere/munge.socket";
    const auto sealed = seal_report({.job = 12}, nowhere);
    ASSERT_FALSE(sealed);
    EXPECT_TRUE(sealed.error().message.starts_with("munge cannot seal a report: "))
        << sealed.error().message;
    EXPECT_NE(sealed.error().message.find(nowhere), std::string::npos) << sealed.error().message;
    EXPECT_TRUE(sealed.error().message.ends_with("; is munged running?")) << sealed.error().message;
    const auto opened = open_report("MUNGE:AwQFAAB=:", nowhere);
    ASSERT_FALSE(opened);
    EXPECT_TRUE(opened.error().message.starts_with("munge cannot open a report: "))
        << opened.error().message;
    const auto long_one = open_report("MUNGE:" + std::string(longest_credential, 'A'), nowhere);
    ASSERT_FALSE(long_one);
    EXPECT_EQ(long_one.error().message, "the credential is longer than 2048 characters");
    EXPECT_FALSE(seal_report({.job = 12}, std::string(5000, 'x')));
}

}  // namespace
}  // namespace hora::slurm
