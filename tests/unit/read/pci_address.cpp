// Which texts name a place on PCIe, and is each written so that it is read again?
#include "libplanner/read/pci_address.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/any_number.hpp"

namespace hora::read {
namespace {

using hora::testing::any_number;

TEST(PciAddress, HasADomainOrNone) {
    const domain::PciAddress address{0x1a, 0x34, 0x1f, 7};
    EXPECT_EQ(parse_pci_address("001a:34:1f.7"), address);
    EXPECT_EQ(parse_pci_address("1A:34:1F.7"), address);
    EXPECT_EQ(parse_pci_address("34:1f.7"), (domain::PciAddress{0, 0x34, 0x1f, 7}));
    EXPECT_EQ(parse_pci_address("ffffffff:00:00.0"), (domain::PciAddress{0xffffffff, 0, 0, 0}));
}

TEST(PciAddress, IsNothingElse) {
    for (const char* text :
         {"", ":", "34", "34:00", "34:00.", "34:00.8", "34:20.0", "100:00.0", "0:100:00.0",
          ":34:00.0", "0:34:00.0 ", " 34:00.0", "0x0:34:00.0", "-1:34:00.0", "100000000:34:00.0",
          "0:0:34:00.0", "34.00.0", "34:00:0", "gg:00.0"}) {
        EXPECT_FALSE(parse_pci_address(text)) << text;
    }
}

RC_GTEST_PROP(PciAddress, IsReadAsItIsWritten, ()) {
    const domain::PciAddress address{
        any_number<std::uint32_t>(0, 0xffffffff), static_cast<std::uint8_t>(any_number(0, 256)),
        static_cast<std::uint8_t>(any_number(0, 32)), static_cast<std::uint8_t>(any_number(0, 8))};
    RC_ASSERT(parse_pci_address(format_pci_address(address)) == address);
}

}  // namespace
}  // namespace hora::read
