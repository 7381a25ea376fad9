// Is the list of an earlier horad read whole, and a damaged file set aside and never lost?
#include "scripts/horad/journal/earlier_list.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

std::uint64_t read_number(read::JsonObject object, read::JsonProblem&) {
    const std::uint64_t number = object.whole("number", 100);
    object.finish();
    return number;
}

class Earlier : public testing::Test {
  protected:
    Expected<EarlierList<std::uint64_t>> read() const {
        return read_earlier<std::uint64_t>(path_, "numbers", "numbers", read_number);
    }
    bool is_there() const { return std::filesystem::exists(path_); }

    const tests::ScratchFolder folder_;
    const std::string path_ = folder_.file("numbers.json");
};

TEST_F(Earlier, list_is_empty_where_there_is_no_file) {
    const auto list = read();
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->items.empty());
    EXPECT_FALSE(list->damage);
    EXPECT_TRUE(remove_earlier(path_)) << "it is gone already";
}

TEST_F(Earlier, list_is_read_in_its_order_and_stays) {
    folder_.write("numbers.json",
                  R"({"version":1,"numbers":[{"number":3},{"number":1},{"number":3}]})");
    const auto list = read();
    ASSERT_TRUE(list);
    EXPECT_EQ(list->items, (std::vector<std::uint64_t>{3, 1, 3}));
    EXPECT_TRUE(is_there()) << "until what it says is written elsewhere";
    ASSERT_TRUE(remove_earlier(path_));
    EXPECT_FALSE(is_there());
}

TEST_F(Earlier, list_of_no_entries_is_good) {
    folder_.write("numbers.json", R"({"version":1,"numbers":[]})");
    EXPECT_FALSE(read()->damage);
}

TEST_F(Earlier, list_that_is_damaged_is_set_aside_with_all_that_it_says) {
    const char* const texts[] = {
        "",
        "null",
        "[1]",
        R"({"version":1,"numbers":[{"number":1}])",
        R"({"version":1,"numbers":[{"number":1},{"number":101}]})",
        R"({"version":1,"numbers":[{"number":1},{"more":1,"number":1}]})",
        R"({"version":1,"numbers":[1]})",
        R"({"version":1,"numbers":{}})",
        R"({"version":1})",
        R"({"numbers":[]})",
        R"({"version":0,"numbers":[]})",
        R"({"version":2,"numbers":[]})",
    };
    for (const char* const text : texts) {
        folder_.write("numbers.json", text);
        const auto list = read();
        ASSERT_TRUE(list) << text;
        EXPECT_TRUE(list->items.empty()) << text;
        ASSERT_TRUE(list->damage) << text;
        const std::string& said = list->damage->message;
        const std::size_t name = said.find("set aside as \"");
        ASSERT_NE(name, std::string::npos) << said;
        const std::string aside = said.substr(name + 14, said.rfind('"') - name - 14);
        EXPECT_FALSE(is_there()) << text;
        EXPECT_EQ(folder_.read(std::filesystem::path(aside).filename().string()), text);
    }
}

TEST_F(Earlier, list_is_damaged_where_it_is_no_file) {
    std::filesystem::create_directory(path_);
    const auto list = read();
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->damage);
    EXPECT_FALSE(is_there());
}

TEST_F(Earlier, list_is_damaged_where_it_is_too_large_for_one) {
    folder_.write("numbers.json", "");
    std::filesystem::resize_file(path_, (std::uintmax_t{64} << 20) + 1);
    const auto list = read();
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->damage);
}

TEST_F(Earlier, list_that_cannot_be_looked_at_is_not_taken_for_none) {
    folder_.write("file", "");
    EXPECT_FALSE((read_earlier<std::uint64_t>(folder_.file("file/numbers.json"), "numbers",
                                              "numbers", read_number)));
}

}  // namespace
}  // namespace hora::horad
