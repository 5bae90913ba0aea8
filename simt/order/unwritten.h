// What nothing has written of a range that the host reads: a kernel whose grid does not cover all elements
// leaves the rest as it was.
#pragma once
#include <cstddef>

#include "simt/order/device.h"

namespace sass {

struct Unwritten {
    std::size_t bytes = 0;            ///< 0: all is written, but for padding
    std::size_t first = 0, last = 0;  ///< of these bytes
};

/// Of the bytes [begin, end). Holes as the padding of structures leaves them do not count: shorter than the
/// alignment at which they end, after a byte that is written; and there is another such hole near, or the
/// range may be one structure.
Unwritten unwritten(const Written& written, std::size_t begin, std::size_t end);

/// Is the word, which nothing has written, in a hole like the last one before it or the next one, as in an
/// array of structures? end: of the memory.
bool is_repeated_hole(const Written& written, std::size_t word, std::size_t end);

/// What was written of [from, from + bytes) is now written at `to`, and no more.
void copy_written(const Written& source, std::size_t from, Written& target, std::size_t to,
                  std::size_t bytes);

}  // namespace sass
