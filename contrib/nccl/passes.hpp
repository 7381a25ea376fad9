// In which order do the operations follow each other? Forwards, backwards a layer at a time, and
// the step of the optimiser; on a queue of a GPU's or of this CPU.
#pragma once

#include <cstddef>

#include "contrib/nccl/arrays.hpp"
#include "contrib/nccl/operations.hpp"

namespace hora::trainer {

// The gradients of layers become known in this order.
enum class Layer { dense, second, first };
constexpr std::size_t layer_count = 3;
// What each adds to the exchange, in that order; loss and requests come with the first.
constexpr std::array<std::size_t, layer_count> layer_sizes{
    sum_count - operations::dense_at, operations::dense_at - operations::second_at,
    operations::second_at};

// A Queue does what it is given in that order:
//   for_each(count, operation): operation(i) for all i below count
//   sum_each(terms, term, sums): sums[p] = the sum of term(p, t) for all t below terms, for all p

template <class Queue>
void forward(Queue& queue, const Arrays& a, std::size_t samples) {
    using namespace operations;
    queue.for_each(samples * image_size, LoadImages{a.pixels, a.samples, a.images});
    queue.for_each(samples * first_elements,
                   Convolve<FirstShape>{a.parameters, a.images, a.firsts});
    queue.for_each(samples * pool_elements, Pool{a.firsts, a.pooled, a.pooled_from});
    queue.for_each(samples * second_elements,
                   Convolve<SecondShape>{a.parameters + second_at, a.pooled, a.seconds});
    queue.for_each(samples * class_count, Score{a.parameters, a.seconds, a.scores});
}

// The loss of the batch, and the gradient of its scores.
template <class Queue>
void lose(Queue& queue, const Arrays& a, std::size_t samples) {
    queue.for_each(samples, operations::Lose{a.labels, a.samples, a.scores, a.losses});
    queue.sum_each(samples, operations::SampleTerm{a.losses}, a.sums + loss_at);
}

// The gradient of one layer's parameters, summed over the batch; layers in their order.
template <class Queue>
void backward(Queue& queue, const Arrays& a, std::size_t samples, Layer layer) {
    using namespace operations;
    switch (layer) {
        case Layer::dense:
            queue.sum_each(samples, DenseTerm{a.seconds, a.scores}, a.sums + dense_at);
            break;
        case Layer::second:
            queue.for_each(samples * second_elements,
                           FeatureGradient{a.parameters, a.scores, a.seconds, a.second_gradients});
            queue.sum_each(samples, ConvolutionTerm<SecondShape>{a.pooled, a.second_gradients},
                           a.sums + second_at);
            break;
        case Layer::first:
            queue.for_each(
                samples * pool_elements,
                PooledGradient{a.parameters + second_at, a.second_gradients, a.pooled_gradients});
            queue.for_each(
                samples * first_elements,
                FirstGradient{a.firsts, a.pooled_from, a.pooled_gradients, a.first_gradients});
            queue.sum_each(samples, ConvolutionTerm<FirstShape>{a.images, a.first_gradients},
                           a.sums);
            break;
    }
}

// By sums over a batch of so many samples.
template <class Queue>
void descend(Queue& queue, const Arrays& a, double batch, double rate) {
    queue.for_each(Network::parameter_count,
                   operations::Descend{a.sums, batch, rate, a.velocity, a.parameters});
}

// How many of the batch are recognised.
template <class Queue>
void recognise(Queue& queue, const Arrays& a, std::size_t samples) {
    queue.for_each(samples, operations::Recognise{a.labels, a.samples, a.scores, a.losses});
    queue.sum_each(samples, operations::SampleTerm{a.losses}, a.right);
}

}  // namespace hora::trainer
