// What requests to memory cost: the rule for shared memory equals an H200's counter for every pattern of
// results/nvidia-h200/wavefronts.csv, and bulk stores write the sectors that it counted.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "simt/run/launch.h"

namespace {

TEST(Wavefronts, EqualTheHardwareCounter) {
    std::ifstream file("results/nvidia-h200/wavefronts.csv");
    ASSERT_TRUE(file) << "results/nvidia-h200/wavefronts.csv is missing: run from the top of the repository";
    std::string line;
    std::getline(file, line);
    int patterns = 0;
    while (std::getline(file, line)) {
        for (char& c : line)
            if (c == ',') c = ' ';
        std::istringstream fields(line);
        unsigned bytes = 0, mask = 0;
        int expected = 0;
        std::uint32_t addresses[sass::LANES];
        fields >> bytes >> mask;
        for (std::uint32_t& address : addresses) {
            fields >> address;
            address *= bytes;
        }
        fields >> expected;
        ASSERT_TRUE(fields) << line;
        const sass::Passes passes = sass::passes_of(addresses, mask, bytes);
        EXPECT_EQ(passes.taken, expected) << line;
        EXPECT_LE(passes.ideal, passes.taken) << line;
        ++patterns;
    }
    EXPECT_EQ(patterns, 240);
}

TEST(Sectors, AreDistinctOnesOf32Bytes) {
    std::uint64_t addresses[sass::LANES];
    const auto sectors = [&](unsigned bytes, std::uint64_t first, std::uint64_t stride, std::uint32_t lanes) {
        for (unsigned l = 0; l < sass::LANES; ++l) addresses[l] = first + stride * l;
        return sass::sectors_of(addresses, lanes, bytes);
    };
    EXPECT_EQ(sectors(4, 4096, 4, sass::ALL), 4);
    EXPECT_EQ(sectors(4, 4100, 4, sass::ALL), 5);
    EXPECT_EQ(sectors(4, 4096, 32, sass::ALL), 32);
    EXPECT_EQ(sectors(4, 4096, 0, sass::ALL), 1);
    EXPECT_EQ(sectors(16, 4096, 16, sass::ALL), 16);
    EXPECT_EQ(sectors(4, 4096, 4, 0x80000001), 2);
}

// Lanes copy elements at one stride to elements at another, their numbers XORed: as an H200 counted.
TEST(Copies, CostWhatTheHardwareCounted) {
    const struct {
        unsigned bytes, stride_from, stride_to, xored, lanes;
        int passes, sectors;
    } seen[] = {
        {4, 1, 1, 0, ~0u, 1, 4},           {4, 1, 4, 0, ~0u, 4, 4},
        {4, 4, 1, 0, ~0u, 4, 16},          {4, 0, 1, 0, ~0u, 32, 1},
        {8, 1, 1, 0, 0x5555, 1, 4},        {8, 8, 4, 0, 0xdbdbdbdb, 12, 24},
        {8, 2, 4, 5, ~0u, 8, 16},          {16, 1, 1, 0, ~0u, 4, 16},
        {16, 1, 1, 0, 0x5555, 2, 8},       {16, 1, 1, 0, 0xdbdbdbdb, 12, 16},
        {16, 1, 1, 3, 0xdbdbdbdb, 12, 16}, {16, 1, 2, 0, ~0u, 32, 32},
        {16, 2, 2, 0, ~0u, 8, 32},         {16, 4, 1, 0, ~0u, 32, 16},
        {16, 0, 1, 0, 0xdbdbdbdb, 24, 16},
    };
    for (const auto& s : seen) {
        std::uint64_t from[sass::LANES];
        std::uint32_t to[sass::LANES];
        for (unsigned l = 0; l < sass::LANES; ++l) {
            from[l] = (l * s.stride_from % 1024) * s.bytes;
            to[l] = ((l ^ s.xored) * s.stride_to % 1024) * s.bytes;
        }
        const bool bypasses = s.bytes == 16;
        EXPECT_EQ(sass::copy_passes_of(from, to, s.lanes, s.bytes, bypasses).taken, s.passes);
        EXPECT_EQ(bypasses ? sass::bypassing_sectors_of(from, to, s.lanes)
                           : sass::sectors_of(from, s.lanes, s.bytes),
                  s.sectors);
    }
}

// On an H200, a compaction of 2^16 ints, whose bulk stores hold 130,064 bytes, writes 4,565 sectors.
TEST(BulkSectors, AreThoseOfEachPacket) {
    EXPECT_EQ(sass::bulk_sectors(1024, 0, 256), 8);   // whole sectors
    EXPECT_EQ(sass::bulk_sectors(1024, 0, 272), 9);   // the last one in half
    EXPECT_EQ(sass::bulk_sectors(1040, 0, 128), 5);   // one packet between two sectors
    EXPECT_EQ(sass::bulk_sectors(1040, 0, 256), 10);  // two such packets write one sector twice
    EXPECT_EQ(sass::bulk_sectors(1040, 112, 16), 1);
    EXPECT_EQ(sass::bulk_sectors(1040, 112, 32), 2);  // two packets, one sector each
}

}  // namespace
