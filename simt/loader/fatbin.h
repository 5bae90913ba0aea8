// A fat binary: what nvcc puts into a program, one image for each architecture, compressed or not.
#pragma once
#include <cstdint>
#include <vector>

namespace sass {

// A fat binary is given by what a program registers (magic 0x466243b1) or by its contents (magic 0xba55ed50).

/// The architectures of its machine code, 90 for sm_90.
std::vector<int> architectures_of(const void* fat_binary);

/// The cubin that a GPU like the machine takes: the newest that it runs. Throws std::runtime_error, one
/// line, that names what is there if there is none.
std::vector<std::uint8_t> cubin_of_fat_binary(const void* fat_binary);

/// One block of LZ4. Throws std::runtime_error if it does not give `bytes` bytes.
std::vector<std::uint8_t> decompress_lz4(const std::uint8_t* from, std::size_t from_bytes, std::size_t bytes);

}  // namespace sass
