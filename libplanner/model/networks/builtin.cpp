// Which networks are known by name, and what do they cost?
#include "libplanner/model/networks/builtin.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "libplanner/base/nearest.hpp"
#include "libplanner/model/networks/families.hpp"

namespace hora::model {
namespace {

struct Builtin {
    std::string_view name;
    BuildNetwork* build;
    std::uint64_t sequence = 0;  // unless stated otherwise; 0 = it reads no sequence
    std::uint64_t longest = 0;   // it has no more positions
};

// A sentence of the Brown corpus has 20 words on average (1,161,192 in 57,340).
constexpr std::uint64_t brown_sentence = 20;
// Of a network whose positions have no table: longer than anybody trains on.
constexpr std::uint64_t longest_sequence = 65536;

constexpr std::array builtins = {
    Builtin{"alexnet-mnist", alexnet_mnist},
    Builtin{"alexnet", alexnet},
    Builtin{"vgg16", vgg16},
    Builtin{"resnet18", resnet18},
    Builtin{"resnet50", resnet50},
    Builtin{"resnet101", resnet101},
    Builtin{"inception-v3", inception_v3},
    Builtin{"densenet121", densenet121},
    Builtin{"mobilenet-v2", mobilenet_v2},
    Builtin{"efficientnet-b0", efficientnet_b0},
    Builtin{"unet", unet},
    Builtin{"vit-b-16", vit_b_16},
    Builtin{"bert-base", bert_base, 512, 512},
    Builtin{"bert-large", bert_large, 512, 512},
    Builtin{"gpt2", gpt2, 1024, 1024},
    Builtin{"gpt2-medium", gpt2_medium, 1024, 1024},
    Builtin{"gpt2-large", gpt2_large, 1024, 1024},
    Builtin{"gpt2-xl", gpt2_xl, 1024, 1024},
    Builtin{"llama-7b", llama_7b, 4096, 4096},
    Builtin{"llama-8b", llama_8b, 8192, 8192},
    Builtin{"llama-13b", llama_13b, 4096, 4096},
    Builtin{"t5-base", t5_base, 512, longest_sequence},
    Builtin{"t5-large", t5_large, 512, longest_sequence},
    Builtin{"p4-rnn-lm", recurrent_language_model, brown_sentence, longest_sequence},
    Builtin{"p4-ff-lm", feed_forward_language_model},
};

constexpr auto names = [] {
    std::array<std::string_view, builtins.size()> result;
    std::transform(builtins.begin(), builtins.end(), result.begin(),
                   [](const Builtin& builtin) { return builtin.name; });
    return result;
}();

Expected<std::uint64_t> sequence_of(const Builtin& builtin, const NetworkOptions& options) {
    if (!options.sequence) {
        return builtin.sequence;
    }
    if (builtin.sequence == 0) {
        return wrong_use(
            fmt::format("\"{}\" reads no sequence; leave the sequence length out", builtin.name));
    }
    if (*options.sequence == 0 || *options.sequence > builtin.longest) {
        return wrong_use(fmt::format("\"{}\" reads sequences of 1 to {} positions, not {}",
                                     builtin.name, builtin.longest, *options.sequence));
    }
    return *options.sequence;
}

}  // namespace

std::span<const std::string_view> builtin_names() {
    return names;
}

Expected<domain::Network> builtin_network(std::string_view name, const NetworkOptions& options) {
    const auto builtin = std::find_if(builtins.begin(), builtins.end(),
                                      [&](const Builtin& known) { return known.name == name; });
    if (builtin == builtins.end()) {
        const std::string guess = did_you_mean(name, names);
        return wrong_use(fmt::format("unknown model \"{}\"{}", name,
                                     guess.empty() ? "; 'hora models' lists those known" : guess));
    }
    return sequence_of(*builtin, options).and_then([&](std::uint64_t sequence) {
        return builtin->build(std::string(name), sequence);
    });
}

}  // namespace hora::model
