#include "libplanner/read/nccl/nccl_xml.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hora::read {
namespace {

// Two GPUs below a switch, a NIC beside it.
const std::string good = R"(<system version="1">
  <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="79" affinity="00ff,ff">
    <pci busid="0000:01:00.0" class="0x060400" link_speed="8.0 GT/s PCIe" link_width="16">
      <pci busid="0000:03:00.0" class="0x030200" link_speed="8.0 GT/s PCIe" link_width="16"/>
      <pci busid="0000:04:00.0" class="0x030000" link_speed="2.5 GT/s PCIe" link_width="4"/>
    </pci>
    <pci busid="0000:0a:00.0" class="0x020700" link_speed="64.0 GT/s PCIe" link_width="1"/>
  </cpu>
  <cpu numaid="-1" arch="arm64"/>
</system>
)";

std::string replaced(const std::string& what, const std::string& by) {
    std::string text = good;
    const std::size_t at = text.find(what);
    EXPECT_NE(at, text.npos) << what;
    return text.replace(at, what.size(), by);
}

std::string problems_of(const std::string& text) {
    std::string all;
    for (const NcclXmlProblem& problem : nccl_xml_problems(text)) {
        all += fmt::format("{}: {}\n", problem.line, problem.what);
    }
    return all;
}

struct Case {
    const char* sentence;
    const char* what;
    const char* by;
    const char* problems;
};

const Case cases[] = {
    {"a prolog", "<system v", "<?xml version=\"1.0\"?>\n<system v",
     "1: has a prolog or declaration, which NCCL cannot read; leave it out\n"},
    {"a document type", "<system v", "<!DOCTYPE system>\n<system v",
     "1: has a prolog or declaration, which NCCL cannot read; leave it out\n"},
    {"TABs, named once a line", "    <pci busid=\"0000:01", "\t\t<pci busid=\"0000:01",
     "3: has a TAB, which NCCL cannot read; use blanks\n"},
    {"no version", " version=\"1\"", "", "1: <system> has no version=\"1\"\n"},
    {"another version", "version=\"1\"", "version=\"2\"", "1: <system> has no version=\"1\"\n"},
    {"no numaid", " numaid=\"0\"", "", "2: <cpu> has no numaid\n"},
    {"a numaid that is none", "numaid=\"0\"", "numaid=\"x\"", "2: numaid=\"x\" is no number\n"},
    {"a numaid twice", "numaid=\"-1\"", "numaid=\"0\"", "9: numaid=\"0\" stands in line 2 too\n"},
    {"no arch", " arch=\"x86_64\"", "", "2: <cpu> has no arch\n"},
    {"an arch that NCCL does not know", "x86_64", "aarch64", "2: NCCL knows no arch=\"aarch64\"\n"},
    {"a vendor that NCCL does not know", "GenuineIntel", "Intel",
     "2: NCCL knows no vendor=\"Intel\"\n"},
    {"Intel without a family", " familyid=\"6\"", "", "2: <cpu> has no familyid\n"},
    {"Intel without a model", " modelid=\"79\"", "", "2: <cpu> has no modelid\n"},
    {"a model that is no number", "modelid=\"79\"", "modelid=\"0x4f\"",
     "2: modelid=\"0x4f\" is no number\n"},
    {"a list of CPUs for a mask", "affinity=\"00ff,ff\"", "affinity=\"0-7\"",
     "2: affinity=\"0-7\" is no mask of hexadecimal digits\n"},
    {"no bus id", " busid=\"0000:03:00.0\"", "", "4: <pci> has no busid\n"},
    {"a bus id without its domain", "0000:03:00.0", "03:00.0",
     "4: busid=\"03:00.0\" is not of the form \"0000:34:00.0\"\n"},
    {"a bus id twice", "0000:04:00.0", "0000:03:00.0",
     "5: busid=\"0000:03:00.0\" stands in line 4 too\n"},
    {"no class", " class=\"0x030200\"", "", "4: <pci> has no class\n"},
    {"a class of something else", "0x030200", "0x010802",
     "4: class=\"0x010802\" is no bridge, GPU, NIC or NVSwitch\n"},
    {"no link speed", " link_speed=\"2.5 GT/s PCIe\"", "", "5: <pci> has no link_speed\n"},
    {"a link speed in other words", "64.0 GT/s PCIe", "64 GT/s PCIe",
     "7: link_speed=\"64 GT/s PCIe\" counts as generation 3; write it like \"16.0 GT/s PCIe\"\n"},
    {"no link width", " link_width=\"4\"", "", "5: <pci> has no link_width\n"},
    {"a link width that is none", "link_width=\"4\"", "link_width=\"x4\"",
     "5: link_width=\"x4\" is no number of lanes\n"},
    {"fewer than no lanes", "link_width=\"4\"", "link_width=\"-1\"",
     "5: link_width=\"-1\" is no number of lanes\n"},
    {"a part of a lane", "link_width=\"4\"", "link_width=\"1.5\"",
     "5: link_width=\"1.5\" is no number of lanes\n"},
    {"a GPU entry", "link_width=\"4\"/>", "link_width=\"4\"><gpu dev=\"0\"/></pci>",
     "5: has a <gpu>; NCCL writes these itself, and a stale one counts for more than what it "
     "finds\n"},
    {"a net entry", "link_width=\"1\"/>", "link_width=\"1\">\n<nic><net name=\"a\"/></nic></pci>",
     "8: has a <nic>; NCCL writes these itself, and a stale one counts for more than what it "
     "finds\n8: has a <net>; NCCL writes these itself, and a stale one counts for more than what "
     "it "
     "finds\n"},
    {"a port that leads down",
     "0000:01:00.0\" class=\"0x060400\" link_speed=\"8.0 GT/s PCIe\" "
     "link_width=\"16\">\n      <pci busid=\"0000:03:00.0\" class=\"0x030200\" link_speed=\"8.0 "
     "GT/s PCIe\" link_width=\"16\"/>\n",
     "0000:00:02.0\" class=\"0x060400\" link_speed=\"8.0 GT/s PCIe\" link_width=\"16\">\n",
     "3: 0000:00:02.0 only leads down to one device; only the upstream ports of switches belong "
     "here\n"},
    {"a device below a GPU", "0x060400", "0x030200",
     "4: <pci> stands in one that is no bridge\n5: <pci> stands in one that is no bridge\n"},
    {"a device beside processors", "  <cpu numaid=\"-1\" arch=\"arm64\"/>",
     "<pci busid=\"0000:0b:00.0\" class=\"0x020700\" link_speed=\"5.0 GT/s PCIe\" "
     "link_width=\"1\"/>",
     "9: <pci> stands in <system>\n"},
    {"a tag of another kind", "  <cpu numaid=\"-1\" arch=\"arm64\"/>", "<bus/>",
     "9: NCCL knows no tag <bus>\n"},
    {"a tag that is never closed", "</system>", "", "9: is no XML: Start-end tags mismatch\n"},
};

TEST(NcclXml, IsGood) {
    EXPECT_EQ(problems_of(good), "");
}

TEST(NcclXml, MayKnowNoLanes) {
    EXPECT_EQ(problems_of(replaced("link_width=\"4\"", "link_width=\"0\"")), "");
}

TEST(NcclXml, EachRuleIsTold) {
    for (const Case& test : cases) {
        EXPECT_EQ(problems_of(replaced(test.what, test.by)), test.problems) << test.sentence;
    }
}

std::string device(std::size_t number, const std::string& more = "") {
    return fmt::format(
        "<pci busid=\"{:04x}:01:00.0\" class=\"0x030200\" "
        "link_speed=\"8.0 GT/s PCIe\" link_width=\"16\"{}/>\n",
        number, more);
}

std::string attributes(std::size_t count, std::size_t length = 1) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += fmt::format(" a{}=\"{}\"", i, std::string(length, 'x'));
    }
    return text;
}

std::string devices(std::size_t first, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += device(first + i);
    }
    return text;
}

std::string nodes(std::size_t first, std::size_t second, const std::string& more = "") {
    return "<system version=\"1\">\n<cpu numaid=\"0\" arch=\"x86_64\">\n" + devices(0, first) +
           more + "</cpu>\n<cpu numaid=\"1\" arch=\"x86_64\">\n" + devices(1000, second) +
           "</cpu>\n</system>\n";
}

TEST(NcclXml, SizesAreBounded) {
    EXPECT_EQ(problems_of(nodes(128, 125)), "");
    EXPECT_EQ(problems_of(nodes(128, 126)), "258: more than 256 tags\n");
    EXPECT_EQ(problems_of(nodes(129, 0)), "131: <cpu> has more than 128 children\n");
    EXPECT_EQ(problems_of(nodes(0, 0, device(1, attributes(12)))), "");
    EXPECT_EQ(problems_of(nodes(0, 0, device(1, attributes(13)))),
              "3: <pci> has more than 16 attributes\n");
    EXPECT_EQ(problems_of(nodes(0, 0, device(1, attributes(1, 255)))), "");
    EXPECT_EQ(problems_of(nodes(0, 0, device(1, attributes(1, 256)))),
              "3: the value of a0 is longer than 255 characters\n");
    EXPECT_EQ(nccl_xml_problems(nodes(0, 0, std::string(200, '\t') + "<x/>\n\t\n\t\n")).size(), 4u);
}

TEST(NcclXml, AnyTextEnds) {
    EXPECT_TRUE(rc::check([](const std::string& text) {
        RC_ASSERT(!nccl_xml_problems(text).empty());
        nccl_xml_problems(good.substr(0, good.size() / 2) + text + good);
    }));
}

}  // namespace
}  // namespace hora::read
