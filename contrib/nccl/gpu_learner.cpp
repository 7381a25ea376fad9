// Learns on a GPU, and sums gradients by NCCL while it still computes others.
#include "contrib/nccl/gpu_learner.hpp"

#include <algorithm>
#include <array>

#include "contrib/trainer/digits/network.hpp"

namespace hora::trainer {
namespace {

constexpr std::size_t result_count = sum_count - loss_at;
constexpr std::array backward_order{Layer::dense, Layer::second, Layer::first};
static_assert(backward_order.size() == layer_count);

}  // namespace

GpuLearner::GpuLearner(const Digits& digits, Communicator& communicator, const Choice& choice)
    : DigitsLearner(digits),
      communicator_(communicator),
      choice_(choice),
      most_samples_(std::max<std::size_t>(
          {1, std::min(choice.most_samples, digits.training.size()), digits.test.size()})),
      buckets_(to_buckets(layer_sizes, choice.bucket_bytes / sizeof(double))),
      computed_(buckets_.size()) {}

Expected<std::unique_ptr<GpuLearner>> GpuLearner::make(const Digits& digits,
                                                       Communicator& communicator,
                                                       const Choice& choice) {
    std::unique_ptr<GpuLearner> learner(new GpuLearner(digits, communicator, choice));
    if (auto prepared = learner->prepare(); !prepared) {
        return unexpected(prepared.error());
    }
    return learner;
}

Expected<void> GpuLearner::prepare() {
    Expected<void> outcome = make_gpu_arrays(
        memory_, arrays_, digits_.training.size() + digits_.test.size(), most_samples_);
    outcome = outcome ? memory_.make_on_host(samples_, most_samples_) : outcome;
    outcome = outcome ? memory_.make_on_host(request_, 1) : outcome;
    outcome = outcome ? memory_.make_on_host(results_, result_count) : outcome;
    outcome = outcome ? computing_.make() : outcome;
    outcome = outcome ? exchanging_.make() : outcome;
    outcome = outcome ? exchanged_.make() : outcome;
    for (Event& event : computed_) {
        outcome = outcome ? event.make() : outcome;
    }
    return outcome ? load_images() : outcome;
}

// And the first weights.
Expected<void> GpuLearner::load_images() {
    std::vector<double> pixels;
    std::vector<std::size_t> labels;
    for (const auto* const part : {&digits_.training, &digits_.test}) {
        for (const Digit& digit : *part) {
            pixels.insert(pixels.end(), digit.pixels.begin(), digit.pixels.end());
            labels.push_back(digit.label);
        }
    }
    Network network(choice_.seed);
    const std::span<const double> parameters = network.parameters();
    Expected<void> outcome = copy_to_gpu<double>(arrays_.pixels, pixels);
    outcome = outcome ? copy_to_gpu<std::size_t>(arrays_.labels, labels) : outcome;
    outcome = outcome ? copy_to_gpu(arrays_.parameters, parameters) : outcome;
    // Streams that do not wait for the default one begin only now.
    return outcome ? checked(cudaDeviceSynchronize(), "prepare the GPU") : outcome;
}

Expected<Learner::Sums> GpuLearner::step(const Step& step) {
    const std::size_t samples = step.samples.size();
    std::ranges::copy(step.samples, samples_);
    Expected<void> outcome = give_samples(samples);
    outcome = outcome ? give_request(step.is_requested) : outcome;
    outcome = outcome ? learn_backwards(samples) : outcome;
    if (outcome) {
        GpuQueue queue{.stream = computing_.get()};
        descend(queue, arrays_, static_cast<double>(step.batch), choice_.rate);
        outcome = checked(queue.error, "start the optimiser");
    }
    outcome = outcome ? take(results_, arrays_.sums + loss_at, result_count) : outcome;
    if (!outcome) {
        return unexpected(outcome.error());
    }
    return Sums{.loss = results_[0], .requests = results_[request_at - loss_at]};
}

// The gradients of a bucket travel while those of the layers before it are computed.
Expected<void> GpuLearner::learn_backwards(std::size_t samples) {
    GpuQueue queue{.stream = computing_.get()};
    forward(queue, arrays_, samples);
    lose(queue, arrays_, samples);
    std::size_t next = 0;
    for (std::size_t layer = 0; layer < backward_order.size(); ++layer) {
        backward(queue, arrays_, samples, backward_order[layer]);
        if (queue.error != cudaSuccess) {
            return checked(queue.error, "start a kernel");
        }
        if (next == buckets_.size() || buckets_[next].layers != layer + 1) {
            continue;
        }
        const Bucket& bucket = buckets_[next];
        auto sent = computed_[next].order(computing_.get(), exchanging_.get());
        sent = sent
                   ? communicator_.sum(arrays_.sums + bucket.begin, bucket.count, exchanging_.get())
                   : sent;
        if (!sent) {
            return sent;
        }
        ++next;
    }
    return exchanged_.order(exchanging_.get(), computing_.get());
}

Expected<double> GpuLearner::test(std::size_t first, std::size_t stride) {
    std::size_t samples = 0;
    for (std::size_t i = first; i < digits_.test.size(); i += stride) {
        samples_[samples++] = digits_.training.size() + i;
    }
    Expected<void> outcome = give_samples(samples);
    if (outcome) {
        GpuQueue queue{.stream = computing_.get()};
        forward(queue, arrays_, samples);
        recognise(queue, arrays_, samples);
        outcome = checked(queue.error, "start a kernel");
    }
    outcome = outcome ? take(results_, arrays_.right, 1) : outcome;
    if (!outcome) {
        return unexpected(outcome.error());
    }
    return results_[0];
}

Expected<Learner::State> GpuLearner::state() {
    State state{.parameters = std::vector<double>(Network::parameter_count),
                .velocity = std::vector<double>(Network::parameter_count)};
    Expected<void> outcome = communicator_.wait(computing_.get());
    outcome = outcome ? copy_from_gpu<double>(state.parameters, arrays_.parameters) : outcome;
    outcome = outcome ? copy_from_gpu<double>(state.velocity, arrays_.velocity) : outcome;
    return outcome ? Expected<State>(std::move(state)) : unexpected(outcome.error());
}

Expected<void> GpuLearner::start_from_first(const State& state) {
    Expected<void> outcome = copy_to_gpu<double>(arrays_.parameters, state.parameters);
    outcome = outcome ? copy_to_gpu<double>(arrays_.velocity, state.velocity) : outcome;
    outcome = outcome ? checked(cudaDeviceSynchronize(), "load the parameters") : outcome;
    for (double* const array : {arrays_.parameters, arrays_.velocity}) {
        outcome = outcome ? communicator_.copy_from_first(array, Network::parameter_count,
                                                          computing_.get())
                          : outcome;
    }
    return outcome ? communicator_.wait(computing_.get()) : outcome;
}

Expected<void> GpuLearner::give_samples(std::size_t count) {
    return checked(cudaMemcpyAsync(arrays_.samples, samples_, count * sizeof *samples_,
                                   cudaMemcpyHostToDevice, computing_.get()),
                   "name the samples to the GPU");
}

Expected<void> GpuLearner::give_request(bool is_requested) {
    *request_ = is_requested ? 1 : 0;
    return checked(cudaMemcpyAsync(arrays_.sums + request_at, request_, sizeof *request_,
                                   cudaMemcpyHostToDevice, computing_.get()),
                   "pass a request on");
}

// Once all that was given before is done.
Expected<void> GpuLearner::take(double* to, const double* from, std::size_t count) {
    auto copied = checked(
        cudaMemcpyAsync(to, from, count * sizeof *to, cudaMemcpyDeviceToHost, computing_.get()),
        "fetch the result");
    return copied ? communicator_.wait(computing_.get()) : copied;
}

}  // namespace hora::trainer
