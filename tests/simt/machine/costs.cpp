// What requests to memory cost: the rule for shared memory equals an H200's counter for every pattern of
// results/nvidia-h200/wavefronts.csv, and bulk stores write the sectors that it counted.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "simt/sass/launch.h"

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
