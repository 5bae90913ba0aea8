#include "simt/order/shadow.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace sass {

void Shadow::begin(std::uint32_t event, unsigned warp, const BlockOrder& order) {
    event_ = event;
    now_ = events_[event];
    warp_ = warp;
    order_ = &order;
}

/// The access before the list `next`. Words in a row, with the same past, share it.
std::uint32_t Shadow::node(std::uint32_t lanes, std::uint8_t bytes, std::uint32_t next) {
    if (stride_ != 0 && next == memo_next_) return memo_;
    Node made{event_,
              stride_ != 0 ? first_ : lanes,
              next,
              1,
              bytes,
              std::uint8_t(stride_),
              now_.in_lockstep ? Scope::block : now_.scope,
              now_.bytes};
    if (now_.is_agent()) made.lanes = 0;
    std::uint32_t flag = now_.is_agent() ? AGENT : 0;
    if (next != 0) {
        const Node& rest = at(next);
        made.length += rest.length;
        made.weakest = std::min(made.weakest, rest.weakest);
        if (rest.size != made.size) made.size = 0;
        flag |= next & AGENT;
    }
    const std::uint32_t number = nodes_.add(made) | flag;
    memo_next_ = next;
    return memo_ = number;
}

/// As the order has it. In a row lanes differ from word to word: what is said of them may then, too.
bool Shadow::happened(const Event& past, const Node& node, std::uint32_t past_lanes, std::uint32_t lanes) {
    if (past.block == now_.block && past.unit == unit_of_warp(warp_)) is_alike_ &= is_parallel(node);
    return order_->happened(past, past_lanes, warp_, lanes);
}

Precedence Shadow::precedence(const Event& past, const Node& node, std::uint32_t past_lanes,
                              std::uint32_t lanes) {
    if (happened(past, node, past_lanes, lanes)) return Precedence::happened;
    if (node.stride != 0 || stride_ != 0) is_alike_ = false;
    return order_->precedence(past, past_lanes, warp_, lanes);
}

bool Shadow::may_conflict(const Event& past) const {
    if (!past.is_write && !now_.is_write) return false;
    if (leaves_out_strong_writes_ && past.is_write && past.is_strong()) return false;
    if (!past.is_strong() || !now_.is_strong()) return true;
    if (past.bytes != now_.bytes && past.bytes != 0 && now_.bytes != 0) {
        // ptxas loads no more of a word than is used: a strong read of a part may have been one of the whole.
        const Event& shorter = past.bytes < now_.bytes ? past : now_;
        if (shorter.is_write) return true;
    }
    if (past.in_lockstep && now_.in_lockstep && past.block == now_.block && past.unit == now_.unit)
        return true;
    if (past.block == now_.block) return false;
    return std::min(past.scope, now_.scope) < (past.cluster == now_.cluster ? Scope::cluster : Scope::device);
}

/// Once `past` happened before now: does whatever races with it later also race with what happens now?
bool Shadow::is_superseded(const Event& past, const Node& node, std::uint8_t bytes) const {
    return (now_.is_write || !past.is_write) && (past.is_strong() || !now_.is_strong()) &&
           (node.bytes & ~bytes) == 0;
}

/// Returns whether the list need not be remembered once this access is.
bool Shadow::compare_list(std::uint32_t list, std::uint32_t address, std::uint32_t lanes, std::uint8_t bytes,
                          Conflict& conflict) {
    bool all_superseded = true;
    for (std::uint32_t each = list; !is_over(each);) {
        const Node& node = at(each);
        // Strong accesses among themselves, all of one size: nothing can conflict.
        if (now_.scope == Scope::device && node.weakest == Scope::device && node.size == now_.bytes)
            return false;
        each = node.next;
        const Event& past = events_[node.event];
        if ((node.bytes & bytes) == 0) {
            all_superseded = false;
            continue;
        }
        const std::uint32_t past_lanes = past.is_agent() ? 0 : lanes_of(node, address);
        const Precedence precedence = this->precedence(past, node, past_lanes, lanes);
        if (precedence != Precedence::happened) {
            all_superseded = false;
            if (conflict.event == 0 && may_conflict(past))
                conflict = {node.event, past_lanes, precedence, false};
        } else if (now_.is_of_proxy() && !past.is_agent() && past.is_write && conflict.event == 0 &&
                   !order_->visible_to_copies(past, past_lanes,
                                              warp_ * 32 + unsigned(__builtin_ctz(lanes)))) {
            conflict = {node.event, past_lanes, precedence, true};
        } else if (!is_superseded(past, node, bytes)) {
            all_superseded = false;
        }
    }
    return all_superseded;
}

bool Shadow::compare(Cell& cell, std::uint32_t address, std::uint32_t lanes, std::uint8_t bytes,
                     Conflict& conflict) {
    conflict.event = 0;
    if (now_.is_write) {
        const bool no_writes = compare_list(cell.write, address, lanes, bytes, conflict);
        if (compare_list(cell.read, address, lanes, bytes, conflict)) cell.read = 0;
        cell.write = compacted(node(lanes, bytes, no_writes ? 0 : cell.write), address);
        return conflict.event != 0;
    }
    if (!is_over(cell.write)) compare_list(cell.write, address, lanes, bytes, conflict);
    std::uint32_t rest = is_over(cell.read) ? 0 : cell.read;
    if (rest != 0) {
        const Node& last = at(rest);
        const Event& past = events_[last.event];
        const std::uint32_t past_lanes = past.is_agent() ? 0 : lanes_of(last, address);
        if (last.event == event_ && last.bytes == bytes && last.stride == 0 &&
            stride_ == 0) {  // a warp reads one word
            lanes |= last.lanes;
            rest = last.next;
        } else if (is_superseded(past, last, bytes) && happened(past, last, past_lanes, lanes)) {
            rest = last.next;
        }
    }
    if (is_over(rest)) rest = 0;
    cell.read = compacted(node(lanes, bytes, rest), address);
    return conflict.event != 0;
}

bool Shadow::conflicts_beside_strong_writes(const Cell& cell, std::uint32_t address, std::uint32_t lanes,
                                            std::uint8_t bytes, Conflict& conflict) {
    leaves_out_strong_writes_ = true;
    conflict.event = 0;
    if (!is_over(cell.write)) compare_list(cell.write, address, lanes, bytes, conflict);
    if (now_.is_write && !is_over(cell.read)) compare_list(cell.read, address, lanes, bytes, conflict);
    leaves_out_strong_writes_ = false;
    return conflict.event != 0;
}

/// Long lists are looked through, seldom: of what a unit has done alike, only the last counts.
std::uint32_t Shadow::compacted(std::uint32_t list, std::uint32_t address) {
    const std::uint32_t length = at(list).length;
    if (length < 64 || (length & (length - 1)) != 0) return list;
    std::set<std::tuple<std::uint32_t, Unit, std::uint32_t, bool, Scope, std::uint8_t>> seen;
    std::vector<std::uint32_t> kept;
    for (std::uint32_t each = list; !is_over(each); each = at(each).next) {
        const Node& node = at(each);
        const Event& event = events_[node.event];
        is_alike_ &= is_parallel(node);
        if (seen.insert({event.block, event.unit, lanes_of(node, address), event.is_write, event.scope,
                         node.bytes})
                .second)
            kept.push_back(each);
    }
    if (kept.size() == length) return list;
    std::uint32_t next = 0;
    for (auto each = kept.rbegin(); each != kept.rend(); ++each) {
        Node copy = at(*each);
        copy.next = next;
        copy.length = next == 0 ? 1 : at(next).length + 1;
        if (next == 0) copy.weakest = events_[copy.event].scope, copy.size = events_[copy.event].bytes;
        next = nodes_.add(copy) | (*each & AGENT) | (next & AGENT);
    }
    memo_next_ = NONE;
    return next;
}

}  // namespace sass
