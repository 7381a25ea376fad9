// The built-in networks, one function each; builtin.cpp gives them their names.
#pragma once

#include <cstdint>
#include <string>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"

namespace hora::model {

// `sequence` is the number of positions of one sample; networks of pictures do not look at it.
using BuildNetwork = Expected<domain::Network>(std::string name, std::uint64_t sequence);

BuildNetwork alexnet_mnist;
BuildNetwork alexnet;
BuildNetwork vgg16;
BuildNetwork resnet18, resnet50, resnet101;
BuildNetwork inception_v3;
BuildNetwork densenet121;
BuildNetwork mobilenet_v2;
BuildNetwork efficientnet_b0;
BuildNetwork unet;
BuildNetwork vit_b_16;
BuildNetwork bert_base, bert_large;
BuildNetwork gpt2, gpt2_medium, gpt2_large, gpt2_xl;
BuildNetwork llama_7b, llama_8b, llama_13b;
BuildNetwork t5_base, t5_large;
BuildNetwork recurrent_language_model;
BuildNetwork feed_forward_language_model;

}  // namespace hora::model
