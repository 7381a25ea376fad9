// Which elements of a vector travel together, and which rank reduces them?
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hora::mpi {

// Elements [begin, end).
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;

    std::size_t size() const { return end - begin; }
};

// Part `index` of `parts` nearly equal ones; the first ones are longer by one.
inline Range nearly_equal_part(Range whole, std::size_t parts, std::size_t index) {
    const std::size_t each = whole.size() / parts;
    const std::size_t longer = whole.size() % parts;
    const std::size_t begin = whole.begin + index * each + std::min(index, longer);
    return {begin, begin + each + (index < longer ? 1 : 0)};
}

// A vector is cut into one chunk a rank, its owner, and each chunk into slices: a piece is one
// slice of one chunk. The chunks follow from the number of elements and of ranks alone, so that the
// order in which an element is summed does not depend on how it travels: from the owner's successor
// around the ring to the owner.
class Layout {
  public:
    Layout(std::size_t elements, std::uint32_t ranks, std::uint32_t slices)
        : elements_(elements), ranks_(ranks), slices_(slices) {}

    std::uint32_t ranks() const { return ranks_; }
    std::uint32_t slices() const { return slices_; }
    std::uint32_t pieces() const { return ranks_ * slices_; }

    std::uint32_t piece_of(std::uint32_t owner, std::uint32_t slice) const {
        return owner * slices_ + slice;
    }
    std::uint32_t owner_of(std::uint32_t piece) const { return piece / slices_; }
    std::uint32_t slice_of(std::uint32_t piece) const { return piece % slices_; }

    Range chunk(std::uint32_t owner) const {
        return nearly_equal_part({0, elements_}, ranks_, owner);
    }
    Range elements_of(std::uint32_t piece) const {
        // Slices are one unit and two units long in turn: two of one length that are on their way
        // together would begin and end together, and leave the link idle for a latency each time.
        const auto units_before = [](std::uint32_t slice) { return slice + slice / 2; };
        const Range whole = chunk(owner_of(piece));
        const std::uint32_t units = units_before(slices_);
        const std::uint32_t slice = slice_of(piece);
        return {nearly_equal_part(whole, units, units_before(slice)).begin,
                nearly_equal_part(whole, units, units_before(slice + 1)).begin};
    }

    // Where a rank stands on the way of an owner's chunk: the owner is the last, ranks - 1.
    std::uint32_t position(std::uint32_t rank, std::uint32_t owner) const {
        return (rank + 2 * ranks_ - owner - 1) % ranks_;
    }

  private:
    std::size_t elements_;
    std::uint32_t ranks_;
    std::uint32_t slices_;
};

}  // namespace hora::mpi
