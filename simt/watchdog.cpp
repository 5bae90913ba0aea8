#include "simt/watchdog.h"

#include <signal.h>
#include <sys/time.h>
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

}  // namespace

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

void watch(Block* block) {
    watched = block;
    seconds = 0;
}

}  // namespace simt
