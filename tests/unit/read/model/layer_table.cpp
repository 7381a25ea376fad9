#include "libplanner/read/model/layer_table.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace hora::read {
namespace {

domain::Network read(const std::string& text, const model::NetworkOptions& options = {}) {
    Expected<domain::Network> network = read_layer_table(text, "some/net.toml", options);
    EXPECT_TRUE(network) << (network ? "" : network.error().message);
    return network ? *network : domain::Network{};
}

std::string row(const std::string& keys) {
    return "[[layer]]\n" + keys + "\n";
}

struct Counted {
    const char* sentence;
    std::string input;
    std::string keys;
    std::vector<std::uint64_t> output;
    std::uint64_t mac;
    std::uint64_t parameters;
    std::uint64_t weights;
    std::uint64_t activations;
};

const Counted counted[] = {
    {"a convolution in one dimension",
     "[8, 100]",
     R"(type="conv1d", channels=16, kernel=5)",
     {16, 96},
     16 * 96 * 8 * 5,
     16 * 8 * 5 + 16,
     16 * 8 * 5,
     16 * 96},
    {"a convolution in two, strided and padded",
     "[3, 224, 224]",
     R"(type="conv2d", channels=64, kernel=7, stride=2, padding=3, bias=false)",
     {64, 112, 112},
     118'013'952,
     9'408,
     9'408,
     802'816},
    {"a dilated convolution spans more",
     "[1, 9, 9]",
     R"(type="conv2d", channels=1, kernel=3, dilation=2)",
     {1, 5, 5},
     225,
     10,
     9,
     25},
    {"groups share the input channels",
     "[8, 4, 4]",
     R"(type="conv2d", channels=8, kernel=3, padding=1, groups=8)",
     {8, 4, 4},
     8 * 16 * 9,
     8 * 9 + 8,
     8 * 9,
     128},
    {"an oblong kernel",
     "[4, 10, 10]",
     R"(type="conv2d", channels=2, kernel=[1, 7], padding=[0, 3])",
     {2, 10, 10},
     2 * 100 * 4 * 7,
     58,
     56,
     200},
    {"a convolution in three dimensions",
     "[1, 4, 4, 4]",
     R"(type="conv3d", channels=2, kernel=2)",
     {2, 3, 3, 3},
     2 * 27 * 8,
     18,
     16,
     54},
    {"a transposed convolution works on its input",
     "[4, 5, 5]",
     R"(type="transposed_conv2d", channels=6, kernel=3, stride=2, padding=1, output_padding=1)",
     {6, 10, 10},
     4 * 25 * 6 * 9,
     4 * 6 * 9 + 6,
     4 * 6 * 9,
     600},
    {"a dense layer on a vector", "[256]", R"(type="dense", width=10)", {10}, 2560, 2570, 2560, 10},
    {"a dense layer on each position",
     "[7, 256]",
     R"(type="dense", width=10)",
     {7, 10},
     17'920,
     2570,
     2560,
     70},
    {"an embedding looks up",
     "[7]",
     R"(type="embedding", vocabulary=100, width=32)",
     {7, 32},
     0,
     3200,
     3200,
     224},
    {"a plain recurrent layer",
     "[5, 16]",
     R"(type="rnn", width=8)",
     {5, 8},
     5 * 8 * 24,
     8 * 24 + 16,
     8 * 24,
     5 * 16},
    {"two layers of lstm both ways",
     "[5, 16]",
     R"(type="lstm", width=8, layers=2, bidirectional=true)",
     {5, 16},
     5 * 2 * 32 * (16 + 8 + 16 + 8),
     2 * 32 * 48 + 256,
     2 * 32 * 48,
     5 * 4 * 48},
    {"a gru without biases",
     "[5, 16]",
     R"(type="gru", width=8, bias=false)",
     {5, 8},
     5 * 24 * 24,
     24 * 24,
     24 * 24,
     5 * 32},
    {"attention of four heads",
     "[10, 32]",
     R"(type="attention", heads=4)",
     {10, 32},
     10 * 4 * 1024 + 2 * 100 * 32,
     4 * 1024 + 128,
     4 * 1024,
     10 * 5 * 32 + 2 * 4 * 100},
    {"fused attention",
     "[7, 32]",
     R"(type="attention", heads=4, fused=true)",
     {7, 32},
     7 * 4096 + 2 * 49 * 32,
     4096 + 128,
     4096,
     7 * 160},
    {"a layer scaled by its root mean square",
     "[7, 256]",
     R"(type="rms_norm")",
     {7, 256},
     0,
     256,
     256,
     1792},
    {"attention with grouped queries",
     "[10, 32]",
     R"(type="attention", heads=4, key_value_heads=1, bias=false)",
     {10, 32},
     10 * 32 * 80 + 2 * 100 * 32,
     32 * 80,
     32 * 80,
     10 * (80 + 32) + 800},
    {"batch normalisation has a pair a channel",
     "[8, 4, 4]",
     R"(type="batch_norm")",
     {8, 4, 4},
     0,
     16,
     16,
     128},
    {"layer normalisation has a pair a feature",
     "[10, 32]",
     R"(type="layer_norm")",
     {10, 32},
     0,
     64,
     64,
     320},
    {"local response normalisation has none",
     "[8, 4, 4]",
     R"(type="local_response_norm")",
     {8, 4, 4},
     0,
     0,
     0,
     128},
    {"an activation writes", "[8, 4, 4]", R"(type="activation")", {8, 4, 4}, 0, 0, 0, 128},
    {"a pool takes its kernel as its stride",
     "[8, 5, 5]",
     R"(type="max_pool", kernel=2)",
     {8, 2, 2},
     0,
     0,
     0,
     32},
    {"a pool may round up",
     "[8, 5, 5]",
     R"(type="average_pool", kernel=2, ceil=true)",
     {8, 3, 3},
     0,
     0,
     0,
     72},
    {"but not into the padding behind",
     "[8, 5, 5]",
     R"(type="max_pool", kernel=2, stride=2, padding=1, ceil=true)",
     {8, 3, 3},
     0,
     0,
     0,
     72},
    {"an adaptive pool has what it is given",
     "[8, 5, 5]",
     R"(type="adaptive_pool", output=[1, 2])",
     {8, 1, 2},
     0,
     0,
     0,
     16},
    {"a softmax writes", "[10]", R"(type="softmax")", {10}, 0, 0, 0, 10},
};

TEST(LayerTable, CountsEveryTypeOfLayer) {
    for (const Counted& test : counted) {
        const domain::Network network =
            read("input = " + test.input + "\nlayer = [{" + test.keys + "}]\n");
        ASSERT_EQ(network.layers.size(), 2u) << test.sentence;
        const domain::Layer& layer = network.layers[1];
        EXPECT_EQ(layer.output, test.output) << test.sentence;
        EXPECT_EQ(layer.mac, test.mac) << test.sentence;
        EXPECT_EQ(layer.parameters, test.parameters) << test.sentence;
        EXPECT_EQ(layer.weights, test.weights) << test.sentence;
        EXPECT_EQ(layer.activations, test.activations) << test.sentence;
    }
}

const std::string branched = R"(
version = 1
name = "branched"
input = [3, 8, 8]
layer = [
    {type = "conv2d", name = "left", channels = 4, kernel = 3, padding = 1},
    {type = "conv2d", name = "right", from = "input", channels = 4, kernel = 1},
    {type = "element_wise", name = "sum", from = ["left", "right"]},
    {type = "concatenation", name = "both", from = ["left", "right", "sum"]},
    {type = "flatten"},
    {type = "dense", width = 10},
]
)";

TEST(LayerTable, HasAttentionToAnotherSequence) {
    const domain::Network network =
        read("input = [5, 8]\n" + row("type = 'conv1d'\nchannels = 3\nkernel = 3") +
             row("type = 'attention'\nheads = 2\nfrom = ['input', 'conv1d_1']"));
    ASSERT_EQ(network.layers.size(), 3u);
    EXPECT_EQ(network.layers[2].output, (std::vector<std::uint64_t>{5, 8}));
    EXPECT_EQ(network.layers[2].mac, 5u * 128 + 3 * 96 + 240);
}

TEST(LayerTable, FollowsBranchesByName) {
    const domain::Network network = read(branched);
    EXPECT_EQ(network.name, "branched");
    ASSERT_EQ(network.layers.size(), 6u);  // the view is not listed
    EXPECT_EQ(network.layers[4].output, (std::vector<std::uint64_t>{12, 8, 8}));
    EXPECT_EQ(network.layers[5].name, "dense_6");
    EXPECT_EQ(network.layers[5].mac, 12u * 64 * 10);
}

TEST(LayerTable, TakesItsNameFromTheFile) {
    EXPECT_EQ(read("input = [4]\n" + row("type = 'softmax'")).name, "net");
}

TEST(LayerTable, ReadsAnotherSequence) {
    const std::string text = "input = [512, 64]\n" + row("type = 'attention'\nheads = 4");
    EXPECT_EQ(read(text, {.sequence = 128}).layers[1].output,
              (std::vector<std::uint64_t>{128, 64}));
}

struct Refused {
    const char* sentence;
    std::string text;
    std::string message;
};

const std::string image = "input = [3, 8, 8]\n";

const Refused refused[] = {
    {"a slip in a key", image + row("type = 'conv2d'\nchannels = 4\nkernal = 3\nkernel = 3"),
     "net.toml:5:1: unknown key \"kernal\"; did you mean \"kernel\"?"},
    {"a key of another type", image + row("type = 'softmax'\nwidth = 3"),
     "net.toml:4:1: unknown key \"width\"; known here: type, name, from"},
    {"a slip in a type", image + row("type = 'conv2b'"),
     "net.toml:3:8: unknown layer type \"conv2b\"; did you mean \"conv2d\"?"},
    {"no type", image + row("name = 'x'"), "net.toml:2:1: \"type\" is missing here"},
    {"a missing key", image + row("type = 'conv2d'\nkernel = 3"),
     "net.toml:2:1: \"channels\" is missing here"},
    {"a slip at the top", "inputs = [3]\n" + row("type = 'softmax'"),
     "net.toml:1:1: \"input\" is missing here"},
    {"another version", "version = 2\n" + image + row("type = 'softmax'"),
     "net.toml:1:11: version 2 is not known; this release reads version 1"},
    {"no layers", image, "net.toml:1:1: a table has 1 to 4096 [[layer]] entries, not 0"},
    {"a kernel that does not fit", image + row("type = 'max_pool'\nkernel = 9"),
     "net.toml:2:1: layer \"max_pool_1\": a window over 9 does not fit into 8 with padding 0"},
    {"a type for another rank", image + row("type = 'conv1d'\nchannels = 1\nkernel = 1"),
     "net.toml:3:8: layer \"conv1d_1\": a \"conv1d\" layer is of type \"conv2d\" here"},
    {"a stride of nothing", image + row("type = 'max_pool'\nkernel = 2\nstride = 0"),
     "net.toml:2:1: layer \"max_pool_1\": kernel, stride and dilation are at least 1"},
    {"groups that do not divide",
     image + row("type = 'conv2d'\nchannels = 4\nkernel = 1\ngroups = 2"),
     "net.toml:2:1: layer \"conv2d_1\": groups = 2 does not divide 3 input and 4 output channels"},
    {"a layer from nowhere", image + row("type = 'softmax'\nfrom = 'y'"),
     "net.toml:4:8: no layer \"y\" stands above this one"},
    {"a name twice",
     image + row("type = 'softmax'\nname = 'x'") + row("type = 'softmax'\nname = 'x'"),
     "net.toml:7:8: there are two layers \"x\""},
    {"inputs that do not match",
     image + row("type = 'max_pool'\nkernel = 2") +
         row("type = 'element_wise'\nfrom = ['input', 'max_pool_1']"),
     "net.toml:5:1: layer \"element_wise_2\": its inputs 3 x 8 x 8 and 3 x 4 x 4 do not match"},
    {"numbers beyond any machine",
     "input = [1000000, 1000000, 1000000]\n" + row("type = 'softmax'"),
     "net.toml:1:9: layer \"input\": it is larger than any machine could train"},
    {"a negative number", image + row("type = 'max_pool'\nkernel = -2"),
     "net.toml:4:10: \"kernel\" must lie in 0 to 9223372036854775807, not be -2"},
    {"an empty input", "input = [0]\n" + row("type = 'softmax'"),
     "net.toml:1:9: layer \"input\": its output 0 is empty"},
    {"no TOML at all", "input = [", "net.toml:1:"},
};

TEST(LayerTable, NamesThePlaceAndTheMistake) {
    for (const Refused& test : refused) {
        const Expected<domain::Network> network = read_layer_table(test.text, "net.toml");
        ASSERT_FALSE(network) << test.sentence;
        EXPECT_EQ(network.error().message.substr(0, test.message.size()), test.message)
            << test.sentence;
    }
}

TEST(LayerTable, RefusesASequenceForPictures) {
    const auto network =
        read_layer_table(image + row("type = 'softmax'"), "net.toml", {.sequence = 3});
    ASSERT_FALSE(network);
    EXPECT_EQ(network.error().message,
              "net.toml: the network reads no sequence; leave the sequence length out");
}

TEST(LayerTable, RefusesATableTooLong) {
    EXPECT_FALSE(read_layer_table(std::string(max_layer_table + 1, ' '), "net.toml"));
}

// Whatever the numbers, the sums stay where the workload's bounds are, or the table is refused.
RC_GTEST_PROP(LayerTable, KeepsWithinBoundsWhateverTheNumbers, ()) {
    const auto number =
        rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 9), rc::gen::arbitrary<std::int64_t>());
    const std::string keys[] = {"channels", "kernel", "stride", "padding", "dilation", "groups"};
    std::string text = fmt::format("input = [{}, {}, {}]\n[[layer]]\ntype = 'conv2d'\n", *number,
                                   *number, *number);
    for (const std::string& key : keys) {
        text += fmt::format("{} = {}\n", key, *number);
    }
    const Expected<domain::Network> network = read_layer_table(text, "net.toml");
    if (network) {
        RC_ASSERT(network->layers[1].mac <= std::uint64_t{1} << 50);
        RC_ASSERT(network->layers[1].activations <= std::uint64_t{1} << 47);
    }
}

}  // namespace
}  // namespace hora::read
