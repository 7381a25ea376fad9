// Who adds and copies the pieces of a reduction while its messages go on?
#include "plugins/mpi/allreduce/worker.hpp"

#include <algorithm>

namespace hora::mpi {

void perform(const Work& work) {
    const std::size_t size = size_of(work.element);
    if (work.vectors.size() == 1) {
        std::copy_n(work.vectors.front(), work.count * size, work.out);
        return;
    }
    // What is added to more than once stays in the processor's cache meanwhile.
    constexpr std::size_t in_cache = 16384;
    const Kernel kernel = kernel_of(work.element, work.operation);
    const std::size_t step = work.vectors.size() == 2 ? work.count : in_cache / size;
    for (std::size_t begin = 0; begin < work.count; begin += step) {
        const std::size_t elements = std::min(step, work.count - begin);
        const std::size_t offset = begin * size;
        kernel(work.out + offset, work.vectors[0] + offset, work.vectors[1] + offset, elements);
        for (const std::byte* const vector : std::span(work.vectors).subspan(2)) {
            kernel(work.out + offset, work.out + offset, vector + offset, elements);
        }
    }
}

}  // namespace hora::mpi
