#include "libplanner/read/machine/hwloc_file.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

std::string with(const std::string& object) {
    return "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
           "<topology version=\"2.0\">" +
           object + "</topology>\n";
}

std::string nested(int levels) {
    std::string text;
    for (int level = 0; level < levels; ++level) {
        text += "<object>";
    }
    for (int level = 0; level < levels; ++level) {
        text += "</object>";
    }
    return with(text);
}

struct Case {
    const char* sentence;
    std::string text;
    const char* part;  // of the message; "": it is good
};

const Case cases[] = {
    {"an empty machine", with(""), ""},
    {"a part of it", with(R"(<object type="PU" os_index="65535"/>)"), ""},
    {"hwloc 1 said no version", "<topology></topology>", ""},
    {"it says one", "<topology version=\"1.0\"></topology>", ""},
    {"sockets have any number", with(R"(<object type="Package" os_index="4294967295"/>)"), ""},
    {"nothing", "", "is empty"},
    {"another text", "machine", "is no hwloc XML"},
    {"a byte of 0", with(std::string(1, '\0')), "is no hwloc XML"},
    {"hwloc 3", "<topology version=\"3.0\"></topology>", "--export-xml-flags v2"},
    {"another version", "<topology version=\"20\"></topology>", "unknown version \"20\""},
    {"half a tag", "<topology version=\"2.0\"", "breaks off in the middle"},
    {"half a machine", "<topology><object>", "breaks off in the middle"},
    {"one end too many", with("</object>"), "breaks off in the middle"},
    {"as deep as may be", nested(127), ""},
    {"too deep", nested(128), "nested too deep"},
    {"a large number", with(R"(<object type="PU" os_index="65536"/>)"), "\"65536\""},
    {"a negative one", with(R"(<object type="NUMANode" os_index="-1"/>)"), "\"-1\""},
    {"one beyond all", with(R"(<object type="PU" os_index="99999999999999999999"/>)"), "none can"},
    {"one of no known type", with(R"(<object os_index="65536"/>)"), "none can have"},
    {"after a tab", with("<object type=\"PU\"\tos_index=\"65536\"/>"), "none can have"},
    {"on the next line", with("<object type=\"PU\"\nos_index=\"65536\"/>"), "none can have"},
    {"after a carriage return", with("<object type=\"PU\"\ros_index=\"65536\"/>"), "none can have"},
    {"in single quotes", with("<object type='PU' os_index='65536'/>"), "none can have"},
    {"with spaces", with("<object type=\"PU\" os_index = \"65536\"/>"), "none can have"},
    {"another attribute ends so", with(R"(<object type="Core" gp_os_index="65536"/>)"), ""},
    {"a core needs no number", with(R"(<object type="Core"/>)"), ""},
    {"memory does", with(R"(<object type="NUMANode"/>)"), "\"NUMANode\" without os_index"},
    {"and so does a processor", with(R"(<object type="pu"/>)"), "\"pu\" without os_index"},
    {"a number that is empty is none", with(R"(<object type="PU" os_index=""/>)"),
     "without os_index"},
};

TEST(HwlocFile, TrustsWhatThisHwlocCanRead) {
    for (const Case& row : cases) {
        const auto good = check_hwloc_xml(row.text);
        const std::string message = good ? "" : good.error().message;
        EXPECT_EQ(good.has_value(), std::string(row.part).empty()) << row.sentence << message;
        EXPECT_NE(message.find(row.part), std::string::npos) << row.sentence << ": " << message;
    }
}

}  // namespace
}  // namespace hora::read
