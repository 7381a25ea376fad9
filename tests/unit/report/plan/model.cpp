// Are the costs of a network shown whatever it is called, and however large it is?
#include "libplanner/report/plan/model.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

domain::Network named(const std::string& name) {
    domain::Network network = model::builtin_network("alexnet").value();
    network.name = name;
    network.layers.front().name = name;
    return network;
}

TEST(ModelTable, IsHarmlessWhateverTheNetworkIsCalled) {
    for (const char* const name : {"\x1b[2J", "a\nb", "\xe2\x80\xae\x65", "j\xc3", "\xc2\x9b"}) {
        std::string text = model_table(named(name), {}).value();
        for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
            const std::string line = text.substr(0, end);
            EXPECT_EQ(terminal_text(line, 1000), line);
            text.erase(0, end + 1);
        }
        EXPECT_EQ(text, "") << "the last line is whole";
    }
}

TEST(ModelJson, IsJsonWhateverTheNetworkIsCalled) {
    const auto object = nlohmann::json::parse(model_json(named("\"\\\n\xff"), {}).value());
    EXPECT_EQ(object["name"], "\"\\\n\xef\xbf\xbd");
    EXPECT_EQ(object["layers"][0]["name"], "\"\\\n\xef\xbf\xbd");
}

TEST(ModelTable, HasABatchThatCanBeCounted) {
    const domain::Network network = named("alexnet");
    for (const std::uint64_t batch :
         {std::uint64_t{0}, std::uint64_t{1} << 53, ~std::uint64_t{0}}) {
        const auto table = model_table(network, {.batch = batch});
        ASSERT_FALSE(table) << batch;
        EXPECT_EQ(table.error().kind, ErrorKind::wrong_use);
        EXPECT_FALSE(model_json(network, {.batch = batch})) << batch;
    }
    const std::string one = model_table(network, {.batch = 1}).value();
    EXPECT_NE(one.find("one forward pass of 1 sample in"), std::string::npos);
    const std::string many = model_table(network, {.batch = 1'000'000}).value();
    EXPECT_NE(many.find("one forward pass of 1000000 samples in"), std::string::npos);
}

TEST(ModelTable, MayListNothing) {
    EXPECT_EQ(nlohmann::json::parse(models_json({}).value())["models"].size(), 0U);
    EXPECT_TRUE(models_table({}));
}

}  // namespace
}  // namespace hora::report
