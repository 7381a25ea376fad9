// Is each type of layer the one that its keys describe?
#include "libplanner/read/model/layer_type.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

using model::Extents;

std::string text_of(const Extents& extents) {
    return extents.covers(2) && !extents.covers(3)
               ? fmt::format("{}x{}", extents.at(0), extents.at(1))
               : fmt::format("{}", extents.at(0));
}

template <class Spec>
std::string convolution(const Spec& one) {
    return fmt::format("{} of {} by {} pad {} dilate {} groups {} bias {}", one.channels,
                       text_of(one.kernel), text_of(one.stride), text_of(one.padding),
                       text_of(one.dilation), one.groups, one.has_bias);
}

struct Describe {
    std::string operator()(const model::Convolution& one) const {
        return "convolution " + convolution(one);
    }
    std::string operator()(const model::TransposedConvolution& one) const {
        return "transposed " + convolution(one) + " out " + text_of(one.output_padding);
    }
    std::string operator()(const model::Dense& one) const {
        return fmt::format("dense {} bias {}", one.width, one.has_bias);
    }
    std::string operator()(const model::Embedding& one) const {
        return fmt::format("embedding {} {}", one.vocabulary, one.width);
    }
    std::string operator()(const model::Recurrent& one) const {
        return fmt::format("recurrent {} {} layers {} both {} bias {}", static_cast<int>(one.kind),
                           one.width, one.layers, one.is_bidirectional, one.has_bias);
    }
    std::string operator()(const model::Attention& one) const {
        return fmt::format("attention {} of {} bias {} fused {}", one.heads,
                           one.key_value_heads.value_or(0), one.has_bias, one.is_fused);
    }
    std::string operator()(const model::Normalization& one) const {
        return fmt::format("normalization {} parameters {}", static_cast<int>(one.kind),
                           one.has_parameters);
    }
    std::string operator()(const model::Pooling& one) const {
        return fmt::format("pooling {} of {} by {} pad {} dilate {} ceil {}",
                           static_cast<int>(one.kind), text_of(one.kernel),
                           one.stride ? text_of(*one.stride) : "-", text_of(one.padding),
                           text_of(one.dilation), one.rounds_up);
    }
    std::string operator()(const model::AdaptivePooling& one) const {
        return "adaptive " + text_of(one.output);
    }
    std::string operator()(const model::Concatenation& one) const {
        return fmt::format("concatenation {}", one.axis);
    }
    std::string operator()(const model::Activation&) const { return "activation"; }
    std::string operator()(const model::ElementWise&) const { return "element-wise"; }
    std::string operator()(const model::Softmax&) const { return "softmax"; }
    std::string operator()(const model::Flatten&) const { return "flatten"; }
};

struct Case {
    std::string keys;
    std::string spec;  // or what is wrong
};

const Case cases[] = {
    {"type='conv1d'\nchannels=8\nkernel=3",
     "convolution 8 of 3 by 1 pad 0 dilate 1 groups 1 bias true"},
    {"type='conv2d'\nchannels=8\nkernel=[3,5]\nstride=[2,1]\npadding=[0,2]\ndilation=[1,3]\n"
     "groups=4\nbias=false",
     "convolution 8 of 3x5 by 2x1 pad 0x2 dilate 1x3 groups 4 bias false"},
    {"type='conv3d'\nchannels=8\nkernel=[3,3,3]",
     "convolution 8 of 3 by 1 pad 0 dilate 1 groups 1 bias true"},
    {"type='transposed_conv1d'\nchannels=8\nkernel=2\nstride=2\noutput_padding=1",
     "transposed 8 of 2 by 2 pad 0 dilate 1 groups 1 bias true out 1"},
    {"type='transposed_conv2d'\nchannels=8\nkernel=2",
     "transposed 8 of 2 by 1 pad 0 dilate 1 groups 1 bias true out 0"},
    {"type='transposed_conv3d'\nchannels=8\nkernel=2\nbias=false",
     "transposed 8 of 2 by 1 pad 0 dilate 1 groups 1 bias false out 0"},
    {"type='dense'\nwidth=10", "dense 10 bias true"},
    {"type='dense'\nwidth=10\nbias=false", "dense 10 bias false"},
    {"type='embedding'\nvocabulary=100\nwidth=8", "embedding 100 8"},
    {"type='rnn'\nwidth=8", "recurrent 0 8 layers 1 both false bias true"},
    {"type='lstm'\nwidth=8\nlayers=2\nbidirectional=true\nbias=false",
     "recurrent 1 8 layers 2 both true bias false"},
    {"type='gru'\nwidth=8", "recurrent 2 8 layers 1 both false bias true"},
    {"type='attention'\nheads=8", "attention 8 of 0 bias true fused false"},
    {"type='attention'\nheads=8\nkey_value_heads=2\nbias=false\nfused=true",
     "attention 8 of 2 bias false fused true"},
    {"type='batch_norm'", "normalization 0 parameters true"},
    {"type='layer_norm'\nparameters=false", "normalization 1 parameters false"},
    {"type='rms_norm'", "normalization 2 parameters true"},
    {"type='local_response_norm'", "normalization 3 parameters true"},
    {"type='max_pool'\nkernel=3", "pooling 0 of 3 by 3 pad 0 dilate 1 ceil false"},
    {"type='average_pool'\nkernel=[3,2]\nstride=1\npadding=1\ndilation=2\nceil=true",
     "pooling 1 of 3x2 by 1 pad 1 dilate 2 ceil true"},
    {"type='adaptive_pool'\noutput=[6,7]", "adaptive 6x7"},
    {"type='activation'", "activation"},
    {"type='element_wise'", "element-wise"},
    {"type='softmax'", "softmax"},
    {"type='flatten'", "flatten"},
    {"type='concatenation'", "concatenation 0"},
    {"type='concatenation'\naxis=2", "concatenation 2"},
    // What is wrong.
    {"width=10", "\"type\" is missing here"},
    {"type='denes'\nwidth=10", "unknown layer type \"denes\"; did you mean \"dense\"?"},
    {"type=''", "unknown layer type \"\""},
    {"type=3", "\"type\""},
    {"type='dense'", "\"width\" is missing here"},
    {"type='dense'\nwidth=-1", "\"width\""},
    {"type='conv2d'\nchannels=8", "\"kernel\" is missing here"},
    {"type='conv2d'\nkernel=3", "\"channels\" is missing here"},
    {"type='conv2d'\nchannels=8\nkernel=[]", "\"kernel\" has 1 to 3 numbers"},
    {"type='conv2d'\nchannels=8\nkernel=[1,2,3,4]", "\"kernel\" has 1 to 3 numbers"},
    {"type='conv2d'\nchannels=8\nkernel=3\nstride=[]", "\"stride\" has 1 to 3 numbers"},
    {"type='conv2d'\nchannels=8\nkernel='3'", "\"kernel\""},
    {"type='conv2d'\nchannels=8\nkernel=3\noutput_padding=1", "unknown key \"output_padding\""},
    {"type='max_pool'", "\"kernel\" is missing here"},
    {"type='max_pool'\nkernel=2\nstride=[1,1,1,1]", "\"stride\" has 1 to 3 numbers"},
    {"type='local_response_norm'\nparameters=false", "unknown key \"parameters\""},
    {"type='softmax'\nwidth=1", "unknown key \"width\""},
    {"type='embedding'\nwidth=1", "\"vocabulary\" is missing here"},
    {"type='attention'", "\"heads\" is missing here"},
    {"type='adaptive_pool'", "\"output\" is missing here"},
};

TEST(LayerType, IsWhatItsKeysDescribe) {
    for (const Case& row : cases) {
        SCOPED_TRACE(row.keys);
        auto table = read_toml("version = 1\n" + row.keys + "\n", "net.toml");
        ASSERT_TRUE(table) << table.error().message;
        const auto typed = take_layer_type(*table);
        const auto done = table->finish();
        if (done) {
            ASSERT_TRUE(typed);
            EXPECT_EQ(std::visit(Describe(), typed->spec), row.spec);
            EXPECT_EQ(row.keys.find(fmt::format("type='{}'", typed->type)), 0U);
        } else {
            EXPECT_NE(done.error().message.find(row.spec), std::string::npos)
                << done.error().message;
        }
    }
}

}  // namespace
}  // namespace hora::read
