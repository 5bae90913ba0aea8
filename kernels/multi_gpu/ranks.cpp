#include "kernels/multi_gpu/ranks.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace trial {

namespace {

/// A message formatted in advance, because a signal handler may write but not format.
struct ExitMessage {
    char text[128] = "";
    std::size_t length = 0;

    template <class... Values>
    void set(const char* format, Values... values) {
        length = static_cast<std::size_t>(std::snprintf(text, sizeof(text), format, values...));
    }
};
ExitMessage on_terminated, on_timeout;

/// mpirun may drop the last output of a rank that ends at once. When one has ended, it terminates the others,
/// and kills them after a second.
constexpr timespec TO_READ = {0, 300'000'000}, FOR_OTHERS_TO_SPEAK = {1, 0};

void exit_with(const ExitMessage& message, timespec wait) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, message.text, message.length);
    nanosleep(&wait, nullptr);
    _exit(1);
}

/// Raises an alarm at the deadline, because MPI_Init and MPI_Finalize wait for all ranks and take no timeout.
class DeadlineAlarm {
   public:
    explicit DeadlineAlarm(double seconds) {
        std::signal(SIGALRM, [](int) { exit_with(on_timeout, FOR_OTHERS_TO_SPEAK); });
        alarm(static_cast<unsigned>(std::ceil(seconds)));
    }
    ~DeadlineAlarm() { alarm(0); }
    DeadlineAlarm(const DeadlineAlarm&) = delete;
    DeadlineAlarm& operator=(const DeadlineAlarm&) = delete;
};

std::string list(const std::vector<int>& ranks) {
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
    return text;
}

}  // namespace

Ranks::Ranks(double deadline) : deadline_(deadline) {
    on_timeout.set("MPI has not started within %g s: has every rank begun?\n", deadline_);
    const DeadlineAlarm deadline_alarm(deadline_);
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);  // the SIMT machine has threads
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm host;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank_of_host_);
    MPI_Comm_size(host, &size_of_host_);
    MPI_Comm_free(&host);
    on_terminated.set("rank %d of %d: ended from outside, as when another rank has died\n", rank_, size_);
    on_timeout.set("rank %d of %d: the others have not come to the end within %g s\n", rank_, size_,
                   deadline_);
    std::signal(SIGTERM, [](int) { exit_with(on_terminated, TO_READ); });
}

Ranks::~Ranks() {
    const DeadlineAlarm deadline_alarm(deadline_);
    MPI_Finalize();
}

void Ranks::say(const std::string& line) const {
    std::signal(SIGTERM, SIG_DFL);
    // A single write, because all ranks share one terminal.
    const std::string text = "rank " + std::to_string(rank_) + " of " + std::to_string(size_) + ": " + line;
    std::fprintf(stderr, "%s\n", text.c_str());
}

void Ranks::fail(const std::string& line) const {
    say(line);
    nanosleep(&FOR_OTHERS_TO_SPEAK, nullptr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

/// One message for each pair of ranks instead of MPI_Allgather, to know which ranks do not answer.
void Ranks::gather_bytes(const void* mine, void* all, int bytes) const {
    constexpr int TAG = 0;
    std::vector<MPI_Request> answers(static_cast<std::size_t>(size_), MPI_REQUEST_NULL), sent = answers;
    for (int r = 0; r < size_; ++r) {
        if (r == rank_) continue;
        char* const place = static_cast<char*>(all) + static_cast<std::size_t>(r) * bytes;
        MPI_Irecv(place, bytes, MPI_BYTE, r, TAG, MPI_COMM_WORLD, &answers[r]);
        MPI_Isend(mine, bytes, MPI_BYTE, r, TAG, MPI_COMM_WORLD, &sent[r]);
    }

    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    for (int answered = 0;;) {
        MPI_Testall(size_, answers.data(), &answered, MPI_STATUSES_IGNORE);
        if (answered) break;
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (seconds > deadline_) {
            std::vector<int> silent;
            for (int r = 0; r < size_; ++r) {
                int here = 1;
                if (answers[r] != MPI_REQUEST_NULL) MPI_Test(&answers[r], &here, MPI_STATUS_IGNORE);
                if (!here) silent.push_back(r);
            }
            if (silent.empty()) break;  // the last answer has just arrived
            char limit[32];
            std::snprintf(limit, sizeof(limit), "%g s", deadline_);
            fail("no answer from " + list(silent) + " within " + limit);
        }
        // A rank that spins would take a core from a rank that still computes.
        if (seconds > 1e-3) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    MPI_Waitall(size_, sent.data(), MPI_STATUSES_IGNORE);
}

}  // namespace trial
