// Do the kernels of this GPU compute what the CPU does?
#include "contrib/nccl/kernel_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "contrib/nccl/gpu.hpp"
#include "contrib/nccl/gpu_queue.hpp"
#include "contrib/nccl/host_queue.hpp"
#include "contrib/trainer/say.hpp"

namespace hora::trainer {
namespace {

constexpr std::size_t image_count = 300;
// Around the number of threads of a block and of samples of a batch; the largest last, so that
// nothing of it is left in a smaller one.
constexpr std::size_t batches[] = {0, 1, 2, 63, 64, 65, 128, 129, 300};
// The same terms in another order, and a GPU's multiply-add rounds once.
constexpr double tolerance = 1e-9;

void fill(const Arrays& arrays, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < image_count * image_size; ++i) {
        arrays.pixels[i] = static_cast<double>(random() % 17) / 16;
    }
    for (std::size_t i = 0; i < image_count; ++i) {
        arrays.labels[i] = random() % class_count;
        arrays.samples[i] = random() % image_count;
    }
    Network network(seed);
    std::ranges::copy(network.parameters(), arrays.parameters);
}

Expected<void> copy_inputs(const Arrays& to, const Arrays& from) {
    const auto copy = []<class T>(T* gpu, const T* host, std::size_t count) {
        return copy_to_gpu(gpu, std::span(host, count));
    };
    Expected<void> outcome = copy(to.pixels, from.pixels, image_count * image_size);
    outcome = outcome ? copy(to.labels, from.labels, image_count) : outcome;
    outcome = outcome ? copy(to.samples, from.samples, image_count) : outcome;
    return outcome ? copy(to.parameters, from.parameters, Network::parameter_count) : outcome;
}

template <class Queue>
void run_all(Queue& queue, const Arrays& arrays, std::size_t samples) {
    forward(queue, arrays, samples);
    lose(queue, arrays, samples);
    for (const Layer layer : {Layer::dense, Layer::second, Layer::first}) {
        backward(queue, arrays, samples, layer);
    }
    descend(queue, arrays, static_cast<double>(std::max<std::size_t>(samples, 1)), 0.05);
}

// The largest difference of an array, relative where values are large; not a number where one of
// them is none.
Expected<double> difference(const ArrayShape& shape, std::size_t samples, const Arrays& gpu,
                            const Arrays& host) {
    std::vector<double> found(shape.of_sample * samples + shape.in_all);
    if (auto copied = copy_from_gpu<double>(found, gpu.*shape.array); !copied) {
        return unexpected(copied.error());
    }
    double largest = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double expected = (host.*shape.array)[i];
        const double off = std::abs(found[i] - expected) / std::max(1.0, std::abs(expected));
        if (std::isnan(off)) {
            return off;
        }
        largest = std::max(largest, off);
    }
    return largest;
}

Expected<void> compare(std::size_t samples, const Arrays& gpu, const Arrays& host,
                       std::vector<double>& largest) {
    for (std::size_t i = 0; i < batch_shapes.size(); ++i) {
        const auto off = difference(batch_shapes[i], samples, gpu, host);
        if (!off) {
            return unexpected(off.error());
        }
        if (!(*off <= tolerance)) {
            return failure(fmt::format("the kernel {} differs from the CPU by {:.3g} on {} samples",
                                       batch_shapes[i].filled_by, *off, samples));
        }
        largest[i] = std::max(largest[i], *off);
    }
    return {};
}

Expected<void> check_batch(std::size_t samples, const Arrays& gpu, const Arrays& host,
                           std::vector<double>& largest) {
    GpuQueue queue;
    HostQueue reference;
    run_all(queue, gpu, samples);
    run_all(reference, host, samples);
    auto outcome = checked(queue.error, "start a kernel");
    outcome = outcome ? checked(cudaDeviceSynchronize(), "run the kernels") : outcome;
    outcome = outcome ? compare(samples, gpu, host, largest) : outcome;
    if (!outcome) {
        return outcome;
    }
    forward(queue, gpu, samples);
    recognise(queue, gpu, samples);
    forward(reference, host, samples);
    recognise(reference, host, samples);
    outcome = checked(queue.error, "start a kernel");
    outcome = outcome ? checked(cudaDeviceSynchronize(), "run the kernels") : outcome;
    return outcome ? compare(samples, gpu, host, largest) : outcome;
}

}  // namespace

Expected<void> check_kernels(bool prints) {
    const HostArrays host(image_count, image_count);
    fill(host.arrays(), 1);
    GpuMemory memory;
    Arrays gpu;
    auto outcome = make_gpu_arrays(memory, gpu, image_count, image_count);
    outcome = outcome ? copy_inputs(gpu, host.arrays()) : outcome;
    std::vector<double> largest(batch_shapes.size());
    for (const std::size_t samples : batches) {
        outcome = outcome ? check_batch(samples, gpu, host.arrays(), largest) : outcome;
    }
    for (std::size_t i = 0; outcome && prints && i < batch_shapes.size(); ++i) {
        say(stdout, "{:<40} differs by at most {:.2g}\n", batch_shapes[i].filled_by, largest[i]);
    }
    return outcome;
}

}  // namespace hora::trainer
