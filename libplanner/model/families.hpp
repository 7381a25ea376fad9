// The built-in networks, one function a paper; builtin.cpp gives them their names.
#pragma once

#include <cstdint>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"

namespace hora::model {

// `sequence` is the number of positions of one sample; networks of pictures do not look at it.
Expected<domain::Network> alexnet_mnist(std::string name, std::uint64_t sequence);
Expected<domain::Network> alexnet(std::string name, std::uint64_t sequence);
Expected<domain::Network> vgg16(std::string name, std::uint64_t sequence);
Expected<domain::Network> resnet18(std::string name, std::uint64_t sequence);
Expected<domain::Network> resnet50(std::string name, std::uint64_t sequence);
Expected<domain::Network> resnet101(std::string name, std::uint64_t sequence);
Expected<domain::Network> inception_v3(std::string name, std::uint64_t sequence);
Expected<domain::Network> bert_base(std::string name, std::uint64_t sequence);
Expected<domain::Network> bert_large(std::string name, std::uint64_t sequence);
Expected<domain::Network> gpt2(std::string name, std::uint64_t sequence);
Expected<domain::Network> recurrent_language_model(std::string name, std::uint64_t sequence);
Expected<domain::Network> feed_forward_language_model(std::string name, std::uint64_t sequence);

}  // namespace hora::model
