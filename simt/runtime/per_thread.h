// The names of calls in programs that are compiled with --default-stream per-thread. A null handle means the
// thread's own stream there; the machine takes it for the legacy one.
#pragma once

#define PTSZ(name) extern "C" decltype(name) name##_ptsz __attribute__((alias(#name)));
#define PTDS(name) extern "C" decltype(name) name##_ptds __attribute__((alias(#name)));
