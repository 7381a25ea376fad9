// What a device holds of a training: the images, one batch on its way through the network, and the
// network itself.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "contrib/nccl/operations.hpp"

namespace hora::trainer {

// Behind the gradient of the parameters, so that one exchange carries all of it.
constexpr std::size_t loss_at = Network::parameter_count;
constexpr std::size_t request_at = loss_at + 1;
constexpr std::size_t sum_count = request_at + 1;

// Pointers into the memory of one device; the code that made them frees it.
struct Arrays {
    double* pixels = nullptr;  // of all images: training, then test
    std::size_t* labels = nullptr;
    std::size_t* samples = nullptr;  // of this batch, by their numbers among all images

    double* images = nullptr;
    double* firsts = nullptr;
    double* pooled = nullptr;
    std::size_t* pooled_from = nullptr;
    double* seconds = nullptr;
    double* scores = nullptr;  // and then their gradient
    double* losses = nullptr;  // or whether each sample was recognised
    double* second_gradients = nullptr;
    double* pooled_gradients = nullptr;
    double* first_gradients = nullptr;

    double* parameters = nullptr;
    double* velocity = nullptr;
    double* sums = nullptr;  // gradient, then loss, then requests for a checkpoint
    double* right = nullptr;
};

// A double array of Arrays, who fills it, and how large it is: so many elements a sample, or in
// all.
struct ArrayShape {
    double* Arrays::*array;
    const char* filled_by;
    std::size_t of_sample;
    std::size_t in_all;
};

constexpr std::array batch_shapes{
    ArrayShape{&Arrays::images, "LoadImages", operations::image_elements, 0},
    ArrayShape{&Arrays::firsts, "Convolve, first", operations::first_elements, 0},
    ArrayShape{&Arrays::pooled, "Pool", operations::pooled_elements, 0},
    ArrayShape{&Arrays::seconds, "Convolve, second", operations::second_elements, 0},
    ArrayShape{&Arrays::scores, "Score, Lose", class_count, 0},
    ArrayShape{&Arrays::losses, "Lose", 1, 0},
    ArrayShape{&Arrays::second_gradients, "FeatureGradient", operations::second_elements, 0},
    ArrayShape{&Arrays::pooled_gradients, "PooledGradient", operations::pool_elements, 0},
    ArrayShape{&Arrays::first_gradients, "FirstGradient", operations::first_elements, 0},
    ArrayShape{&Arrays::sums, "DenseTerm, ConvolutionTerm, SampleTerm", 0, sum_count},
    ArrayShape{&Arrays::velocity, "Descend, velocity", 0, Network::parameter_count},
    ArrayShape{&Arrays::parameters, "Descend, parameters", 0, Network::parameter_count},
    ArrayShape{&Arrays::right, "Recognise", 0, 1},
};

// Makes all arrays, zeroed, for so many images and so many samples of a batch; `make` is called
// with a pointer's address and a number of elements.
template <class Make>
void make_arrays(Arrays& arrays, std::size_t images, std::size_t samples, Make make) {
    make(arrays.pixels, images * image_size);
    make(arrays.labels, images);
    make(arrays.samples, samples);
    make(arrays.pooled_from, samples * operations::pool_elements);
    for (const ArrayShape& shape : batch_shapes) {
        make(arrays.*shape.array, shape.of_sample * samples + shape.in_all);
    }
}

}  // namespace hora::trainer
