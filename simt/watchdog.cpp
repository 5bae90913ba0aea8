#include "simt/watchdog.h"

#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "simt/block.h"

namespace simt {

namespace {

// A second of the process's CPU time interrupts one of its running threads. Initial-exec, as a handler must
// not allocate.
__attribute__((tls_model("initial-exec"))) thread_local Block* watched = nullptr;
__attribute__((tls_model("initial-exec"))) thread_local volatile int seconds = 0;
int limit = 60;

void tick(int) {
    if (watched == nullptr || ++seconds <= limit) return;
    std::fprintf(stderr,
                 "%s: an endless loop? This thread has run for %d s without reaching a barrier or its end "
                 "(SIMT_LIMIT=<seconds> allows more)\n",
                 watched->running().c_str(), limit);
    _exit(1);
}

const char* place_file = nullptr;

std::uintptr_t instruction_of(const void* context) {
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return std::uintptr_t(registers.gregs[REG_RIP]);
#else
    return std::uintptr_t(registers.pc);
#endif
}

void write_place(int, siginfo_t*, void* context) {
    std::FILE* const file = std::fopen(place_file, "w");
    if (file != nullptr) {
        const void* const in_machine = watched == nullptr ? nullptr : watched->current_site();
        const void* const at =
            in_machine != nullptr ? in_machine : reinterpret_cast<const void*>(instruction_of(context) + 1);
        const std::string what = watched == nullptr ? "host code" : watched->running();
        std::fprintf(file, "%u %s", ProgramMemory::get().offset(at), what.c_str());
        std::fclose(file);
    }
    std::fflush(nullptr);
    _exit(1);
}

}  // namespace

void report_place_on_signal(const char* file) {
    place_file = file;
    struct sigaction action = {};
    action.sa_sigaction = write_place;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &action, nullptr);
}

void start_watchdog() {
    static const bool started = [] {
        if (const char* const text = std::getenv("SIMT_LIMIT")) limit = std::atoi(text);
        if (limit <= 0) return false;
        struct sigaction action = {};
        action.sa_handler = tick;
        action.sa_flags = SA_RESTART;
        const itimerval every_second = {{1, 0}, {1, 0}};
        return sigaction(SIGVTALRM, &action, nullptr) == 0 &&
               setitimer(ITIMER_VIRTUAL, &every_second, nullptr) == 0;
    }();
    (void)started;
}

std::size_t memory_limit() {
    static const std::size_t bytes = [] {
        if (const char* const text = std::getenv("SIMT_MEMORY")) return std::size_t(std::atoll(text)) << 20;
        return std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE)) / 2;
    }();
    return bytes;
}

void exceed_memory_limit(std::size_t requests) { watched->fail_endless(requests, memory_limit() >> 20); }

void watch(Block* block) {
    watched = block;
    seconds = 0;
}

}  // namespace simt
