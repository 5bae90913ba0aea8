// What the checks of all launches share: the shadow of global memory, launches and copies that nothing
// orders, and the accesses of the host.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simt/order/findings.h"
#include "simt/order/shadow.h"
#include "simt/run/launch.h"

namespace sass {

/// Zeros, which take memory once they are touched.
struct Unmap {
    std::size_t bytes = 0;
    void operator()(void* at) const { munmap(at, bytes); }
};
template <class T>
using Zeros = std::unique_ptr<T[], Unmap>;

/// Which bytes have been written.
class Written {
   public:
    explicit Written(std::size_t bytes);
    void set(std::size_t begin, std::size_t bytes);
    bool has(std::size_t begin, std::size_t bytes) const;  ///< all of them
    bool any(std::size_t begin, std::size_t bytes) const;
    /// A read of more than 4 bytes may be of a struct, whose padding is copied but never written.
    bool may_read(std::size_t begin, std::size_t bytes) const;
    /// The first byte of [begin, end) that is written, or that is not; `end` if there is none.
    std::size_t find(std::size_t begin, std::size_t end, bool is_written) const;
    void clear();
    void clear(std::size_t begin, std::size_t bytes);

   private:
    bool has(std::size_t byte) const { return bits_[byte / 8] >> byte % 8 & 1; }
    Zeros<std::uint8_t> bits_;
};

/// An allocation's shadow.
struct Region {
    Region(std::uint64_t begin, std::uint64_t end);
    std::uint64_t begin, end;
    Zeros<Cell> cells;
    Written written;
    bool is_host = false;                            ///< pinned or managed
    std::uint64_t touched_from = 0, touched_to = 0;  ///< by the device, and the host has not waited since
    bool is_changed = false;                         ///< by a launch
    std::map<std::uint64_t, std::uint32_t> kept;     ///< by address of a word: see GlobalOrder::changes
    void touch(std::uint64_t from, std::uint64_t to) {
        if (touched_to == 0) touched_from = from;
        touched_from = from < touched_from ? from : touched_from;
        touched_to = to > touched_to ? to : touched_to;
    }
};

/// Of the device: what all launches share.
class GlobalOrder {
   public:
    static GlobalOrder& get();
    /// The region that contains the address; null if nothing is allocated there.
    Region* at(std::uint64_t address);
    /// A copy between host and device, or a filling, reads or writes there. Returns what it races with.
    std::vector<Finding> copied(std::uint64_t address, std::size_t bytes, bool is_write,
                                const Submitted& place, const char* what = nullptr);
    /// The same of memory that a stream frees.
    std::vector<Finding> freed(std::uint64_t address, const Submitted& place);
    void forget(const void* allocation);

    /// Of pinned and managed memory, by its begin: what launches and copies have touched that the host does
    /// not know to be over.
    using Knows = std::function<bool(const Submitted&)>;
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> touched_host_memory(const Knows& knows);
    struct OfHost {
        bool is_race = false;
        std::string other, place;  ///< with what; its line
        bool is_strong = false;    ///< with an atomic, or the like, of the device's scope
        bool is_signal = false;    ///< the host reads what a strong access of the system's scope has written
    };
    /// What an access by the host to a byte of it means.
    OfHost host_access(std::uint64_t address, bool is_write, const Knows& knows);
    /// A launch is about to write there. Of memory that the host may access, too, what a strong access of the
    /// system's scope replaces is kept: until the host has waited, or has read it again and again, it may
    /// still find that.
    void changes(std::uint64_t address, std::size_t bytes, bool is_of_system);
    /// The words around the address that are kept so.
    std::map<std::uint64_t, std::uint32_t> kept(std::uint64_t address);
    void forget_kept();
    /// Launches and copies that nothing can race with any more, if that holds for all of them.
    void forget(const std::function<bool(const Submitted&)>& is_known);

    struct Source {  ///< of the blocks from `first_block` on
        std::uint32_t first_block, end_block;
        std::shared_ptr<const Code> code;
        Dim3 grid, block;
        Submitted submitted;
    };
    struct Copy {
        std::uint64_t begin, end;
        bool is_write;
        Submitted submitted;
        static std::string text(bool is_write) {
            return is_write ? "a copy that writes it" : "a copy that reads it";
        }
    };
    /// The blocks of a launch get numbers. Of earlier launches and copies: those that do not happen before
    /// it.
    std::uint32_t begin_launch(const Kernel& kernel, std::vector<Blocks>& concurrent,
                               std::vector<Copy>& copies);
    const Source& source_of(std::uint32_t block) const;

    Shadow shadow;
    std::unordered_map<std::uint64_t, Released> released;    ///< by address
    std::unordered_map<std::uint64_t, Observers> observers;  ///< the same

   private:
    std::map<std::uint64_t, std::unique_ptr<Region>> regions_;
    Region* recent_ = nullptr;
    std::vector<Source> sources_;  ///< launches that are not forgotten
    std::vector<Copy> copies_;
    std::uint32_t next_block_ = 1;
};

}  // namespace sass
