// What findings say: where, which two accesses, and what would order them.
#include "simt/order/findings.h"

#include <algorithm>
#include <cstring>

#include "simt/loader/names.h"
#include "simt/order/checker.h"
#include "simt/order/liveness.h"
#include "simt/order/unwritten.h"
#include "simt/run/lanes.h"
#include "simt/run/memory.h"

namespace sass {

const char* name_of(Hazard hazard) {
    switch (hazard) {
        case Hazard::race: return "race";
        case Hazard::same_value: return "same_value";
        case Hazard::first_read: return "first_read";
        case Hazard::missing_acquire: return "missing_acquire";
        case Hazard::uninitialised_read: return "uninitialised_read";
        case Hazard::divergent_barrier: return "divergent_barrier";
        case Hazard::divergent_warp: return "divergent_warp";
        case Hazard::miscompiled: return "miscompiled";
        case Hazard::fault: return "fault";
        case Hazard::host_access: return "host_access";
        case Hazard::ignored_error: return "ignored_error";
        case Hazard::leak: return "leak";
        case Hazard::unwritten_copy: return "unwritten_copy";
        case Hazard::past_array: return "past_array";
        case Hazard::block_lifetime: return "block_lifetime";
        case Hazard::undefined_fetch: return "undefined_fetch";
    }
    return "";
}

std::string global_place(U64 address) {
    const Allocation allocation = Memory::of_device().find(address);
    return "byte " + std::to_string(address - allocation.begin) + " of " +
           (allocation.name.empty() ? Memory::of_device().description(allocation) : allocation.name);
}

std::string block_text(U number, const Dim3& grid) {
    return "block (" + std::to_string(number % grid.x) + ", " + std::to_string(number / grid.x % grid.y) +
           ", " + std::to_string(number / grid.x / grid.y) + ")";
}

std::string thread_text(unsigned t, const Dim3& size) {
    return "thread (" + std::to_string(t % size.x) + ", " + std::to_string(t / size.x % size.y) + ", " +
           std::to_string(t / size.x / size.y) + ")";
}

std::string source_text(const Code& code, U site) {
    const Place* const shown = place_of_user(code.module->places(), code.list[site].line->place);
    if (shown == nullptr) return "instruction " + code.list[site].line->text();
    const std::string file = shown->file.substr(shown->file.rfind('/') + 1);
    return file + ":" + std::to_string(shown->line);
}

Finding finding_at(Hazard hazard, const Code& code, U site, const std::string& what, const std::string& other,
                   const std::string& cure) {
    const std::string kernel = demangled(code.kernel->name);
    const Place* const at = place_of_user(code.module->places(), code.list[site].line->place);
    return {hazard,
            kernel + ": " + source_text(code, site) + ": " + what,
            1,
            kernel,
            at == nullptr ? "" : at->file,
            at == nullptr ? 0 : at->line,
            other,
            cure,
            0,
            ""};
}

std::string Checks::place(U64 address, bool is_shared) const {
    if (is_shared) {
        U64 begin = system_shared_bytes();
        std::string name = "shared memory";
        for (const SharedArray& array : kernel_.launch.module->shared_arrays(*kernel_.launch.kernel))
            if (address >= array.offset) begin = array.offset, name = array.name;
        return "byte " + std::to_string(address - begin) + " of " + name;
    }
    return global_place(address);
}

void Checks::add(Hazard hazard, const Warp& w, int lane, const std::string& what, const std::string& cure) {
    add(hazard, w, lane, w.site(lane), what, 0, 0, "", cure);
}

void Checks::add(Hazard hazard, const Warp& w, int lane, U site, const std::string& what, U past_block,
                 U past_site, const std::string& other, const std::string& cure) {
    const auto [known, is_new] = known_.try_emplace({hazard, site, past_block, past_site}, findings_.size());
    if (!is_new) {
        ++findings_[known->second].times;
        return;
    }
    const Launch& launch = kernel_.launch;
    findings_.push_back(finding_at(hazard, *kernel_.code, site,
                                   what + ", " + block_text(U(w.block->number), launch.grid) + ", " +
                                       thread_text(unsigned(w.number * LANES + lane), launch.block),
                                   other, cure));
}

std::vector<Finding> Checks::findings() const {
    std::vector<Finding> all = findings_;
    for (const auto& [number, site] : reads_) {
        const auto check = checked_.find(site);
        if (check == checked_.end() || !check->second.ever || check->second.read_again) continue;
        all[number].hazard = Hazard::first_read;
        all[number].line += "; an atomicCAS checks what was read";
        all[number].cure =
            "read by atomicCAS(p, 0, 0) or cuda::atomic_ref, if the model of C++ is to allow it";
    }
    return all;
}

/// What would order the two accesses, or make them one.
std::string cure_of(const Event& now, const Event& past, const Conflict& conflict, Hazard hazard,
                    const char* order_of_launches, const std::string& there) {
    if (conflict.unseen) return "fence.proxy.async between that write and the copy";
    if (hazard == Hazard::missing_acquire)
        return "__threadfence() after the read that observed it, or memory_order_acquire";
    if (order_of_launches != nullptr) return order_of_launches;
    if (past.is_agent())
        return "wait for the copy before this line (cg::wait, __pipeline_wait_prior), then __syncthreads()";
    const bool same_block = past.block == now.block;
    if (now.is_volatile || past.is_volatile) {
        if (same_block) return "__syncthreads(), or __syncwarp() within a warp: volatile orders nothing here";
    } else if (now.is_strong() && past.is_strong()) {
        return "an atomic whose scope includes both threads: without _block, or thread_scope_device";
    } else if (now.is_strong() || past.is_strong()) {
        return "make the plain access atomic, too (cuda::atomic_ref), or order the two by a barrier";
    }
    if (now.site == past.site || (now.is_write && past.is_write))
        return hazard == Hazard::same_value ? "let one thread write, or all by an atomic"
                                            : "an atomic, or an element for each thread";
    if (!same_block && past.cluster == now.cluster) return "cluster.sync() between this line and " + there;
    if (!same_block)
        return "two launches, or __threadfence() and an atomic flag in both blocks (release, acquire)";
    return (past.unit == now.unit ? "__syncwarp() between this line and "
                                  : "__syncthreads() between this line and ") +
           there;
}

/// The lanes of the request that have this one's address.
U Checks::lanes_there(const Chunk& chunk, int lane) const {
    const auto of_lane = [&](int l) {
        return chunk.is_shared ? U64(static_cast<const U*>(chunk.addresses)[l])
                               : static_cast<const U64*>(chunk.addresses)[l];
    };
    return chunk.addresses == nullptr
               ? 0
               : chunk.at_work &
                     where([&](int l) { return (chunk.at_work >> l & 1) && of_lane(l) == of_lane(lane); });
}

/// Is what the store writes there already? Of lanes of one store: do they write the same?
bool Checks::is_same_value(int lane, const Chunk& chunk, U64 at, const Shadow& shadow,
                           const Conflict& conflict, const U* stored) const {
    if (stored == nullptr || !shadow.event(conflict.event).is_write) return false;
    const unsigned bytes = std::min(4u, chunk.element);
    const U* const row = stored + (at - chunk.offset) % chunk.element / 4 * LANES;
    const U together = conflict.event == shadow.current() ? conflict.lanes & lanes_there(chunk, lane) : 0;
    if (together != 0) return (together & where([&](int l) { return row[l] != row[lane]; })) == 0;
    const auto* const there = chunk.is_shared ? chunk.block->shared.data() + at
                                              : reinterpret_cast<const std::uint8_t*>(chunk.base + at);
    return std::memcmp(there, row + lane, bytes) == 0;
}

/// Of another block, which.
std::string Checks::of_block(const Warp& w, const Chunk& chunk) const {
    if (!chunk.is_shared || chunk.block == w.block) return "";
    return " of " + block_text(U(chunk.block->number), kernel_.launch.grid);
}

void Checks::report(const Warp& w, int lane, const Chunk& chunk, U64 at, const Shadow& shadow,
                    const Conflict& conflict, const U* stored) {
    const Event& now = shadow.event(shadow.current());
    const Event& past = shadow.event(conflict.event);
    GlobalOrder& global = GlobalOrder::get();
    const GlobalOrder::Source& source = global.source_of(past.block);
    const bool same_block = past.block == now.block;
    Hazard hazard = Hazard::race;
    if (conflict.precedence == Precedence::likely) hazard = Hazard::missing_acquire;
    if (hazard == Hazard::race && is_same_value(lane, chunk, at, shadow, conflict, stored))
        hazard = Hazard::same_value;
    U others = conflict.lanes;
    if (same_block && past.unit == now.unit) others &= ~(1u << lane);
    if (others == 0) others = conflict.lanes;
    const auto what_of = [](const Event& event) {
        return std::string(event.is_volatile ? "volatile " : "") + (event.is_write ? "write" : "read");
    };
    std::string other = "the " + what_of(past);
    if (past.is_agent())
        other += " by an asynchronous copy";
    else
        other +=
            " by " +
            std::string(same_block ? "" : block_text(past.block - source.first_block, source.grid) + ", ") +
            thread_text(unsigned(past.unit - WARPS) * 32 + unsigned(__builtin_ctz(others)), source.block);
    const std::string there = source_text(*source.code, past.site);
    other += " at " + there;
    const bool is_of_other_launch = !blocks().contains(past.block),
               is_from_kernel = kernel_.launch.origin != nullptr || past.block >= blocks().end;
    const std::string what = hazard == Hazard::missing_acquire ? "missing fence"
                             : hazard == Hazard::same_value    ? "data race, of writes of one value,"
                                                               : "data race";
    const std::string why =
        conflict.unseen ? "no proxy fence shows that write to asynchronous copies"
        : hazard == Hazard::missing_acquire
            ? "a strong read has observed what was released after it, but no fence follows that read"
        : is_of_other_launch ? "no stream, event or synchronisation orders the two launches"
        : past.is_agent()    ? "nothing has waited for the copy"
        : same_block         ? "no barrier or other synchronisation orders the two"
        : past.cluster == now.cluster
            ? "no barrier of the cluster or other synchronisation orders the two blocks"
            : "no fences and flag order the two blocks";
    add(hazard, w, lane, now.site,
        what + " on " + (chunk.is_shared ? "shared" : "global") + " memory, " +
            place(chunk.base + at, chunk.is_shared) + of_block(w, chunk) + ": this " +
            (now.is_write ? "write" : "read") + " and " + other + "; " + why,
        is_of_other_launch ? past.block : same_block, past.site, there,
        cure_of(now, past, conflict, hazard,
                !is_of_other_launch ? nullptr
                : is_from_kernel    ? ORDER_FROM_KERNELS
                                    : ORDER_STREAMS,
                there));
    const Event &read = now.is_write ? past : now, &write = now.is_write ? now : past;
    if (hazard == Hazard::race && compares_ && !is_of_other_launch && !read.is_write && !read.is_strong() &&
        write.is_strong() && !read.is_agent())
        reads_[known_.at({hazard, now.site, same_block, past.site})] = read.site;
}

/// May the word be padding of a struct: a hole between words that are written? After a part of a word that is
/// written, as after a last member of two bytes, it need not be between them; nor if there is such a hole in
/// the struct before, or in the next one.
bool Checks::is_padding(const Chunk& chunk, U64 offset) const {
    const U64 size =
        chunk.is_shared ? kernel_.shared_bytes : GlobalOrder::get().at(chunk.base)->end - chunk.base;
    if (offset < 4) return false;
    if (!chunk.written->any(offset - 4, 4)) return is_repeated_hole(*chunk.written, offset, size);
    return !chunk.written->has(offset - 4, 4) || offset + 8 > size || chunk.written->any(offset + 4, 4) ||
           is_repeated_hole(*chunk.written, offset, size);
}
/// Is what the instruction loads perhaps a part of a struct? Known once asked for.
bool Checks::is_of_struct(U site) {
    const auto known = of_structs_.find(site);
    if (known != of_structs_.end()) return known->second;
    const bool is_wide = kernel_.code->list[site].bytes > 4;
    return of_structs_[site] = is_wide || loads_a_neighbour(*kernel_.code, site);
}

constexpr const char *SET_SHARED = "set it, then __syncthreads(), before this line",
                     *SET_GLOBAL = "set it before the launch: cudaMemset, cudaMemcpy";

std::string Checks::unwritten(U64 address, bool is_shared) const {
    return std::string("uninitialised read of ") + (is_shared ? "shared" : "global") +
           " memory: " + place(address, is_shared) + " was never written";
}

/// By an atomic, or an asynchronous copy. A compare-and-swap may be of a part of the word.
void Checks::report_unwritten(const Warp& w, const Chunk& chunk, Use use) {
    for (unsigned at = 0; at < chunk.length; at += chunk.element) {
        const U64 offset = chunk.offset + at;
        if (chunk.written->may_read(offset, chunk.element) ||
            (use == Use::compare && chunk.written->any(offset, chunk.element)))
            continue;
        const int lane = chunk.lane + (chunk.is_row ? int(at / chunk.element) : 0);
        add(Hazard::uninitialised_read, w, lane, unwritten(chunk.base + offset, chunk.is_shared),
            chunk.is_shared ? SET_SHARED : SET_GLOBAL);
    }
}

/// Undefined bits have decided something in these lanes.
void Checks::use(Warp& w, U lanes, Undefined::Number from) {
    if ((from & ~Undefined::COMPUTED) == 0) return;  // of what no rule follows
    const Undefined::Origin& origin = w.undefined.at(from);
    const U there = lanes & origin.lanes;  // else they have come from other lanes
    const int lane = __builtin_ctz(there != 0 ? there : origin.lanes);
    const auto tell = [&](Hazard hazard, const std::string& what, const char* cure) {
        add(hazard, w, lane, origin.site[lane], what, 0, 0, "", cure);
    };
    const U64 address = origin.address[lane];
    switch (origin.from) {
        case Undefined::Origin::shared:
            return tell(Hazard::uninitialised_read, unwritten(address, true), SET_SHARED);
        case Undefined::Origin::global:
            return tell(Hazard::uninitialised_read, unwritten(address, false), SET_GLOBAL);
        case Undefined::Origin::local:
            return tell(Hazard::uninitialised_read,
                        "uninitialised read of local memory: a variable or an element of an array of the "
                        "thread that was never written",
                        "set it before this line; check that the index lies within the array");
        case Undefined::Origin::lane:
            return tell(Hazard::divergent_warp,
                        "divergent warp: the lane reads from one that does not take part",
                        "let all lanes that are read from call it: take it out of the branch");
    }
}

}  // namespace sass
