#include "plugins/slurm/report/report_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/slurm/report/report_credential.hpp"

namespace hora::slurm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ReportClient, ReadsAListOfHosts) {
    EXPECT_THAT(host_names(""), IsEmpty());
    EXPECT_THAT(host_names(" , ,"), IsEmpty());
    EXPECT_THAT(host_names("a"), ElementsAre("a"));
    EXPECT_THAT(host_names("a, b ,10.0.0.1"), ElementsAre("a", "b", "10.0.0.1"));
}

TEST(ReportClient, ReportsToTheControllersUnlessTold) {
    char first[] = "10.0.0.1";
    char second_name[] = "head2";
    char* addresses[] = {first, nullptr};
    char* names[] = {nullptr, second_name};
    char info[] = "cred_expire=60,socket=/run/other.socket,ttl=5";
    slurm_conf_t configuration{};
    configuration.control_addr = addresses;
    configuration.control_machine = names;
    configuration.control_cnt = 2;
    configuration.authinfo = info;
    read::Settings settings;
    const ReportPlace usual = report_place(settings, configuration);
    EXPECT_THAT(usual.hosts, ElementsAre("10.0.0.1", "head2"));
    EXPECT_EQ(usual.port, 6829);
    EXPECT_EQ(usual.munge_socket, "/run/other.socket");
    ASSERT_TRUE(settings.set("horad.hosts", "monitor", read::Origin::file, "here"));
    EXPECT_THAT(report_place(settings, configuration).hosts, ElementsAre("monitor"));
}

TEST(ReportClient, SaysThatReportsGoNowhere) {
    const ReportPlace none{.hosts = {"127.0.0.1"}, .port = 0, .munge_socket = {}};
    const auto sent = send_report({.job = 1}, none, std::chrono::milliseconds(10));
    ASSERT_FALSE(sent);
    EXPECT_THAT(sent.error().message, HasSubstr("horad.port"));
}

TEST(ReportClient, TellsAPersonWhatToDoWhereNoDaemonAnswers) {
    const std::string problems = "head1 port 6829: Connection refused";
    EXPECT_EQ(not_taken(ReportKind::resize, problems),
              "no horad took the request: head1 port 6829: Connection refused; is it running? "
              "'systemctl status horad' there says so");
    EXPECT_EQ(not_taken(ReportKind::progress, problems),
              "no horad took the report: head1 port 6829: Connection refused");
}

TEST(ReportClient, FailsWithoutMunge) {
    const ReportPlace place{.hosts = {"127.0.0.1"}, .port = 1, .munge_socket = "/nowhere/socket"};
    const auto sent = send_report({.job = 1}, place, std::chrono::milliseconds(10));
    ASSERT_FALSE(sent);
    EXPECT_THAT(sent.error().message, HasSubstr("munge"));
}

TEST(ReportCredential, FindsTheSocketInAuthInfo) {
    EXPECT_EQ(munge_socket_of(""), "");
    EXPECT_EQ(munge_socket_of("cred_expire=60"), "");
    EXPECT_EQ(munge_socket_of("socket=/run/a"), "/run/a");
    EXPECT_EQ(munge_socket_of("mysocket=/run/b,socket=/run/a"), "/run/a");
    EXPECT_EQ(munge_socket_of("/run/munge/munge.socket.2"), "/run/munge/munge.socket.2")
        << "the older form, the path alone";
}

TEST(ReportCredential, KnowsHowMungeWrites) {
    for (const char* const line : {"MUNGE:AwQFAAB=:", "MUNGE:Aw+/9z==:"}) {
        EXPECT_TRUE(is_written_as_credential(line)) << line;
    }
    for (const char* const line : {"", "x", "MUNGE:", "MUNGE::", "MUNGE:AwQ",
                                   "munge:AwQ:", "MUNGE:A wQ:", "MUNGE:AwQ\n:", "MUNGE:A\xff:"}) {
        EXPECT_FALSE(is_written_as_credential(line)) << line;
    }
}

TEST(ReportCredential, RefusesALongOneUnread) {
    const auto opened = open_report(std::string(100000, 'M'), "/nowhere/socket");
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("longer than"));
}

}  // namespace
}  // namespace hora::slurm
