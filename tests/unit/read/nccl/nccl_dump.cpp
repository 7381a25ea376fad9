#include "libplanner/read/nccl/nccl_dump.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hora::read {
namespace {

// Two GPUs below a switch and one beside it, joined by an NVSwitch that is on no <pci>.
constexpr std::string_view dump = R"(<system version="1">
  <cpu host_hash="0x1" numaid="1" affinity="ff" arch="x86_64" vendor="AuthenticAMD" familyid="143" modelid="49">
    <pci busid="0000:41:00.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
      <pci busid="0000:47:00.0" class="0x030200" vendor="0x10de" device="0x20b0" link_speed="16.0 GT/s PCIe" link_width="16">
        <gpu dev="0" sm="80" rank="0" gdr="1">
          <nvlink target="0000:c4:00.0" count="6" tclass="0x068000"/>
        </gpu>
      </pci>
      <pci busid="0000:4e:00.0" class="0x030200" link_speed="16.0 GT/s" link_width="8">
        <gpu dev="1" sm="80" rank="1" gdr="1">
          <nvlink target="0000:c4:00.0" count="6" tclass="0x068000"/>
        </gpu>
      </pci>
    </pci>
    <pci busid="0000:61:00.0" class="0x030200" link_speed="" link_width="0">
      <gpu dev="2" sm="80" rank="2" gdr="1"/>
    </pci>
    <pci busid="0000:65:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16">
      <nic><net name="mlx5_4" dev="4" speed="200000"/></nic>
    </pci>
  </cpu>
</system>
)";

TEST(NcclDump, RebuildsTheMachine) {
    const auto machine = read_nccl_dump(dump);
    ASSERT_TRUE(machine.has_value()) << machine.error().message;
    ASSERT_EQ(machine->gpus.size(), 3u);
    EXPECT_EQ(machine->nics.size(), 1u);
    EXPECT_EQ(machine->gpus[0].numa, 1u);
    EXPECT_EQ(machine->processor.vendor, "AuthenticAMD");
    EXPECT_EQ(machine->processor.model, 49u);
    EXPECT_EQ(machine->path(0, 1).kind, domain::PathKind::nvlink);
    EXPECT_DOUBLE_EQ(machine->path(0, 1).bandwidth.count(), 120e9);
    EXPECT_EQ(machine->path(0, 2).kind, domain::PathKind::node);
    EXPECT_EQ(machine->objects[machine->gpus[1].object].uplink.lanes, 8u);
    EXPECT_EQ(machine->objects[machine->gpus[2].object].uplink.bandwidth, Bandwidth(0));
}

// As NCCL 2.28 writes it of an H200 in a virtual machine; its ncclTopoAddPci() counts a width of 0
// as 16 lanes.
TEST(NcclDump, CountsSixteenLanesWhereAVirtualMachineHidesThem) {
    const auto machine = read_nccl_dump(R"(<system version="1">
  <cpu host_hash="0x22ae73ad60f13ca8" numaid="-1" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="207">
    <pci busid="0000:00:06.0" class="0x030200" vendor="0x10de" device="0x2335" subsystem_vendor="0x10de" subsystem_device="0x18bf" link_speed="32.0 GT/s PCIe" link_width="0">
      <gpu dev="0" sm="90" rank="0" gdr="1"/>
    </pci>
    <nic>
      <net name="eth0" dev="0" latency="0" speed="10000" port="0" guid="0x0" maxconn="65536" gdr="0"/>
    </nic>
  </cpu>
</system>
)");
    ASSERT_TRUE(machine.has_value()) << machine.error().message;
    ASSERT_EQ(machine->gpus.size(), 1u);
    const domain::PcieLink& link = machine->objects[machine->gpus[0].object].uplink;
    EXPECT_EQ(link.lanes, 16u);
    EXPECT_NEAR(link.bandwidth.count(), 63e9, 1e9);
}

// Lanes of a GPU whose <pci> says this of its link; 0: the link is not known.
std::uint32_t lanes_of(const std::string& link) {
    const auto machine = read_nccl_dump(
        fmt::format("<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:01:00.0\" "
                    "class=\"0x030200\" {}><gpu dev=\"0\" sm=\"80\"/></pci></cpu></system>",
                    link));
    return machine.has_value() ? machine->objects[machine->gpus[0].object].uplink.lanes : 999;
}

TEST(NcclDump, KnowsALinkByWhatIsSaidOfIt) {
    EXPECT_EQ(lanes_of("link_speed=\"16.0 GT/s PCIe\" link_width=\"8\""), 8u);
    EXPECT_EQ(lanes_of("link_speed=\"16.0 GT/s PCIe\" link_width=\"\""), 16u);
    EXPECT_EQ(lanes_of("link_speed=\"16.0 GT/s PCIe\""), 0u);
    EXPECT_EQ(lanes_of("link_width=\"16\""), 0u);
    EXPECT_EQ(lanes_of(""), 0u);
}

struct Bad {
    const char* sentence;
    const char* text;
    const char* message;
};

const Bad bad_cases[] = {
    {"another kind of XML", "<topology></topology>",
     "line 1: no <system>: this is no topology of NCCL's; it writes one to the file that "
     "NCCL_TOPO_DUMP_FILE names"},
    {"a bus id that is none", "<system><pci busid=\"x\"/></system>", "line 1: \"x\" is no bus id"},
    {"two devices at one place",
     "<system>\n<pci busid=\"0000:01:00.0\"/>\n<pci busid=\"0000:01:00.0\"/></system>",
     "line 3: there are two devices 0000:01:00.0"},
    {"a GPU outside of PCIe", "<system><gpu/></system>", "line 1: a <gpu> outside of any <pci>"},
    {"a text that is cut off", "<system><cpu>", "line 1: is no XML: Start-end tags mismatch"},
};

TEST(NcclDump, SaysWhatIsWrong) {
    for (const Bad& test : bad_cases) {
        const auto machine = read_nccl_dump(test.text);
        ASSERT_FALSE(machine.has_value()) << test.sentence;
        EXPECT_EQ(machine.error().message, test.message) << test.sentence;
        EXPECT_EQ(machine.error().kind, ErrorKind::wrong_use) << test.sentence;
    }
}

TEST(NcclDump, AnyTextEnds) {
    EXPECT_TRUE(rc::check([](const std::string& text) {
        read_nccl_dump("<system><pci busid=\"0000:01:00.0\" class=\"" + text + "\"><gpu sm=\"" +
                       text + "\"/></pci></system>");
    }));
}

}  // namespace
}  // namespace hora::read
