// How is a network written down so that it reads like its paper?
#pragma once

#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/network.hpp"
#include "libplanner/model/layer.hpp"

namespace hora::model {

// Layers are added one after the other, each from what the one before gives. A branch keeps
// shape() and goes back to it with continue_from(); a join names the shapes that meet. The first
// error stops everything after it and comes out of finish().
class NetworkBuilder {
  public:
    NetworkBuilder(std::string name, Shape input);

    const Shape& shape() const { return shape_; }
    void continue_from(Shape shape) { shape_ = std::move(shape); }

    void add(std::string name, const LayerSpec& spec);
    // Without a bias, for the batch normalisation that follows it ("name.norm") has one.
    void add_normalized(const std::string& name, Convolution spec);
    // The mean of each channel and a dense layer: "average", "flatten" and "dense" behind `prefix`.
    void add_classifier(std::uint64_t classes, const std::string& prefix = "");
    void join(std::string name, const LayerSpec& spec, std::vector<Shape> inputs);

    Expected<domain::Network> finish() &&;

  private:
    void append(Expected<domain::Layer> layer, bool is_listed);

    domain::Network network_;
    Shape shape_;
    Expected<void> state_;
};

}  // namespace hora::model
