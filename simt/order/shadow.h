// The shadow of memory: for each 4-byte word, the accesses that a later one may race with.
//
// Two accesses race if they touch the same byte, at least one writes, they are not both strong with scopes
// that include each other, and neither happens before the other; in whatever order they happened to run.
// Strong ones are of one size, or the shorter one reads.
//
// A cell of 8 bytes holds a word's last writes and last reads, each as a list whose nodes words share: the
// words that a warp writes in a row have one node. What every later access is ordered after, by the block's
// barrier or by the end of the launch, lies below a floor and is not looked at any more.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "simt/order/order.h"

namespace sass {

/// Elements by number, ascending, of which the oldest are dropped together. 0 is none.
template <class T>
class Numbered {
   public:
    std::uint32_t add(const T& element) {
        const std::uint32_t at = end_ - begin_;
        if (at / CHUNK == chunks_.size()) chunks_.push_back(std::make_unique<T[]>(CHUNK));
        chunks_[at / CHUNK][at % CHUNK] = element;
        return end_++;
    }
    const T& operator[](std::uint32_t number) const {
        const std::uint32_t at = number - begin_;
        return chunks_[at / CHUNK][at % CHUNK];
    }
    std::uint32_t begin() const { return begin_; }
    std::uint32_t end() const { return end_; }
    void drop() {
        begin_ = end_;
        if (chunks_.size() > 1) chunks_.resize(1);
    }
    void clear() {
        drop();
        begin_ = end_ = 1;
    }

   private:
    static constexpr std::uint32_t CHUNK = 1 << 14;
    std::uint32_t begin_ = 1, end_ = 1;
    std::vector<std::unique_ptr<T[]>> chunks_;
};

/// Of a word: numbers of nodes, AGENT set if a copy's access is among them.
struct Cell {
    std::uint32_t write = 0, read = 0;
    bool operator==(const Cell& other) const { return write == other.write && read == other.read; }
};

/// What an access meets that does not happen before it.
struct Conflict {
    std::uint32_t event;
    std::uint32_t lanes;
    Precedence precedence;
    bool unseen;  ///< it happened before, but no proxy fence shows it to the asynchronous copy
};

class Shadow {
   public:
    std::uint32_t add(const Event& event) { return events_.add(event); }
    const Event& event(std::uint32_t number) const { return events_[number]; }
    bool has(std::uint32_t event) const { return event >= events_.begin(); }

    /// The access that is about to touch words.
    void begin(std::uint32_t event, unsigned warp, const BlockOrder& order);
    /// Of those that follow, lanes' elements of `stride` bytes lie in a row in which lane 0's would be at
    /// `first`; 0: not in a row.
    void set_row(std::uint32_t first, unsigned stride) {
        first_ = first;
        stride_ = stride;
        memo_next_ = NONE;
    }
    std::uint32_t current() const { return event_; }
    /// Words that one instruction touches alike have mostly the same past, and then the same future. If that
    /// holds for the word that was touched last, the cells from `next` on that are as its cell was `before`
    /// become as it is now. Returns where that ends.
    Cell* touch_alike(const Cell& before, const Cell& now, Cell* next, const Cell* end) const {
        while (is_alike_ && next != end && *next == before) *next++ = now;
        return next;
    }
    /// The lanes (of a copy: the one that issued it) touch these bytes of a word. Returns whether that
    /// conflicts with what came before, and remembers it.
    bool touch(Cell& cell, std::uint32_t address, std::uint32_t lanes, std::uint8_t bytes,
               Conflict& conflict) {
        is_alike_ = true;
        // Nothing that matters has touched it yet.
        if (is_over(cell.write) && is_over(cell.read)) {
            (now_.is_write ? cell.write : cell.read) = node(lanes, bytes, 0);
            conflict.event = 0;
            return false;
        }
        return compare(cell, address, lanes, bytes, conflict);
    }

    /// Once it has been touched: does the access conflict with another one than strong writes?
    bool conflicts_beside_strong_writes(const Cell& cell, std::uint32_t address, std::uint32_t lanes,
                                        std::uint8_t bytes, Conflict& conflict);
    /// One of the accesses that the cell remembers, of which `is_meant` holds.
    template <class IsMeant>
    const Event* find(const Cell& cell, bool reads_too, IsMeant is_meant, std::uint8_t bytes = 0xf) const {
        for (const std::uint32_t list : {cell.write, reads_too ? cell.read : 0u})
            for (std::uint32_t each = list; (each & ~AGENT) >= nodes_.begin(); each = at(each).next)
                if (const Event& event = events_[at(each).event]; (at(each).bytes & bytes) && is_meant(event))
                    return &event;
        return nullptr;
    }
    /// All that was remembered happens before what follows, but for copies.
    void set_floor() { floor_ = nodes_.end(); }
    void drop() {
        nodes_.drop();
        events_.drop();
        floor_ = nodes_.end();
        memo_next_ = NONE;
    }
    /// The same of memory whose cells are cleared: nodes are numbered anew, or many blocks would use them up.
    void clear() {
        nodes_.clear();
        events_.drop();
        floor_ = 1;
        memo_next_ = NONE;
    }
    std::uint32_t size() const { return nodes_.end() - nodes_.begin(); }

   private:
    static constexpr std::uint32_t AGENT = 1u << 31, NONE = ~0u;
    struct Node {
        std::uint32_t event, lanes;  ///< lanes: of a row, the address of lane 0's element
        std::uint32_t next, length;  ///< of the list from here on
        std::uint8_t bytes, stride;
        Scope weakest;      ///< of the list
        std::uint8_t size;  ///< of all accesses of the list; 0: they differ
    };
    std::uint32_t node(std::uint32_t lanes, std::uint8_t bytes, std::uint32_t next);
    bool compare(Cell& cell, std::uint32_t address, std::uint32_t lanes, std::uint8_t bytes,
                 Conflict& conflict);
    bool compare_list(std::uint32_t list, std::uint32_t address, std::uint32_t lanes, std::uint8_t bytes,
                      Conflict& conflict);
    std::uint32_t compacted(std::uint32_t list, std::uint32_t address);
    /// No barrier shows to asynchronous copies what has happened.
    bool is_over(std::uint32_t list) const {
        return (list < floor_ && !now_.is_of_proxy()) || (list & ~AGENT) < nodes_.begin();
    }
    const Node& at(std::uint32_t list) const { return nodes_[list & ~AGENT]; }
    static std::uint32_t lanes_of(const Node& node, std::uint32_t address) {
        return node.stride == 0 ? node.lanes : 1u << (address - node.lanes) / node.stride % 32;
    }
    /// Do its lanes go from word to word as those of the access do that touches words now?
    bool is_parallel(const Node& node) const {
        return node.stride == stride_ && (stride_ == 0 || (node.lanes - first_) % stride_ == 0);
    }
    Precedence precedence(const Event& past, const Node& node, std::uint32_t past_lanes, std::uint32_t lanes);
    bool happened(const Event& past, const Node& node, std::uint32_t past_lanes, std::uint32_t lanes);
    bool may_conflict(const Event& past) const;
    bool is_superseded(const Event& past, const Node& node, std::uint8_t bytes) const;

    Numbered<Node> nodes_;
    Numbered<Event> events_;
    std::uint32_t floor_ = 1;
    // The access that touches words now.
    Event now_;
    std::uint32_t event_ = 0, first_ = 0, memo_next_ = NONE, memo_ = 0;
    unsigned warp_ = 0, stride_ = 0;
    bool leaves_out_strong_writes_ = false;
    bool is_alike_ = false;  ///< see touch_alike
    const BlockOrder* order_ = nullptr;
};

}  // namespace sass
