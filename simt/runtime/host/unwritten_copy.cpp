#include "simt/runtime/host/unwritten_copy.h"

#include <algorithm>

#include "simt/run/memory.h"
#include "simt/runtime/recorder.h"

namespace simt_runtime {

void UnwrittenCopy::add(std::uint64_t from, std::size_t bytes) {
    sass::Region* const region = sass::GlobalOrder::get().at(from);
    if (region == nullptr) return;
    const std::size_t begin = from - region->begin,
                      end = std::min(begin + bytes, region->end - region->begin);
    const sass::Unwritten here = sass::unwritten(region->written, begin, end);
    allocation_ = region->begin;
    copied_ += bytes;
    if (here.bytes == 0) return;
    if (all_.bytes == 0) all_.first = here.first;
    all_.bytes += here.bytes;
    all_.last = here.last;
}

void UnwrittenCopy::report(const CallSite& site) const {
    if (all_.bytes == 0) return;
    const HostLine line = line_of(site);
    Recorder::get().add_findings(
        {finding_on(line, sass::Hazard::unwritten_copy,
                    "this copy to the host has " + text_of(all_, allocation_, all_.bytes == copied_), "")});
}

std::string text_of(const sass::Unwritten& unwritten, std::uint64_t allocation, bool is_all) {
    const std::size_t span = unwritten.last - unwritten.first + 1;
    const std::string of =
        " of " + sass::Memory::of_device().description(sass::Memory::of_device().find(allocation));
    const std::string where = (unwritten.bytes == span ? ", from byte " : ", between byte ") +
                              std::to_string(unwritten.first) + (unwritten.bytes == span ? " to " : " and ") +
                              std::to_string(unwritten.last);
    return std::to_string(unwritten.bytes) + (unwritten.bytes == 1 ? " byte" : " bytes") +
           " that nothing has written" + where + of +
           (is_all ? ": has a kernel written to this pointer?" : ": does the grid cover all n elements?");
}

namespace {

constexpr std::size_t ALIGNED = 16;  // of structures, at most

/// The first byte from which on the allocation is as it was made.
std::size_t fresh_from(const sass::Allocation& memory) {
    std::size_t at = (memory.end - memory.begin) / 4 * 4;
    while (at > 0 && sass::Memory::is_fresh(memory, memory.begin + at - 4)) at -= 4;
    return at;
}

/// From `first` on, by the words that are as they were.
sass::Unwritten unwritten_from(const sass::Allocation& memory, std::size_t first) {
    const std::size_t size = memory.end - memory.begin;
    sass::Written written(size - first);
    if (first != 0) written.set(0, ALIGNED);  // what is before it is not known
    for (std::size_t at = first; at + 4 <= size; at += 4)
        if (!sass::Memory::is_fresh(memory, memory.begin + at)) written.set(at - first, 4);
    sass::Unwritten found = sass::unwritten(written, 0, size - first);
    found.first += first, found.last += first;
    return found;
}

}  // namespace

void report_unwritten_end(std::uint64_t address, const CallSite& origin) {
    constexpr std::size_t SOME = 1024;  // bytes before it, which show the padding of structures
    const sass::Allocation memory = sass::Memory::of_device().find(address);
    sass::Region* const region = sass::GlobalOrder::get().at(address);
    if (region == nullptr || !region->is_host || !region->is_changed) return;
    const std::size_t fresh = fresh_from(memory), size = memory.end - memory.begin;
    if (fresh < size / 2) return;  // a larger part may be meant
    const sass::Unwritten unwritten =
        unwritten_from(memory, (fresh - std::min(fresh, SOME)) / ALIGNED * ALIGNED);
    if (unwritten.bytes == 0) return;
    Recorder::get().add_findings({finding_on(
        line_of(origin), sass::Hazard::unwritten_copy,
        "launches have written this memory, but it has " + text_of(unwritten, memory.begin, false), "")});
}

void pass_on_what_is_written(std::uint64_t from, std::uint64_t to, std::size_t bytes) {
    sass::GlobalOrder& order = sass::GlobalOrder::get();
    sass::Region* const source = order.at(from);
    sass::Region* const target = order.at(to);
    if (source == nullptr || target == nullptr || target->is_host) return;
    sass::copy_written(source->written, from - source->begin, target->written, to - target->begin, bytes);
}

}  // namespace simt_runtime
