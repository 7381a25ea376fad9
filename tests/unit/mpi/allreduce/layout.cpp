#include "plugins/mpi/allreduce/layout.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hora::mpi {
namespace {

RC_GTEST_PROP(Layout, CutsTheVectorIntoPiecesWithoutAGap, ()) {
    const auto elements = *rc::gen::inRange<std::size_t>(0, 10000);
    const Layout layout(elements, *rc::gen::inRange(1U, 70U), *rc::gen::inRange(1U, 20U));
    std::size_t end = 0;
    for (std::uint32_t piece = 0; piece < layout.pieces(); ++piece) {
        const Range range = layout.elements_of(piece);
        RC_ASSERT(range.begin == end);
        RC_ASSERT(range.end >= range.begin);
        end = range.end;
    }
    RC_ASSERT(end == elements);
}

RC_GTEST_PROP(Layout, EndsEachChunksWayAtItsOwner, ()) {
    const Layout layout(100, *rc::gen::inRange(1U, 70U), 1);
    for (std::uint32_t owner = 0; owner < layout.ranks(); ++owner) {
        for (std::uint32_t rank = 0; rank < layout.ranks(); ++rank) {
            const std::uint32_t next = (rank + 1) % layout.ranks();
            RC_ASSERT(rank == owner ||
                      layout.position(next, owner) == layout.position(rank, owner) + 1);
        }
        RC_ASSERT(layout.position(owner, owner) == layout.ranks() - 1);
    }
}

}  // namespace
}  // namespace hora::mpi
