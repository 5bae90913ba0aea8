// The wavefront rule equals the GPU's counter for every pattern of results/nvidia-h200/wavefronts.csv.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "simt/requests.h"

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
        simt::Request request{};
        fields >> bytes >> mask;
        request.size = std::uint8_t(bytes);
        request.lanes = mask;
        for (std::uintptr_t& address : request.address) {
            fields >> address;
            address *= bytes;
        }
        fields >> expected;
        ASSERT_TRUE(fields) << line;
        EXPECT_EQ(simt::wavefronts(request).taken, expected) << line;
        ++patterns;
    }
    EXPECT_EQ(patterns, 240);
}

// On an H200, a compaction of 2^16 ints, whose bulk stores hold 130,064 bytes, writes 4,565 sectors.
TEST(BulkSectors, AreThoseOfEachPacket) {
    const auto sectors = [](std::uintptr_t to, std::uintptr_t from, unsigned bytes) {
        return simt::bulk_sectors(to, from, bytes);
    };
    EXPECT_EQ(sectors(1024, 0, 256), 8);   // whole sectors
    EXPECT_EQ(sectors(1024, 0, 272), 9);   // the last one in half
    EXPECT_EQ(sectors(1040, 0, 128), 5);   // one packet between two sectors
    EXPECT_EQ(sectors(1040, 0, 256), 10);  // two such packets write one sector twice
    EXPECT_EQ(sectors(1040, 112, 16), 1);
    EXPECT_EQ(sectors(1040, 112, 32), 2);  // two packets, one sector each
}

}  // namespace
