#include "simt/runtime/host/host_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <map>

#include "simt/order/device.h"
#include "simt/run/memory.h"
#include "simt/runtime/host/host_line.h"
#include "simt/runtime/host/polling.h"
#include "simt/runtime/recorder.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

using U64 = std::uint64_t;

/// So many accesses by the host are looked at between two calls; then the pages stay open until the next.
constexpr int MOST_STEPS = 20000;
/// A program with more allocations is not watched: each call would take too long.
constexpr std::size_t MOST_ALLOCATIONS = 1000;
constexpr U64 SINGLE_STEP = 0x100;  // of x86's flags

struct Pages {
    U64 end;
    bool is_host;
    U64 closed_from = 0, closed_to = 0;  ///< what the host may not access now
};

struct Guard {
    std::map<U64, Pages> all;
    std::atomic<int> inside{0};
    int steps = 0;
    bool is_on = false, is_broken = false;
};
Guard& guard() {
    static Guard& one = *new Guard();
    return one;
}
thread_local U64 stepping = 0;  // begin of the pages that a single step has opened
struct sigaction before_fault;

U64 page() {
    static const U64 size = U64(sysconf(_SC_PAGESIZE));
    return size;
}

void protect(Pages& pages, U64 from, U64 to, bool is_closed) {
    if (from < to)
        mprotect(reinterpret_cast<void*>(from), to - from, is_closed ? PROT_NONE : PROT_READ | PROT_WRITE);
    pages.closed_from = is_closed ? from : 0;
    pages.closed_to = is_closed ? to : 0;
}
void open(Pages& pages) { protect(pages, pages.closed_from, pages.closed_to, false); }
void open_all() {
    for (auto& [begin, pages] : guard().all)
        if (pages.closed_from != pages.closed_to) open(pages);
}

bool host_knows(const sass::Submitted& work) { return State::get().queue.host_knows(work); }

void close_all() {
    Guard& g = guard();
    g.steps = 0;
    const auto touched = sass::GlobalOrder::get().touched_host_memory(host_knows);
    for (auto& [begin, pages] : g.all) {
        U64 from = begin, to = pages.end;
        if (pages.is_host) {
            const auto range = touched.find(begin);
            from = to = 0;
            if (range != touched.end()) {
                from = range->second.first / page() * page();
                to = (range->second.second + page() - 1) / page() * page();
            }
        }
        if (pages.closed_from == from && pages.closed_to == to) continue;
        open(pages);
        if (from < to) protect(pages, from, to, true);
    }
}

void tell_access_to_device(U64 address, bool is_write, U64 instruction) {
    Recorder::get().add_findings(
        {finding_on(line_of(call_site(instruction)), sass::Hazard::host_access,
                    "the host accesses memory of the device: this " +
                        std::string(is_write ? "write" : "read") + " of " + sass::global_place(address),
                    is_write ? "cudaMemcpy to the device, or cudaMallocManaged"
                             : "cudaMemcpy to the host first, or cudaMallocManaged")});
}

enum class Meaning { plain, first_look, has_polled };

/// What the host's access to its own memory means.
Meaning look_at(U64 address, bool is_write, U64 instruction) {
    const sass::GlobalOrder::OfHost seen =
        sass::GlobalOrder::get().host_access(address, is_write, host_knows);
    if (seen.is_race)
        Recorder::get().add_findings(
            {race_of_host(line_of(call_site(instruction)), address, is_write, seen)});
    if (!seen.is_signal) return Meaning::plain;
    return Polling::get().read(address, instruction, seen) ? Meaning::has_polled : Meaning::first_look;
}

void fault(int number, siginfo_t* info, void* context) {
    Guard& g = guard();
    const auto address = reinterpret_cast<U64>(info->si_addr);
#ifdef __x86_64__
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto instruction = U64(registers[REG_RIP]);
    const bool is_write = registers[REG_ERR] & 2;
#else
    const U64 instruction = 0;
    const bool is_write = false;
    (void)context;
#endif
    auto closed = g.all.upper_bound(address);
    const bool is_ours = closed != g.all.begin() && (--closed, address >= closed->second.closed_from) &&
                         address < closed->second.closed_to;
    if (is_ours && (g.inside > 0 || is_own(instruction))) return open_all();
    if (is_ours && closed->second.is_host) {
        const Meaning meaning = look_at(address, is_write, instruction);
        open(closed->second);
        if (meaning == Meaning::has_polled) return open_all();  // until the next call
#ifdef __x86_64__
        if (++g.steps < MOST_STEPS) {
            if (meaning == Meaning::first_look) Polling::get().show_kept(address);
            stepping = closed->first;
            registers[REG_EFL] |= SINGLE_STEP;
        }
#endif
        return;
    }
    if (is_ours) {
        tell_access_to_device(address, is_write, instruction);
        Recorder::get().write();
    }
    sigaction(number, &before_fault, nullptr);  // and the access is tried again
}

void stepped(int, siginfo_t*, void* context) {
#ifdef __x86_64__
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~U64(SINGLE_STEP);
#else
    (void)context;
#endif
    const auto pages = guard().all.find(stepping);
    stepping = 0;
    Polling::get().show_present();
    if (pages == guard().all.end() || guard().inside > 0) return;
    const auto touched = sass::GlobalOrder::get().touched_host_memory(host_knows);
    if (const auto range = touched.find(pages->first); range != touched.end())
        protect(pages->second, range->second.first / page() * page(),
                (range->second.second + page() - 1) / page() * page(), true);
}

void install() {
    Guard& g = guard();
    struct sigaction action{};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = stepped;
    sigaction(SIGTRAP, &action, nullptr);
    action.sa_sigaction = fault;
    g.is_on = sigaction(SIGSEGV, &action, &before_fault) == 0;
    (void)call_site();  // what it needs is loaded now, not in a handler
}

/// A program that handles SIGSEGV itself is left alone.
bool is_installed() {
    struct sigaction now;
    return sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_sigaction == fault;
}

}  // namespace

HostGuard::Inside::Inside() {
    if (guard().inside++ == 0) Polling::get().end();
}

HostGuard::Inside::~Inside() {
    Guard& g = guard();
    if (g.is_on && g.inside == 1 && !g.is_broken) {
        g.is_broken = !is_installed() || g.all.size() > MOST_ALLOCATIONS;
        if (g.is_broken)
            open_all();
        else
            close_all();
    }
    --g.inside;
}

void HostGuard::add(void* address, std::size_t bytes, bool is_host) {
    const sass::Options options = sass::Options::current();
    if (!options.checks || options.is_late) return;
    Guard& g = guard();
    if (!g.is_on) install();
    const auto begin = reinterpret_cast<U64>(address);
    g.all.try_emplace(begin, Pages{begin + (bytes + page() - 1) / page() * page(), is_host});
}

void HostGuard::remove(void* address) {
    const auto guarded = guard().all.find(reinterpret_cast<U64>(address));
    if (guarded == guard().all.end()) return;
    open(guarded->second);
    guard().all.erase(guarded);
}

}  // namespace simt_runtime
